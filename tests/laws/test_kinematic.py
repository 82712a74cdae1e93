"""Kinematic bodies: they move as set, regardless of obstacles, and carry or push dynamic bodies."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od


def test_a_kinematic_body_moves_as_told():
    world = od.World(gravity=(0, 0, -10))
    body = world.add_body(od.Box((1, 1, 1)), kinematic=True, linear_velocity=(1, 0, 0.5), angular_velocity=(0, 0, 2))
    body.add_force((1e6, 0, 0))
    body.add_torque((1e6, 0, 0))
    world.advance(1 / 64, steps=64)
    assert body.position.tolist() == [1, 0, 0.5]
    assert body.linear_velocity.tolist() == [1, 0, 0.5]
    assert body.angular_velocity.tolist() == [0, 0, 2]


def test_its_mass_comes_back_with_it():
    world = od.World()
    body = world.add_body(od.Box((1, 2, 3)), mass=5)
    inertia = body.inertia
    body.kinematic = True
    body.mass = 6  # noted for later
    body.add_force((6, 0, 0))
    world.step(0.5)
    assert not body.linear_velocity.any()
    body.kinematic = False
    body.add_force((6, 0, 0))
    world.step(0.5)
    assert body.mass == 6
    assert body.inertia == pytest.approx(inertia * 6 / 5, rel=1e-12)
    assert body.linear_velocity.tolist() == [0.5, 0, 0]


@pytest.mark.parametrize("way", ["advance", "classic"])
def test_a_pusher_pushes(way):
    world, group = od.World(), od.JointGroup()
    pusher = world.add_body(od.Box((1, 1, 1)), kinematic=True, linear_velocity=(1, 0, 0))
    box = world.add_body(od.Box((1, 1, 1)), mass=1e6, position=(1.2, 0, 0))
    world.surfaces.default = surface = od.Surface(mu=0)

    def near(a, b):
        for contact in od.collide(a, b):
            world.add_contact(contact, surface, group=group)

    for _ in range(100):
        if way == "advance":
            world.advance(0.01)
        else:
            world.space.collide(near)
            world.step(0.01)
            group.empty()
    assert pusher.linear_velocity.tolist() == [1, 0, 0]
    # It left with the speed of the pusher and, once the overlap was corrected, slightly faster.
    assert 1.0 <= box.linear_velocity[0] + 1e-3 < 1.3
    assert box.position[0] - pusher.position[0] > 0.98
    assert abs(box.linear_velocity[1:]).max() < 1e-6


def test_a_lift_carries_its_load():
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=1.0))
    lift = world.add_body(od.Box((2, 2, 0.2)), kinematic=True)
    load = world.add_body(od.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.35))
    lift.linear_velocity = (0.1, 0, 0.5)
    world.advance(0.01, steps=200)
    assert load.linear_velocity == pytest.approx([0.1, 0, 0.5], abs=1e-3)
    assert (load.position - lift.position)[2] == pytest.approx(0.35, abs=5e-3)


def test_a_pusher_wakes_what_rests():
    # The box went to rest on its own. A moving kinematic body has to move it, not to pass through it.
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5))
    world.add_plane()
    world.auto_disable = True
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5))
    world.advance(0.01, steps=50)
    assert not box.enabled
    pusher = world.add_body(
        od.Box((0.5, 1, 0.5)), kinematic=True, position=(-1.0, 0, 0.5), linear_velocity=(1, 0, 0), name="pusher"
    )
    world.advance(0.01, steps=100)
    assert pusher.position[0] == pytest.approx(0.0)
    assert box.position[0] > 0.7
    assert box.position[2] == pytest.approx(0.5, abs=0.01)


def test_a_lift_that_starts_wakes_its_sleeping_load():
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5))
    lift = world.add_body(od.Box((2, 2, 0.2)), kinematic=True)
    load = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.6))
    world.advance(0.01, steps=10)
    load.enabled = False
    lift.linear_velocity = (0, 0, -0.5)
    world.advance(0.01, steps=100)
    assert load.position[2] - lift.position[2] == pytest.approx(0.6, abs=0.02)


def test_joints_to_a_kinematic_body_follow_it():
    # A pendulum on a cart that moves evenly hangs as on the ground, and weighs as much.
    world = od.World(gravity=(0, 0, -10))
    cart = world.add_body(kinematic=True, linear_velocity=(2, 0, 0))
    bob = world.add_body(mass=3, position=(0, 0, -1), linear_velocity=(2, 0, 0))
    joint = world.add_ball(bob, cart, anchor=(0, 0, 0))
    for _ in range(100):
        world.step(0.01)
    assert bob.position == pytest.approx(np.array([2, 0, -1]), abs=1e-6)
    assert joint.feedback.force1 == pytest.approx([0, 0, 30], rel=1e-6, abs=1e-6)


def test_two_kinematic_bodies_and_the_static_world_ignore_each_other():
    world = od.World()
    world.add_plane()
    a = world.add_body(od.Box((1, 1, 1)), kinematic=True, linear_velocity=(1, 0, 0))
    b = world.add_body(od.Box((1, 1, 1)), kinematic=True, linear_velocity=(-1, 0, 0))
    joint = world.add_fixed(a, b)
    world.add_ball(a, None)
    world.advance(0.01, steps=100)
    assert (a.position[0], b.position[0]) == pytest.approx((1, -1))
    assert not joint.feedback.force1.any()
    assert world.statistics.contacts == 0
