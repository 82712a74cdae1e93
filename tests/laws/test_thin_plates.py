"""Thin plates as continuous bodies lose energy, turn about the corners that touch, and come to rest."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.validation import thin_plates


@pytest.mark.parametrize(
    ("solver", "order"), [("exact", "blocks"), ("pgs", "blocks"), ("pgs", "ode"), ("soft", "blocks")]
)
@pytest.mark.parametrize("thickness", [1e-4, 1e-3, 1e-2])
def test_plates_lose_energy_and_rest(solver, order, thickness):
    for tilt in ((0.3, 0.2), (1.2, 0.4), (1.5, 0.01)):
        largest, rest = thin_plates.drop(thickness, tilt, solver=solver, quickstep_order=order)
        assert largest <= 1.0
        assert rest < 1.5


@pytest.mark.parametrize("ground", ["box", "mesh"])
def test_on_other_ground(ground):
    corners = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    shape = od.Box((2, 2, 1), position=(0, 0, -0.5)) if ground == "box" else od.Trimesh(corners, [(0, 1, 2), (0, 2, 3)])
    largest, rest = thin_plates.drop(1e-3, (0.8, -0.5), shape)
    assert largest <= 1.0
    assert rest < 2.0


def test_a_plate_tips_over_about_the_edge_that_touches_as_fast_as_without():
    """A plate of 1 mm that leans on its edge falls over like one that is not swept: nothing holds it up."""

    def time_to_fall(continuous):
        world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=10.0))
        world.add_plane()
        plate = world.add_body(
            od.Box((0.4, 0.3, 1e-3)), position=(0, 0, 0.2 * np.sin(1.2)), quaternion=(np.cos(0.6), 0, np.sin(0.6), 0)
        )
        plate.continuous, plate.finite_rotation_mode = continuous, True
        for k in range(1000):
            world.advance(1e-3)
            if plate.position[2] < 0.05:
                return k * 1e-3
        return np.inf

    assert time_to_fall(True) == pytest.approx(time_to_fall(False), rel=0.05)


@pytest.mark.slow
def test_validation():
    assert all(row.reached for row in thin_plates.measure())
