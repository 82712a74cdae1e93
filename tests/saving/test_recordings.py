"""Recordings with snapshots, which can be resumed; recorders whose world is restored."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.io.recording import chunks
from tests.saving.trials import pile


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pile.odr"


def recorded(path, steps=60, **options):
    """The world's hash at each time of a recorded run."""
    world, _ = pile()
    found = {0: world.state_hash()}
    with od.Recorder(world, path, **options):
        for k in range(steps):
            world.advance(0.01)
            found[k + 1] = world.state_hash()
    return found


@pytest.mark.parametrize("every", [1, 3])
def test_a_recording_resumes_at_any_step_bit_for_bit(path, every):
    hashes = recorded(path, snapshots=0.25, every=every)
    with od.Recording(path) as recording:
        assert np.allclose(recording.snapshot_times, [0.0, 0.25, 0.5] if every == 1 else [0.0, 0.27, 0.54])
        for step in (0, 1, 24, 25, 26, 49, 50, 57):
            world = recording.resume(0.01 * step)
            assert world.state_hash() == hashes[step], step
            world.advance(0.01)
            assert world.state_hash() == hashes[step + 1]


def test_a_program_that_was_killed_can_be_resumed(path):
    hashes = recorded(path, steps=40, snapshots=0.1)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 30])
    with pytest.warns(od.RecordingWarning, match="not closed"):
        recording = od.Recording(path)
    with recording:
        assert recording.resume(0.1).state_hash() == hashes[10]


def test_what_advance_did_not_do_is_noticed(path):
    world, bodies = pile()
    with od.Recorder(world, path, snapshots=0.2):
        world.advance(0.01, steps=30)
        bodies[7].position = np.add(bodies[7].position, (1, 0, 0))
        world.advance(0.01, steps=5)
        then = world.state_hash()
        world.advance(0.01, steps=5)
    with od.Recording(path) as recording:
        assert recording.resume(0.3).positions.shape == (8, 3)
        with pytest.raises(ValueError, match=r"since its snapshot at 0\.2 s.*resume\(0\.2\)"):
            recording.resume(0.35)
        end = recording.resume(0.4)
        assert end.state_hash() != then
        for wrong in (-1.0, 9.0):
            with pytest.raises(ValueError, match=r"from 0 s to 0\.4 s"):
                recording.resume(wrong)


def test_recordings_without_snapshots_say_so(path):
    recorded(path, steps=3)
    with od.Recording(path) as recording:
        assert recording.snapshot_times == []
        with pytest.raises(ValueError, match=r"Recorder\(\.\.\., snapshots=1\.0\)"):
            recording.resume(0.0)


def test_snapshots_do_not_disturb_older_readers(path, monkeypatch):
    """A reader that does not know the kinds of chunks passes over them."""
    recorded(path, snapshots=0.1)
    with od.Recording(path) as recording:
        expected = recording.positions
        assert recording.header["format"] == 1
    for kind in ("SNAPSHOT", "STEPS"):
        monkeypatch.setattr(chunks, kind, b"none")
    with od.Recording(path) as recording:
        assert np.array_equal(recording.positions, expected)


def test_a_world_that_cannot_be_carried_is_named_at_once(path):
    world, bodies = pile()
    bodies[0].moved_callback = lambda body: None
    with pytest.raises(TypeError, match="moved callback of piece 0"):
        od.Recorder(world, path, snapshots=1.0)
    assert not world._watchers


def test_a_recorder_notices_that_its_world_was_restored(path):
    world, bodies = pile()
    shape = bodies[1].geoms[0]
    snapshot = world.save()
    with od.Recorder(world, path) as recorder:
        world.advance(0.01, steps=5)
        shape.radius = 0.5
        recorder.capture()
        world.restore(snapshot)
        recorder.capture()
        world.add_body(od.Sphere(1.0))
        bodies[3].destroy()
        world.advance(0.01, steps=5)
        world.restore(snapshot)
        world.advance(0.01, steps=5)
        last = world.positions
    with od.Recording(path) as recording:
        assert len(recording) == 18
        radii = [recording.world(k).bodies[1].geoms[0].radius for k in (5, 6, 7, 17)]
        assert radii == [0.14, 0.5, 0.14, 0.14]
        seen = recording[17].positions
        seen = seen[~np.isnan(seen).any(axis=1)]  # bodies that come back are new to the recording
        assert np.allclose(np.sort(seen, axis=0), np.sort(last, axis=0), atol=1e-5)
        assert [len(recording.world(k).bodies) for k in (7, 9, 17)] == [8, 8, 8]
        assert np.array_equal(recording[7].positions, recording[0].positions, equal_nan=True)
