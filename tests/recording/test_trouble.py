"""Errors while recording, and damaged or foreign files: they are reported, and do no other harm."""

import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import time
import zlib
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics.io.recording import chunks, recorder, resuming
from opendynamics.io.recording.recorder import FORMAT
from opendynamics.io.recording.spans import HEAD, SECTION

ROOT = Path(__file__).parents[2]

ENDLESS = """
import sys
import opendynamics as od
from opendynamics.io.recording import recorder

recorder.MAX_FRAMES = 50
world = od.World(gravity=(0, 0, -9.81))
world.add_plane()
for k in range(20):
    world.add_body(od.Box((0.3, 0.2, 0.1)), position=(k, 0, 1), angular_velocity=(1, k, 3))
places = open(sys.argv[2], "ab", buffering=0)
with od.Recorder(world, sys.argv[1], contacts=True) as recorder:
    places.write(world.positions.tobytes())
    while True:
        world.advance(0.01)
        places.write(world.positions.tobytes())
"""


def some_world(bodies=5):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    for k in range(bodies):
        world.add_body(od.Sphere(0.1), position=(k, 0, 1))
    return world


def whole_recording(path, flushes=4):
    """A recording of five chunks, ten frames each but for the last."""
    world = some_world()
    with od.Recorder(world, path) as recorder:
        for _ in range(flushes):
            world.advance(0.01, steps=9 if recorder.frames == 1 else 10)
            recorder.flush()
        world.advance(0.01, steps=5)
    return path


def frame_chunks(path):
    """Where the chunks with frames begin and end in the file."""
    found, at, data = [], len(chunks.MAGIC), path.read_bytes()
    while at < len(data):
        kind, length, _ = chunks.HEAD.unpack_from(data, at)
        end = at + chunks.HEAD.size + length
        if kind == chunks.FRAMES:
            found.append((at, end))
        at = end
    return found


def rewrite_header(path, change):
    """Change the header, with a checksum that fits."""
    data = path.read_bytes()
    at = len(chunks.MAGIC)
    _, length, _ = chunks.HEAD.unpack_from(data, at)
    header = json.loads(data[at + chunks.HEAD.size : at + chunks.HEAD.size + length])
    change(header)
    packed = chunks.packed(chunks.HEADER, json.dumps(header).encode())
    path.write_bytes(data[:at] + packed + data[at + chunks.HEAD.size + length :])


def ended_in_time(process):
    """Wait for its end; a program that goes on is stopped, and the test fails instead of waiting for ever."""
    try:
        process.wait(60)
    finally:
        process.kill()


