"""Containers for recordings, side by side: each reads what it writes, also from truncated files."""

import numpy as np
import pytest

import opendynamics as od
from benchmarks import containers


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    """Some balls fall for 300 frames."""

    def make():
        world = od.World(gravity=(0, 0, -9.81))
        for k in range(5):
            world.add_body(od.Sphere(0.1), position=(k, 0, 0), mass=1.0)
        return world

    return containers.simulated(make, 299, tmp_path_factory.mktemp("falling") / "falling.odr")


NEEDS = {"Odr": "opendynamics", "Mcap": "mcap", "McapSpans": "mcap", "Zarr": "zarr", "ZippedZarr": "zarr"}


@pytest.mark.parametrize("name", NEEDS)
def test_a_row_of_the_table(name, frames, tmp_path):
    pytest.importorskip(NEEDS[name])
    row = containers.measure(getattr(containers, name)(), frames, tmp_path)
    left = float(row.split("|")[6].rstrip(" %")) / 100
    assert left == 0 if name == "ZippedZarr" else 0.2 < left < 0.9


def test_frames_that_differ_from_the_recording_are_noticed(frames, tmp_path):
    wrong = containers.Frames(frames.positions + np.int32(100), frames.quaternions, frames.times, frames.path)
    with pytest.raises(AssertionError):
        containers.measure(containers.Odr(), wrong, tmp_path)
