"""First guess of contact forces: weights handed down from body to body, in a stack that is put up at once."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

H, G, SIDE = 0.01, 9.81, 0.2


def pyramid(courses, *, tilt=0.0, height=0.0):
    """Cubes on a plane, `height` above it, solved by the soft step; all is turned by `tilt` about x."""
    turn = np.asarray(od.rotation.from_axis_angle((1, 0, 0), tilt))
    world = od.World(gravity=turn @ (0, 0, -G), solver="soft")
    world.soft_substeps = 4
    world.add_plane(normal=turn @ (0.0, 0.0, 1.0))
    for row in range(courses):
        for k in range(courses - row):
            body = world.add_body(od.Box((SIDE, SIDE, SIDE)), mass=1.0)
            body.position = turn @ (1.02 * SIDE * (k - 0.5 * (courses - 1 - row)), 0, height + SIDE * (0.5 + row))
            body.rotation = turn
    return world, turn


def fastest_fall(world, turn):
    """How fast any body falls after the first step, relative to free fall."""
    world.advance(H)
    return -(world.linear_velocities @ turn)[:, 2].min() / (G * H)


@pytest.mark.parametrize("tilt", [0.0, 2.0])
def test_a_tall_stack_is_carried_from_its_first_step(tilt):
    """Without a guess, the upper courses fall freely in it."""
    assert fastest_fall(*pyramid(18, tilt=tilt)) < 0.7
    assert fastest_fall(*pyramid(14, tilt=tilt)) > 0.85  # not tall: there is no guess


def test_a_tall_stack_takes_more_sub_steps_unless_the_world_says_how_many():
    creeps = {}
    for substeps, iterations in (("auto", 2 * 12), (4, 2 * 4)):
        world, _ = pyramid(26)
        world.soft_substeps = substeps
        world.advance(H, steps=100)
        start = world.positions
        world.advance(H, steps=200)
        assert world.statistics.iterations == iterations
        creeps[substeps] = np.linalg.norm(world.positions - start, axis=1).max()
    assert creeps["auto"] < 0.5 * creeps[4]


def test_what_nothing_supports_falls():
    world, turn = pyramid(18, height=10.0)
    assert fastest_fall(world, turn) == pytest.approx(1.0, abs=1e-6)
    assert np.abs(world.angular_velocities).max() < 1e-6