# -- unplanned ends -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_program_loses_at_most_the_last_chunk(tmp_path, how):
    run, places = tmp_path / "run.odr", tmp_path / "places"
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, script, run, places], env=environment, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 120
        while not (places.exists() and places.stat().st_size > 400 * 20 * 24) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(how)
        ended_in_time(process)
    truth = np.frombuffer(places.read_bytes()[: places.stat().st_size // 480 * 480]).reshape(-1, 20, 3)
    if how == signal.SIGINT:
        recording = od.Recording(run)  # closed on the way out, without a warning
        assert len(recording) >= len(truth) - 1
    else:
        with pytest.warns(od.RecordingWarning, match="its program was killed"):
            recording = od.Recording(run)
        # The chunk that was being filled, and the one before it, if that was on its way to the disk.
        assert len(truth) - 2 * 50 <= len(recording) <= len(truth) + 1
    assert len(recording) > 200
    read = min(len(recording), len(truth))
    assert np.abs(recording.positions[:read] - truth[:read]).max() < 1.1e-5
    assert recording.show(read - 1).positions == pytest.approx(truth[read - 1], abs=1.1e-5)


@pytest.mark.parametrize("kept", [1, 7, 12, 13, 100, -1])
def test_files_cut_off_anywhere(tmp_path, kept):
    path = whole_recording(tmp_path / "run.odr")
    begin, end = frame_chunks(path)[2]
    data = path.read_bytes()[: begin + kept if kept > 0 else end - 1]
    path.write_bytes(data)
    with pytest.warns(od.RecordingWarning, match=f"{len(data) - begin} bytes at its end .* 20 frames, up to 0.19 s"):
        recording = od.Recording(path)
    assert len(recording) == 20 and recording.positions.shape == (20, 5, 3)


def test_a_torn_last_chunk_is_noticed(tmp_path):
    """As long as it should be, but not written to its end: as after a power failure."""
    path = whole_recording(tmp_path / "run.odr")
    begin, end = frame_chunks(path)[3]
    data = bytearray(path.read_bytes()[:end])
    data[end - 20 : end] = bytes(20)
    path.write_bytes(data)
    with pytest.warns(od.RecordingWarning, match=f"{end - begin} bytes at its end are cut off or damaged. 30 frames"):
        assert len(od.Recording(path)) == 30


def test_damage_in_the_middle_leaves_the_rest(tmp_path):
    path = whole_recording(tmp_path / "run.odr")
    begin, end = frame_chunks(path)[1]
    data = bytearray(path.read_bytes())
    data[(begin + end) // 2] ^= 1
    path.write_bytes(data)
    recording = od.Recording(path)
    for frame in (0, 9, 20, 44):
        assert np.isfinite(recording[frame].positions).all()
    for frame in (10, 19):
        with pytest.raises(ValueError, match=r"the frames 10 to 19 of .* are damaged: the checksum differs"):
            recording[frame]


def test_cut_off_before_the_first_frame(tmp_path):
    path = whole_recording(tmp_path / "run.odr")
    data = path.read_bytes()
    path.write_bytes(data[:20])
    with pytest.raises(ValueError, match="cut off before its first frame, or still being recorded: close"):
        od.Recording(path)
    path.write_bytes(
        data[: frame_chunks(path)[0][0] if len(data) < 20 else 8 + 12 + chunks.HEAD.unpack_from(data, 8)[1]]
    )
    with pytest.warns(od.RecordingWarning, match="no frames can be read"):
        recording = od.Recording(path)
    assert len(recording) == 0 and recording.positions.shape == (0, 0, 3) and recording.world().bodies == ()


# -- other files -----------------------------------------------------------------------------------------------------


def test_foreign_files(tmp_path):
    path = tmp_path / "other.odr"
    for data, message in (
        (b"", "it is empty"),
        (b"\x89ODR", "it ends within its first eight bytes"),
        (b"\x89ODR\n\x1a\n rest", "a transfer as text has changed its line ends"),
        (b"PK\x03\x04 a zip file", "it begins with b'PK"),
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=f"is not a recording of opendynamics: {message}"):
            od.Recording(path)
    with pytest.raises(FileNotFoundError):
        od.Recording(tmp_path / "missing.odr")
    with pytest.raises(IsADirectoryError):
        od.Recording(tmp_path)


def test_newer_versions_say_what_to_do(tmp_path):
    path = whole_recording(tmp_path / "run.odr")
    rewrite_header(path, lambda header: header.update(format=FORMAT + 1, program="opendynamics 9.0"))
    with pytest.raises(ValueError, match=r"was written by opendynamics 9.0; .* pip install --upgrade opendynamics"):
        od.Recording(path)


def test_more_in_the_header_is_fine(tmp_path):
    path = whole_recording(tmp_path / "run.odr")
    rewrite_header(path, lambda header: header.update(weather="rain"))
    assert od.Recording(path).header["weather"] == "rain"


def test_shapes_of_the_future(tmp_path):
    path = whole_recording(tmp_path / "run.odr")
    data, at = path.read_bytes(), len(chunks.MAGIC)
    out = [data[:at]]
    while at < len(data):
        kind, length, _ = chunks.HEAD.unpack_from(data, at)
        payload = data[at + chunks.HEAD.size : at + chunks.HEAD.size + length]
        if kind == chunks.STRUCTURE:
            payload = zlib.compress(zlib.decompress(payload).replace(b'"sphere"', b'"torus"'))
        out.append(chunks.packed(kind, payload))
        at += chunks.HEAD.size + length
    path.write_bytes(b"".join([*out, chunks.packed(b"NOTE", b"chunks of an unknown kind are passed over")]))
    recording = od.Recording(path)
    assert recording.positions.shape == (45, 5, 3)
    with pytest.raises(ValueError, match="a geom of the shape 'torus', which this version"):
        recording.world()


# -- places ----------------------------------------------------------------------------------------------------------


def test_files_are_not_overwritten_by_accident(tmp_path):
    path = whole_recording(tmp_path / "run.odr")
    before = path.read_bytes()
    world = some_world()
    with pytest.raises(FileExistsError, match=r"exists; choose another name, delete it, or allow .* \(overwrite=True"):
        od.Recorder(world, path)
    assert path.read_bytes() == before and not world._watchers
    with od.Recorder(world, path, overwrite=True):
        world.advance(0.01)
    assert len(od.Recording(path)) == 2


def test_two_recorders_to_one_file(tmp_path):
    world = some_world()
    with od.Recorder(world, tmp_path / "run.odr"):
        with pytest.raises(ValueError, match="is being recorded already; close that recorder first"):
            od.Recorder(some_world(), tmp_path / "." / "run.odr", overwrite=True)
        world.advance(0.01)
    assert len(od.Recording(tmp_path / "run.odr")) == 2


def test_folders_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"run\.odr cannot be written: .*; give a path in a folder"):
        od.Recorder(some_world(), tmp_path / "missing" / "run.odr")
    with pytest.raises(IsADirectoryError, match="cannot be written"):
        od.Recorder(some_world(), tmp_path, overwrite=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_disk_that_is_full_from_the_beginning():
    for _ in range(2):  # nothing stays behind that says it is being written
        with pytest.raises(OSError, match="/dev/full cannot be written: No space left on device"):
            od.Recorder(some_world(), "/dev/full", overwrite=True)


FULL = """
import resource, signal, sys, warnings
import opendynamics as od
from opendynamics.io.recording import recorder

recorder.MAX_FRAMES = 20
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


def make():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    for k in range(30):
        world.add_body(od.Box((0.3, 0.2, 0.1)), position=(k, 0, 1), angular_velocity=(1, k, 3))
    return world


world, other = make(), make()
other.advance(0.01, steps=300)  # its kernels may have to be compiled, and there is no room for them either
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with od.Recorder(world, sys.argv[1]) as recorder:
        for _ in range(300):
            world.advance(0.01)
told = [str(warning.message) for warning in caught]
assert len(told) == 1 and "as it could not be written: [Errno 27]" in told[0], told
assert (world.positions == other.positions).all() and recorder.closed and not world._watchers
"""


def test_a_full_disk_ends_the_recording_only(tmp_path):
    """The limit of a file's size simulates a full disk: both are an OSError of write()."""
    script, path = tmp_path / "full.py", tmp_path / "run.odr"
    script.write_text(FULL)
    done = subprocess.run(
        [sys.executable, script, path],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with pytest.warns(od.RecordingWarning):
        recording = od.Recording(path)
    assert 20 <= len(recording) < 300 and len(recording) % 20 == 0
    assert path.stat().st_size <= 20_000 and recording._file.good == path.stat().st_size


def test_forgotten_recorders_are_closed(tmp_path):
    script = (
        "import sys, opendynamics as od\n"
        "world = od.World(); world.add_body(od.Sphere(1))\n"
        "recorder = od.Recorder(world, sys.argv[1]); world.advance(0.01, steps=7)\n"
    )
    path = tmp_path / "run.odr"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", script, path], env=environment, check=True)
    assert len(od.Recording(path)) == 8


# -- arguments -------------------------------------------------------------------------------------------------------


def test_arguments(tmp_path):
    world, path = some_world(), tmp_path / "run.odr"
    for error, options, message in (
        (ValueError, {"every": -1}, r"the steps between frames of a recorder \(every\) must be at least 0"),
        (ValueError, {"position_tolerance": 0.0}, "position tolerance"),
        (ValueError, {"orientation_tolerance": float("nan")}, "orientation tolerance"),
        (
            ValueError,
            {"position_tolerance": 1e-16},
            "position tolerance of a recorder must be at least 1e-12 m, not 1e-16",
        ),
        (ValueError, {"orientation_tolerance": 1e-9}, "orientation tolerance of a recorder must be at least 1e-07 rad"),
        (TypeError, {"velocities": "yes"}, "velocities"),
        (TypeError, {"about": "a word"}, "values by name, not 'a word'"),
        (TypeError, {"channels": [len]}, "functions by name, not "),
        (TypeError, {"channels": {"one": lambda: None}}, "the channel 'one' must give numbers, not None"),
        (TypeError, {"about": {"what": od}}, "must be values that JSON has"),
        (ValueError, {"about": {"what": float("nan")}}, "must be values that JSON has"),
        (TypeError, {"channels": {"one": 1.0}}, "the channel 'one' must be a function"),
        (TypeError, {"channels": {"one": lambda: "a word"}}, "the channel 'one' must give numbers, not 'a word'"),
    ):
        with pytest.raises(error, match=message):
            od.Recorder(world, path, **options)
        assert not path.exists() and not world._watchers
    with pytest.raises(TypeError, match="a recorder records a World"):
        od.Recorder(world.bodies[0], path)


def test_channels_keep_their_shape(tmp_path):
    world, values = some_world(), [np.zeros(3)]
    with od.Recorder(world, tmp_path / "run.odr", channels={"it": lambda: values[-1]}):
        world.advance(0.01)
        values.append(np.zeros(2))
        before = world.positions
        with pytest.raises(ValueError, match=r"the channel 'it' .* gave an array of shape \(2,\); it must be \(3,\)"):
            world.advance(0.01)
        assert (world.positions != before).any()  # the step is complete, and the world goes on
        values.append(np.ones(3))
        world.advance(0.01)
    assert od.Recording(tmp_path / "run.odr").channels["it"].tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 1]]


def test_runaway_bodies_do_not_end_a_recording(tmp_path):
    world = od.World()
    far, near = (world.add_body(od.Sphere(1), position=(x, 0, 0)) for x in (1e60, 1.0))
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.01, steps=3)
    recording = od.Recording(tmp_path / "run.odr")
    assert recording.positions[:, 1].tolist() == [[1, 0, 0]] * 4
    assert np.isfinite(recording.positions).all() and recording.positions[3, 0, 0] > 1e10
    assert far.alive and near.alive


def test_the_checksum_is_that_of_the_page(tmp_path):
    """As docs/recordings.md says: CRC-32 of kind, length and payload."""
    data = whole_recording(tmp_path / "run.odr").read_bytes()
    kind, length, crc = struct.unpack_from("<4sII", data, 8)
    assert kind == b"HEAD" and crc == zlib.crc32(data[8:16] + data[20 : 20 + length])


def test_ctrl_c_while_frames_are_handed_over(tmp_path, monkeypatch):
    """The queue is full, and the program waits: what was to be handed over is not lost, and nothing comes twice."""
    world = some_world()
    with od.Recorder(world, tmp_path / "run.odr") as recorder:
        write, calls = recorder._writer.write, []

        def interrupted(kind, pack):
            calls.append(kind)
            if len(calls) in (2, 4):  # after, and before, it was handed over
                write(kind, pack) if len(calls) == 2 else None
                raise KeyboardInterrupt
            write(kind, pack)

        monkeypatch.setattr(recorder._writer, "write", interrupted)
        world.advance(0.01, steps=3)
        recorder.flush()
        world.advance(0.01, steps=2)
        with pytest.raises(KeyboardInterrupt):
            recorder.flush()
        world.advance(0.01)
        recorder.flush()
        world.add_body(name="new")
        with pytest.raises(KeyboardInterrupt):
            recorder.capture()
        world.advance(0.01, steps=2)
    assert calls[:5] == [chunks.FRAMES] * 3 + [chunks.STRUCTURE] * 2
    recording = od.Recording(tmp_path / "run.odr")
    assert len(recording) == 1 + 3 + 2 + 1 + 2 and recording.bodies[-1] == "new"
    assert recording[6].present.sum() == 5 and recording[7].present.sum() == 6
    assert recording.times == pytest.approx(0.01 * np.arange(9)) and recording._firsts == [0, 4, 7]


def test_ctrl_c_at_any_line_of_the_recorder_loses_no_frame(tmp_path, monkeypatch):
    """Also where a frame has been taken and not been counted yet, or written and not been dropped."""
    monkeypatch.setattr("opendynamics.io.recording.recorder.MAX_FRAMES", 2)
    files = {recorder.__file__: {"capture", "flush"}, resuming.__file__: {"look", "flush"}}
    world = od.World(gravity=(0, 0, -9.81))
    ball = world.add_body(od.Sphere(0.1))
    lines_left = 0

    def trace(frame, event, _):
        nonlocal lines_left
        if frame.f_code.co_name not in files.get(frame.f_code.co_filename, ()):
            return None
        lines_left -= event == "line"
        if event == "line" and not lines_left:
            raise KeyboardInterrupt
        return trace

    for line in count(1):
        path, positions, lines_left = tmp_path / f"{line}.odr", [], line
        ball.position = ball.linear_velocity = (0, 0, 0)
        with od.Recorder(world, path, snapshots=0.02) as run:
            for h in (0.01, 0.01, 0.02, 0.02):
                sys.settrace(trace)
                with contextlib.suppress(KeyboardInterrupt):
                    world.advance(h)
                sys.settrace(None)
                positions.append(ball.position)
            world.advance(0.01)
        recording = od.Recording(path)
        assert run.time == pytest.approx(0.07) and 5 <= run.frames == len(recording)
        assert recording[-1].positions[0] == pytest.approx(ball.position, abs=1e-4)
        assert recording.resume(0.06).bodies[0].position == pytest.approx(positions[3], abs=1e-12)
        if lines_left > 0:
            break
    assert line > 50


def test_worlds_that_end_first(tmp_path):
    world = some_world()
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.01, steps=3)
        world.destroy()
    assert len(od.Recording(tmp_path / "run.odr")) == 4
    with pytest.raises(od.DestroyedError):
        od.Recorder(world, tmp_path / "other.odr")
    assert not (tmp_path / "other.odr").exists()


