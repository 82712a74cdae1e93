"""Errors of readers name the file, the place in it, the problem and the remedy; written files are never rejected."""

import gzip
import json
import pickle
import zlib

import numpy as np
import pytest

import opendynamics as od
from opendynamics.io import build_scene, parse_bench_scene, read_bench_scene, read_recorded_scene
from opendynamics.io.bench_scene import MAX_BYTES, MAX_LINES, BenchSceneError
from opendynamics.io.recorded_scene import RecordedSceneError
from opendynamics.io.recording import chunks
from opendynamics.io.recording.chunks import RecordingError
from opendynamics.io.recording.packing import squeezed
from opendynamics.io.recording.spans import HEAD
from tests.robustness.readers import RECORDED, recording_originals
from tests.robustness.recordings import split


def located_error(error, read, path):
    with pytest.raises(error) as caught:
        read(path)
    assert isinstance(caught.value, od.FileError) and isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(str(path)) and caught.value.path == str(path)
    return caught.value


def written(path, data):
    path.write_bytes(data)
    return path


# -- benchmark scenes ------------------------------------------------------------------------------------------------


def test_benchmark_scenes_name_the_line(tmp_path):
    path = written(tmp_path / "a.txt", b"plane 0 0 1 0\n\nbody sphere 0 0 1 1 0 0 0 heavy 0.1\n")
    with pytest.raises(BenchSceneError, match=r"a\.txt, line 3: mass = 'heavy' is not a number in .*; write a decimal"):
        read_bench_scene(path)
    cut = written(tmp_path / "b.txt.gz", gzip.compress(b"plane 0 0 1 0\n" * 100)[:-9])
    assert "byte" in located_error(BenchSceneError, read_bench_scene, cut).place
    latin = written(tmp_path / "c.txt", b"plane 0 0 1 0 # \xe4\n")
    assert located_error(BenchSceneError, read_bench_scene, latin).place == "byte 16"
    long = written(tmp_path / "d.txt.gz", gzip.compress(b"\n" * (MAX_LINES + 2)))
    assert located_error(BenchSceneError, read_bench_scene, long).place == f"line {MAX_LINES + 1}"
    large = written(tmp_path / "e.txt.gz", gzip.compress(b" " * (MAX_BYTES + 1)))
    assert "is the limit" in located_error(BenchSceneError, read_bench_scene, large).problem


def test_a_scene_that_cannot_be_built_leaves_the_world_as_it_was():
    scene = parse_bench_scene(
        "plane 0 0 1 0\nbody sphere 0 0 1 1 0 0 0 1 0.1\nbody sphere 0 0 1 1 0 0 0 1e-310 0.1\n", "x"
    )
    world = od.World(gravity=(1, 2, 3))
    kept = world.add_body(od.Sphere(1))
    with pytest.raises(BenchSceneError, match="x, line 3: "):
        build_scene(world, scene)
    assert world.bodies == (kept,) and world.geoms == kept.geoms and world.gravity.tolist() == [1, 2, 3]


# -- recorded scenes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "place", "problem"),
    [
        (lambda r: r["scene"]["bodies"][0].update(mass="heavy"), "scene.bodies[0].mass", "a finite number above 0"),
        (lambda r: r["scene"]["bodies"][0].update(__class__=3), "scene.bodies[0]", "no property '__class__'"),
        (lambda r: r["scene"]["world"].update(threads=64), "scene.world.threads", "no property 'threads'"),
        (lambda r: r["scene"]["world"].update(step=1), "scene.world.step", "no property 'step'"),
        (lambda r: r["scene"]["world"].update(steps=10**9), "scene.world.steps", "a whole number from 0 to"),
        (lambda r: r["trajectory"]["bodies"][0]["pos"].pop(), "trajectory.bodies[0].pos", "201 states"),
        (lambda r: r["scene"]["joints"][0].update(type="plane"), "scene.joints[0]", "no joint 'plane'"),
        (lambda r: r["scene"]["joints"][0].update(bodies=[0, 1]), "scene.joints[0].bodies", "from 0 to 0"),
        (lambda r: r["scene"]["joints"][0]["calls"].append(["axis", 1]), "scene.joints[0].calls[2]", "3 numbers"),
    ],
)
def test_recorded_scenes_name_the_key(tmp_path, change, place, problem):
    recording = json.loads(gzip.decompress((RECORDED / "hinge_world.json.gz").read_bytes()))
    change(recording)
    path = written(tmp_path / "a.json", json.dumps(recording).encode())
    error = located_error(RecordedSceneError, read_recorded_scene, path)
    assert error.place == place and problem in error.problem


def test_recorded_scenes_name_the_step(tmp_path):
    recording = json.loads(gzip.decompress((RECORDED / "slider_force.json.gz").read_bytes()))
    recording["scene"]["events"][0]["args"] = ["much"]
    recorded = read_recorded_scene(written(tmp_path / "a.json", json.dumps(recording).encode()))
    with pytest.raises(RecordedSceneError, match=r"a\.json, step \d+: "):
        list(recorded.play())


def test_json_is_bounded(tmp_path):
    for text, problem in ((b"[" * 100_000, "too deeply"), (b"[" * 5_000_000, "memory"), (b"9" * 50, "50 digits")):
        path = written(tmp_path / "a.json.gz", gzip.compress(b'{"scene": ' + text))
        assert problem in str(located_error(RecordedSceneError, read_recorded_scene, path))


# -- recordings ------------------------------------------------------------------------------------------------------


def with_span(path, change):
    """The first of the recordings, with a change of the first span."""
    parts = split(recording_originals()[0][1])
    k = next(k for k, (kind, _) in enumerate(parts) if kind == chunks.FRAMES)
    parts[k] = chunks.FRAMES, change(parts[k][1])
    return written(path, chunks.MAGIC + b"".join(chunks.packed(*part) for part in parts))


def test_recordings_name_the_chunk_and_the_section(tmp_path):
    path = with_span(tmp_path / "a.odr", lambda span: span[:8] + b"\xff" * 4 + span[12:])
    error = located_error(RecordingError, od.Recording, path)
    assert error.place.startswith("chunk FRAM at byte ") and "4294967295 frames" in error.problem

    def longer(span):
        begin = HEAD.size + span[HEAD.size :].index(b"PRES")
        return span[: begin + 4] + b"\xff\xff\xff\x0f" + span[begin + 8 :]

    recording = od.Recording(with_span(tmp_path / "b.odr", longer))
    with pytest.raises(
        RecordingError, match=r"b\.odr, chunk FRAM at byte \d+, head of section \d+: .* 268435455 unpacked"
    ):
        recording[0]


def test_errors_can_be_sent_to_other_processes():
    error = pickle.loads(pickle.dumps(RecordingError("run.odr", "byte 8", "it is damaged", "copy it again")))
    assert str(error) == "run.odr, byte 8: it is damaged; copy it again" and type(error) is RecordingError


def test_what_is_all_alike_is_stored_so_that_readers_take_it(tmp_path):
    """Zlib makes zeros a thousand times smaller, which readers take for an attack."""
    zeros = bytes(chunks.UNPACKED + (1 << 21))
    stream = squeezed(zeros)
    assert len(zlib.compress(zeros)) * 100 < len(zeros) <= chunks.max_unpacked(len(stream))
    world = od.World()
    world.add_geom(od.Heightfield(np.zeros((2100, 2100)), width=10, depth=10, up="z"))
    with od.Recorder(world, tmp_path / "flat.odr"):
        pass
    (geom,) = od.Recording(tmp_path / "flat.odr").world().geoms
    assert geom.field.shape == (2100, 2100)
