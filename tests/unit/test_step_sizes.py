"""Step sizes: wrong ones are always rejected, and the time is their sum."""

import math

import numpy as np
import pytest

import opendynamics as od

WRONG = (0.0, -0.01, math.nan, math.inf, "0.01", None, 0, False)


@pytest.mark.parametrize("method", ["step", "quick_step", "advance"])
def test_wrong_ones_are_refused_before_and_after_right_ones(method):
    world = od.World(gravity=(0, 0, -10))
    body = world.add_body(mass=1.0)
    call = getattr(world, method)
    made = 0.0
    for h in (None, 0.01, 0.01, 0.02, 0.01, np.float64(0.01), 1):
        if h is not None:
            call(h)
            made += float(h)
        for wrong in WRONG:
            with pytest.raises((ValueError, TypeError), match="step size"):
                call(wrong)
        assert math.isclose(world.time, made) and math.isclose(body.linear_velocity[2], -10 * made, abs_tol=1e-12)


def test_a_restored_world_begins_with_any_step_size():
    world = od.World(gravity=(0, 0, -10))
    world.add_body(mass=1.0)
    begin = world.save()
    for h in (0.01, 0.02):
        world.step(h)
        world.step(h)
        assert world.time == 2 * h
        world.restore(begin)
        assert world.time == 0.0
        with pytest.raises(ValueError, match="step size"):
            world.step(0.0)


def test_contacts_of_an_advance_are_not_those_of_a_step_before():
    """The rows of the user's contacts come before those that `advance` makes."""
    world = od.World(gravity=(0, 0, -10))
    world.add_plane(normal=(0, 0, 1))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.0999), mass=1.0)
    group = od.JointGroup()
    for _ in range(50):
        world.space.collide(lambda a, b: [world.add_contact(contact, group=group) for contact in od.collide(a, b)])
        world.step(0.01)
        group.empty()
    for _ in range(50):
        world.advance(0.01)
    assert math.isclose(world.contact_force(ball)[2], 10.0, rel_tol=1e-3)