def test_what_fails_while_the_recorder_looks_ends_the_recording(tmp_path):
    """The box of a geom of one's own is asked for: the recording ends before, the simulation can go on."""
    world = some_world()
    with od.Recorder(world, tmp_path / "run.odr") as recorder:
        world.advance(0.01, steps=3)

        def bounds(geom):
            raise RuntimeError("no box today")

        world.add_geom(od.GeomClass("shy", bounds=bounds, collider=lambda a, b, n: [])())
        with pytest.raises(RuntimeError, match="no box today"):
            recorder.capture()
        assert recorder.closed and not world._watchers
    assert len(od.Recording(tmp_path / "run.odr")) == 4


def damaged_span(payload, random):
    """A span of which one section says something else, though it can be unpacked."""
    head = HEAD.unpack_from(payload)
    names = [SECTION.unpack_from(payload, HEAD.size + k * SECTION.size) for k in range(head[3])]
    at, sections = HEAD.size + head[3] * SECTION.size, []
    for name, _, length in names:
        sections.append((name, bytearray(zlib.decompress(payload[at : at + length]))))
        at += length
    chosen = sections[random.integers(len(sections))][1]
    for _ in range(3 * bool(chosen)):
        chosen[random.integers(len(chosen))] = random.integers(256)
    if random.random() < 0.3:
        del chosen[random.integers(len(chosen) + 1) :]
    packed = [(name, len(data), zlib.compress(data)) for name, data in sections]
    heads = b"".join(SECTION.pack(name, length, len(stream)) for name, length, stream in packed)
    return HEAD.pack(*head) + heads + b"".join(stream for _, _, stream in packed)


