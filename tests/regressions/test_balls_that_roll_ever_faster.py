"""Verlet's contacts lagged half a step behind the bodies' centres, so that their normal forces turned whatever moved along them.

A rolling ball gained speed without bounds, at the rate g h / (2 r (1 + 2/5)), and a ball without friction began to spin.
"""

import numpy as np
import pytest

import opendynamics as od

G, R = 9.81, 0.1


def world_with_floor(**surface):
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(**surface))
    world.integrator = "verlet"
    world.add_plane()
    return world


@pytest.mark.parametrize("solver", ["auto", "exact", "pgs"])
@pytest.mark.parametrize("h", [0.01, 0.001])
def test_a_rolling_ball_keeps_its_speed(solver, h):
    world = world_with_floor(mu=1.0)
    world.solver = solver
    ball = world.add_body(od.Sphere(R), position=(0, 0, R), mass=2.0)
    ball.linear_velocity, ball.angular_velocity = (1.0, 0.5, 0), (-0.5 / R, 1.0 / R, 0)
    world.advance(h, steps=round(1.0 / h))
    assert ball.linear_velocity == pytest.approx((1.0, 0.5, 0), abs=1e-9)
    assert ball.position == pytest.approx((1.0, 0.5, R), abs=1e-9)


def test_rolling_friction_slows_it_down_as_theory_says():
    world = world_with_floor(mu=1.0, rolling=0.01)
    ball = world.add_body(od.Sphere(R), position=(0, 0, R), mass=2.0)
    ball.linear_velocity, ball.angular_velocity = (1.0, 0, 0), (0, 1.0 / R, 0)
    world.advance(0.002, steps=250)
    assert ball.linear_velocity[0] == pytest.approx(1.0 - 0.01 * G / (1.4 * R) * 0.5, rel=1e-9)


def test_a_ball_without_friction_does_not_begin_to_spin():
    world = world_with_floor(mu=0.0)
    ball = world.add_body(od.Sphere(R), position=(0, 0, R), mass=2.0, linear_velocity=(3.0, 0, 0))
    world.advance(0.01, steps=50)
    assert np.abs(ball.angular_velocity).max() < 1e-9


def test_a_ball_in_odes_loop_keeps_its_speed():
    world = world_with_floor(mu=1.0)
    ball = world.add_body(od.Sphere(R), position=(0, 0, R), mass=2.0)
    ball.linear_velocity, ball.angular_velocity = (1.0, 0, 0), (0, 1.0 / R, 0)
    group = od.JointGroup()
    for _ in range(100):
        world.add_contacts(world.space.contacts(), od.Surface(mu=1.0), group=group)
        world.step(0.01)
        group.empty()
    assert ball.linear_velocity[0] == pytest.approx(1.0, abs=1e-9)
