"""First guess of contact forces: weights passed on from body to body, in a newly created stack."""

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
def test_a_stack_is_carried_from_its_first_step(tilt):
    """Without a guess, the upper courses fall freely in it."""
    assert fastest_fall(*pyramid(18, tilt=tilt)) < 0.7
    assert fastest_fall(*pyramid(14, tilt=tilt)) < 0.7


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


def test_contacts_at_one_place_but_for_rounding_share_a_weight():
    """A pressure that changes from one to the other was negative at both, and the forces not finite."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        world = od.World(gravity=(0, 0, -G), solver="soft")
        below, top = (world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5 + k), mass=1.0) for k in range(2))
        for body, other, height in ((below, None, 0.0), (top, below, 1.0)):
            x, y = rng.uniform(-0.4, 0.4, 2)
            for place in ((x, y), (x, y) + 1e-9 * rng.normal(size=2)):
                found = od.Contact((*place, height), (0, 0, 1), 0.0, None, None)
                world.add_contact(found, body1=body, body2=other, surface=od.Surface(mu=0.5))
        world.step(H, solver="soft")
        assert not world.faults
        assert np.abs(world.linear_velocities).max() < 1.1 * G * H