@pytest.mark.filterwarnings("ignore::opendynamics.io.recording.recorder.RecordingWarning")
def test_nonsense_with_a_good_checksum_is_a_value_error(tmp_path):
    world, random = some_world(), np.random.default_rng(3)
    with od.Recorder(world, tmp_path / "run.odr", velocities=True, contacts=True, joint_forces=True) as recorder:
        world.add_hinge(world.bodies[0], world.bodies[1])
        world.advance(0.01, steps=5)
        world.bodies[3].destroy()
        world.advance(0.01, steps=5)
        recorder.flush()
    whole, parts, at = (tmp_path / "run.odr").read_bytes(), [], len(chunks.MAGIC)
    while at < len(whole):
        kind, length, _ = chunks.HEAD.unpack_from(whole, at)
        parts.append((kind, whole[at + chunks.HEAD.size : at + chunks.HEAD.size + length]))
        at += chunks.HEAD.size + length
    refused = 0
    for k in range(80):
        wrong = random.integers(len(parts))
        out = [chunks.MAGIC]
        for place, (kind, payload) in enumerate(parts):
            if place == wrong and kind == chunks.FRAMES:
                payload = damaged_span(payload, random)
            elif place == wrong:
                data = bytearray(zlib.decompress(payload) if kind == chunks.STRUCTURE else payload)
                data[random.integers(len(data))] = random.integers(32, 127)
                payload = zlib.compress(data) if kind == chunks.STRUCTURE else bytes(data)
            out.append(chunks.packed(kind, payload))
        path = tmp_path / f"{k}.odr"
        path.write_bytes(b"".join(out))
        try:
            recording = od.Recording(path)
            recording.to_npz(tmp_path / "all.npz")
            recording.show(len(recording) - 1)
        except ValueError:
            refused += 1
    assert 20 < refused < 80
