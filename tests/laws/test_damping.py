"""Damping and speed limits: v_n = v0 (1 - s)ⁿ down to the threshold; positions still move by the undamped velocity."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

H = 0.01


@pytest.mark.parametrize("way", ["step", "advance"])
def test_velocities_fall_geometrically(way):
    world = od.World()
    body = world.add_body(linear_velocity=(2, 0, 0), angular_velocity=(0, 3, 0))
    body.set_damping(0.1, 0.2)
    x = 0.0
    for n in range(1, 20):
        getattr(world, way)(H)
        x += H * 2 * 0.9 ** (n - 1)  # moved first, damped then
        assert body.linear_velocity[0] == pytest.approx(2 * 0.9**n, rel=1e-13)
        assert body.angular_velocity[1] == pytest.approx(3 * 0.8**n, rel=1e-13)
        assert body.position[0] == pytest.approx(x, rel=1e-13)


def test_no_damping_at_or_below_the_threshold():
    world = od.World()
    body = world.add_body(linear_velocity=(1, 0, 0))
    body.linear_damping, body.linear_damping_threshold = 0.5, 0.3
    for expected in (0.5, 0.25, 0.25, 0.25):
        world.step(H)
        assert body.linear_velocity[0] == expected
    body.linear_velocity = (0.3, 0, 0)
    world.step(H)
    assert body.linear_velocity[0] == 0.3


def test_terminal_velocity():
    # v = (v - g h)(1 - s) at rest: v = -g h (1 - s)/s.
    world = od.World(gravity=(0, 0, -10))
    body = world.add_body()
    body.linear_damping = 0.05
    world.advance(H, steps=1000)
    assert body.linear_velocity[2] == pytest.approx(-10 * H * 0.95 / 0.05, rel=1e-12)


def test_angular_speed_is_limited_and_keeps_its_direction():
    world = od.World()
    body = world.add_body(angular_velocity=(3, 0, 4))
    body.max_angular_speed = 2.5
    world.step(H)
    assert body.angular_velocity == pytest.approx([1.5, 0, 2.0], rel=1e-14)
    for _ in range(10):
        body.add_torque((50, 0, 0))
        world.step(H)
        assert np.linalg.norm(body.angular_velocity) <= 2.5 * (1 + 1e-15)


def test_new_bodies_take_the_settings_of_the_world_and_old_ones_keep_theirs():
    world = od.World()
    old = world.add_body(linear_velocity=(1, 0, 0))
    world.set_damping(0.5, 0.25)
    world.max_angular_speed = 7.0
    new = world.add_body(linear_velocity=(1, 0, 0), angular_velocity=(0, 1, 0))
    world.step(H)
    assert old.linear_velocity[0] == 1.0
    assert new.linear_velocity[0] == 0.5
    assert new.angular_velocity[1] == 0.75
    assert (old.max_angular_speed, new.max_angular_speed) == (math.inf, 7.0)
    old.set_damping_defaults()
    world.step(H)
    assert old.linear_velocity[0] == 0.5


def test_damping_defaults_bring_their_thresholds():
    # Of four speeds, 1 and 3 m/s and rad/s, only those above the world's thresholds of 2 and 0.5 are damped.
    world = od.World()
    slow = world.add_body(linear_velocity=(1, 0, 0), angular_velocity=(0, 1, 0))
    fast = world.add_body(linear_velocity=(3, 0, 0), angular_velocity=(0, 0.25, 0))
    world.set_damping(0.5, 0.25)
    world.linear_damping_threshold, world.angular_damping_threshold = 2.0, 0.5
    for body in (slow, fast):
        body.set_damping_defaults()
        assert (body.linear_damping_threshold, body.angular_damping_threshold) == (2.0, 0.5)
    world.step(H)
    assert (slow.linear_velocity[0], slow.angular_velocity[1]) == (1.0, 0.75)
    assert (fast.linear_velocity[0], fast.angular_velocity[1]) == (1.5, 0.25)
    slow.linear_velocity, slow.angular_velocity = (4, 0, 0), (0, 0.5, 0)
    world.step(H)
    assert (slow.linear_velocity[0], slow.angular_velocity[1]) == (2.0, 0.5)


def test_the_moved_callback_sees_the_new_pose_and_the_undamped_velocity():
    world = od.World()
    body = world.add_body(linear_velocity=(1, 0, 0))
    body.linear_damping = 0.5
    seen = []
    body.moved_callback = lambda moved: seen.append((moved, moved.position[0], moved.linear_velocity[0]))
    world.step(H)
    assert seen == [(body, H, 1.0)]
    assert body.linear_velocity[0] == 0.5


def test_a_resting_body_is_not_damped():
    world = od.World()
    body = world.add_body(linear_velocity=(1, 0, 0))
    body.linear_damping = 0.5
    body.enabled = False
    world.step(H)
    assert body.linear_velocity[0] == 1.0
    assert body.position[0] == 0.0
