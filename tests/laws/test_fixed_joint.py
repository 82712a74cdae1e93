"""Bodies connected by a fixed joint move as one rigid body."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od


def dumbbell(tied):
    """Two bodies of 1 kg, 2 m apart, I = 0.5 each: tied by a joint, or as one body of I = (1, 1 + 2, 1 + 2)."""
    world = od.World()
    if not tied:
        return world, [world.add_body(mass=od.Mass(2, (1, 3, 3)))], None
    bodies = [world.add_body(mass=od.Mass(1, (0.5, 0.5, 0.5)), position=(x, 0, 0)) for x in (1, -1)]
    return world, bodies, world.add_fixed(*bodies)


def test_a_force_moves_both_as_one():
    # F along y on the first: v = F h/2 of the centre, w = F · 1 m · h/3 about z.
    world, (a, b), _ = dumbbell(tied=True)
    a.add_force((0, 6, 0))
    world.step(0.01)
    assert a.angular_velocity == pytest.approx([0, 0, 0.02], abs=1e-9)
    assert b.angular_velocity == pytest.approx([0, 0, 0.02], abs=1e-9)
    assert a.linear_velocity == pytest.approx([0, 0.03 + 0.02, 0], abs=1e-9)
    assert b.linear_velocity == pytest.approx([0, 0.03 - 0.02, 0], abs=1e-9)


def test_a_torque_turns_both_as_one():
    world, (a, b), _ = dumbbell(tied=True)
    b.add_torque((2, 0, 0))
    world.step(0.01)
    for body in (a, b):
        assert body.angular_velocity == pytest.approx([0.02, 0, 0], abs=1e-9)
        assert body.linear_velocity == pytest.approx([0, 0, 0], abs=1e-9)


def test_the_pair_flies_as_the_one_body_does():
    # Spinning about its own axis: the joint carries the centripetal force m w² r, to first order in h.
    h, w = 1e-3, 2.0
    world, bodies, joint = dumbbell(tied=True)
    single, (one,), _ = dumbbell(tied=False)
    for body, y in ((bodies[0], w), (bodies[1], -w)):
        body.linear_velocity, body.angular_velocity = (0, y, 0), (0, 0, w)
    one.angular_velocity = (0, 0, w)
    for _ in range(1000):
        world.step(h)
        single.step(h)
    end = one.point_to_world((1, 0, 0))
    assert bodies[0].position == pytest.approx(end, abs=5e-3)
    assert bodies[1].position == pytest.approx(-end, abs=5e-3)
    assert bodies[0].rotation == pytest.approx(one.rotation, abs=5e-3)
    assert np.linalg.norm(joint.feedback.force1) == pytest.approx(w * w, rel=0.01)


@pytest.mark.parametrize("held", ["pair", "world"])
def test_its_own_erp_corrects_positions_and_the_worlds_orientations(held):
    world = od.World()
    world.erp = 0.2
    body = world.add_body(mass=od.Mass(1, (0.5, 0.5, 0.5)), position=(1, 0, 0))
    other = world.add_body(kinematic=True) if held == "pair" else None
    world.add_fixed(body, other).erp = 0.5
    body.position = (1, 0, 0.01)
    body.quaternion = od.rotation.quaternion_from_axis_angle((1, 0, 0), 0.01)
    world.step(0.01)
    assert body.position == pytest.approx((1, 0, 0.5 * 0.01), abs=1e-8)
    assert 2.0 * np.arcsin(body.quaternion[1]) == pytest.approx((1 - 0.2) * 0.01, rel=1e-4)


def test_fix_holds_the_bodies_as_they_are_then():
    world, (a, b), joint = dumbbell(tied=True)
    a.position, a.quaternion = (3, 1, 0), od.rotation.quaternion_from_axis_angle((1, 2, 3), 0.7)
    joint.fix()
    poses = world.positions, world.quaternions
    for _ in range(50):
        world.step(0.01)
    assert world.positions == pytest.approx(poses[0], abs=1e-12)
    assert world.quaternions == pytest.approx(poses[1], abs=1e-12)
    assert joint.bodies == (a, b)


def test_what_is_apart_is_pulled_together():
    world, (a, b), _ = dumbbell(tied=True)
    a.position = (1.5, 0.2, 0)
    for _ in range(300):
        world.step(0.01)
    assert a.position - b.position == pytest.approx(a.rotation @ [2, 0, 0], abs=1e-3)
    assert a.quaternion == pytest.approx(b.quaternion, abs=1e-3)


def test_fixed_to_the_world():
    world = od.World(gravity=(0, 0, -10))
    body = world.add_body(position=(1, 2, 3))
    world.add_fixed(None, body)
    for _ in range(100):
        body.add_force((100, 0, 0), at_local=(0, 1, 0))
        world.step(0.01)
    assert body.position == pytest.approx([1, 2, 3], abs=1e-5)
    assert body.quaternion == pytest.approx([1, 0, 0, 0], abs=1e-5)
