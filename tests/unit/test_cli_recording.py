"""--record, info, export: recordings on the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics.cli import main
from opendynamics.cli.sources import opened
from opendynamics.scenes import build
from tests.unit.command_line import ask, refused

ROOT = Path(__file__).parents[2]


@pytest.fixture
def pit(capsys, tmp_path):
    path = tmp_path / "pit.odr"
    words = ("--set", "bodies=5", "--steps", 30, "--record", path, "--with", "velocities", "contacts")
    status, out, _ = ask(capsys, "demo", "pit", *words)
    assert status == 0 and f"recorded     {path}, 31 frames, 0." in out
    return path


def test_demo_records(pit):
    recording = od.Recording(pit)
    assert len(recording) == 31 and len(recording.bodies) == 5
    assert recording.header["velocities"] and recording.header["contacts"] and not recording.header["joint_forces"]
    assert (recording.series["solve_seconds"][1:] > 0).all()
    assert len(recording.contacts(30)) == recording.series["contacts"][30]


def test_run_records(capsys, tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        "import opendynamics as od\n"
        "def build():\n"
        "    world = od.World(gravity=(0, 0, -9.81))\n"
        "    world.add_body(od.Sphere(0.1), position=(0, 0, 9))\n"
        "    return world\n"
    )
    path = tmp_path / "run.odr"
    assert ask(capsys, "run", script, "--steps", 20, "--record", path, "--every", 5)[0] == 0
    assert od.Recording(path).times == pytest.approx([0, 0.05, 0.10, 0.15, 0.20])
    script.write_text("if __name__ == '__main__':\n    print('a program')\n")
    err = refused(capsys, "run", script, "--record", tmp_path / "other.odr")
    assert "let the script record itself, by od.Recorder" in err
    assert not (tmp_path / "other.odr").exists()


def test_recordings_are_not_overwritten_by_accident(capsys, pit):
    before = pit.read_bytes()
    assert "--overwrite" in refused(capsys, "demo", "falling_ball", "--steps", 2, "--record", pit)
    assert pit.read_bytes() == before
    assert ask(capsys, "demo", "falling_ball", "--steps", 2, "--record", pit, "--overwrite")[0] == 0
    assert od.Recording(pit).bodies == ("ball",)


def test_recording_refuses(capsys, tmp_path, pit):
    ball = ("demo", "falling_ball", "--steps", 2)
    assert "ends with .odr" in refused(capsys, *ball, "--record", tmp_path / "run.mp4")
    assert "cannot be written" in refused(capsys, *ball, "--record", tmp_path / "missing" / "run.odr")
    assert "add --record" in refused(capsys, *ball, "--with", "contacts")
    assert "add --record" in refused(capsys, *ball, "--overwrite")
    for command in ("demo", "run"):
        assert "is a recording, which cannot be simulated" in refused(capsys, command, pit)
    assert "a recording, has no settings" in refused(capsys, "demo", pit, "--set", "a=1")
    recorded = ROOT / "tests" / "data" / "trajectories" / "hinge_chain.json.gz"
    assert "leave out" in refused(capsys, "run", recorded, "--record", tmp_path / "run.odr")


def test_other_files_named_so(capsys, tmp_path):
    path = tmp_path / "foreign.odr"
    assert "does not exist" in refused(capsys, "info", path)
    path.write_bytes(b"PK a zip file")
    for command in (("info", path), ("export", path, "x.csv"), ("plot", path)):
        assert "is not a recording of opendynamics" in refused(capsys, *command)


def test_info_of_a_recording(capsys, pit):
    status, out, _ = ask(capsys, "info", pit)
    assert status == 0 and "31, from 0 to 0.3 s" in out and "energies, velocities, contacts" in out
    found = json.loads(ask(capsys, "info", pit, "--json")[1])
    assert (found["frames"], found["bodies"], found["geoms"], found["closed"]) == (31, 5, 10, True)
    assert found["position_tolerance"] == 1e-5 and 0.9e-4 < found["orientation_tolerance"] <= 1e-4
    assert found["bytes"] == pit.stat().st_size


def test_a_file_that_was_cut_off_is_told_in_a_line(pit):
    pit.write_bytes(pit.read_bytes()[:-5])
    command = [sys.executable, "-m", "opendynamics", "info", pit]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 0 and "not closed" in done.stdout
    assert done.stderr.startswith(f"opendynamics: {pit} was not closed") and done.stderr.count("\n") == 1


@pytest.mark.filterwarnings("ignore::opendynamics.RecordingWarning")
def test_a_recording_that_has_no_frames_yet_shows_nothing(capsys, tmp_path):
    path = tmp_path / "young.odr"
    with od.Recorder(od.World(), path) as recorder:
        recorder._writer._queue.join()  # the header is in the file
        for command in (("view", "--no-open"), ("render", "--png", tmp_path / "a.png"), ("plot",)):
            err = refused(capsys, command[0], path, *command[1:])
            assert f"{path} has no frames to look at" in err
    assert list(tmp_path.iterdir()) == [path]


def test_a_recording_is_a_scene(pit):
    """For commands that show scenes."""
    with opened(str(pit)) as source:
        scene, recording = source.scene, source.scene.recording
        assert source.name == "pit" and scene.steps == 30
        assert scene.h == pytest.approx(0.01) and scene.seconds == pytest.approx(0.3)
        seen = [scene.world.positions.tolist() for _ in scene.play()]
        assert seen == recording.positions[1:].tolist()
        assert list(scene.play(5)) == [1, 2, 3, 4, 5]
        assert scene.run().positions.tolist() == seen[-1] and scene.run(3).positions.tolist() == seen[2]
        original = build("pit", bodies=5)
        assert (scene.camera, scene.target, scene.note) == (original.camera, original.target, original.note)


def test_a_recording_is_looked_at_from_outside(tmp_path):
    """If it does not say from where."""
    scene = build("pit")
    with od.Recorder(scene.world, tmp_path / "pit.odr"):
        scene.run(10)
    with opened(str(tmp_path / "pit.odr")) as source:
        scene, recording = source.scene, source.scene.recording
        away = np.linalg.norm(recording.positions[0] - scene.target, axis=1).max()
        assert np.linalg.norm(np.subtract(scene.camera, scene.target)) > away > 0


def test_export(capsys, pit, tmp_path):
    files = [tmp_path / name for name in ("pit.csv", "pit.NPZ", "pit.glb")]
    status, out, _ = ask(capsys, "export", pit, *files)
    assert status == 0 and out.count("MB") == 3
    assert len(files[0].read_text().splitlines()) == 1 + 31 * 5
    with np.load(files[1]) as arrays:
        assert arrays["positions"].shape == (31, 5, 3)
    assert files[2].read_bytes()[:4] == b"glTF"
    assert ask(capsys, "export", pit, files[0], "--what", "series")[0] == 0
    assert len(files[0].read_text().splitlines()) == 32


def test_export_refuses(capsys, pit, tmp_path):
    assert "use one of: .csv, .glb, .npz" in refused(capsys, "export", pit, tmp_path / "pit.obj")
    assert "--fps is for .glb files" in refused(capsys, "export", pit, tmp_path / "pit.csv", "--fps", 3)
    assert "--what is for .csv files" in refused(capsys, "export", pit, tmp_path / "pit.npz", "--what", "series")
    assert "cannot be written" in refused(capsys, "export", pit, tmp_path / "missing" / "pit.csv")
    with pytest.raises(SystemExit):
        main(["export", str(pit), "a.glb", "--fps", "0"])
    assert "'0' is not a number of frames" in capsys.readouterr().err


def test_interrupted_commands_leave_a_recording(tmp_path):
    path = tmp_path / "run.odr"
    command = [sys.executable, "-m", "opendynamics", "demo", "chain", "--seconds", "100000", "--record", path]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 120
        # Late enough for all kernels to have been loaded: llvmlite complains if that is interrupted.
        while not (path.exists() and path.stat().st_size > 200_000) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()  # otherwise the test would wait for one that goes on
    assert process.returncode == 130 and "interrupted" in err and "Traceback" not in err
    assert f"recorded     {path}, " in out and "simulated" in out and "interrupted" in out
    recording = od.Recording(path)  # no warning: it was closed
    assert recording.closed and len(recording) > 125
    assert np.isfinite(recording[-1].positions).all()


def test_a_recording_that_could_not_be_written_is_not_well(tmp_path):
    path = tmp_path / "run.odr"
    code = (
        "import resource, signal, sys\n"
        "from opendynamics.cli import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))\n"
        "sys.exit(main(['demo', 'chain', '--steps', '400', '--record', sys.argv[1], '--json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    reported = json.loads(done.stdout)
    assert done.returncode == 1 and reported["steps"] == 400
    assert reported["recording"]["file"] == str(path) and reported["recording"]["bytes"] == path.stat().st_size
    assert "ends here, as it could not be written" in done.stderr and done.stderr.count("\n") == 1
