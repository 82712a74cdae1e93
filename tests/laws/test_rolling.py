"""Rolling spheres, I = 2/5 m r²."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

G, R = 10.0, 0.5


def ball_on_ground(surface, **state):
    world = od.World(gravity=(0, 0, -G), surface=surface)
    world.add_plane()
    return world, world.add_body(od.Sphere(R), position=(0, 0, R), **state)


def test_sliding_becomes_rolling():
    # Friction μ g slows the ball and spins it up until t = 2 v0/(7 μ g), v = 5 v0/7; m v r + I w stays the same.
    mu, v0 = 0.3, 4.2
    world, ball = ball_on_ground(od.Surface(mu=mu), linear_velocity=(v0, 0, 0))
    h, t = 1e-3, 2 * v0 / (7 * mu * G)  # 0.4 s
    world.advance(h, steps=300)
    assert ball.linear_velocity[0] == pytest.approx(v0 - mu * G * 0.3, rel=1e-5)
    assert ball.angular_velocity[1] == pytest.approx(2.5 * mu * G * 0.3 / R, rel=1e-5)
    world.advance(h, steps=round(t / h) - 300 + 50)
    assert ball.linear_velocity[0] == pytest.approx(5 * v0 / 7, rel=1e-5)
    assert ball.angular_velocity[1] * R == pytest.approx(5 * v0 / 7, rel=1e-5)
    # And this continues.
    world.advance(h, steps=500)
    assert ball.linear_velocity[0] == pytest.approx(5 * v0 / 7, rel=1e-5)
    assert ball.position[1] == pytest.approx(0.0, abs=1e-9)


def test_backspin_brings_the_ball_back():
    # m v r + I w = 0.4 m r² w0 + m v0 r; with w0 = -4 v0/r it rolls at v = 5/7 (v0 + 0.4 r w0) = -3/7 v0.
    v0 = 2.1
    world, ball = ball_on_ground(od.Surface(mu=0.5), linear_velocity=(v0, 0, 0), angular_velocity=(0, -4 * v0 / R, 0))
    world.advance(1e-3, steps=2500)
    assert ball.linear_velocity[0] == pytest.approx(-3 / 7 * v0, rel=1e-4)


@pytest.mark.parametrize(("mu", "degrees"), [(0.5, 20.0), (0.5, 59.0), (0.5, 62.0), (0.1, 25.0), (math.inf, 60.0)])
def test_down_a_slope(mu, degrees):
    # a = 5/7 g sin θ as long as tan θ <= 7 μ/2, else g (sin θ - μ cos θ): 60.3 degrees for μ = 0.5.
    theta = math.radians(degrees)
    normal = np.array([math.sin(theta), 0, math.cos(theta)])
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=mu))
    world.add_plane(normal=normal)
    ball = world.add_body(od.Sphere(R), position=R * normal)
    world.advance(0.01, steps=100)
    rolls = math.tan(theta) <= 3.5 * mu
    a = 5 / 7 * G * math.sin(theta) if rolls else G * (math.sin(theta) - mu * math.cos(theta))
    down = np.array([math.cos(theta), 0, -math.sin(theta)])
    assert down @ ball.linear_velocity == pytest.approx(a, rel=1e-5)
    if rolls:
        assert ball.angular_velocity[1] * R == pytest.approx(a, rel=1e-5)


def test_rolling_resistance_slows_a_ball():
    # The torque ρ N opposes the spin: a = -(5/7) (ρ/R) g.
    rho, v0 = 0.01, 1.0
    surface = od.Surface(mu=1.0, rolling=rho)
    world, ball = ball_on_ground(surface, linear_velocity=(v0, 0, 0), angular_velocity=(0, v0 / R, 0))
    world.advance(0.01, steps=200)
    assert ball.linear_velocity[0] == pytest.approx(v0 - 5 / 7 * rho / R * G * 2.0, rel=1e-4)
    world.advance(0.01, steps=800)
    assert abs(ball.linear_velocity[0]) < 1e-6  # and stops it for good
    assert abs(ball.angular_velocity).max() < 1e-6


@pytest.mark.parametrize(("degrees", "rests"), [(1.0, True), (1.3, False)])
def test_rolling_resistance_holds_a_ball_on_a_gentle_slope(degrees, rests):
    # At rest iff tan θ <= ρ/R = 0.02: 1.146 degrees.
    theta = math.radians(degrees)
    normal = np.array([math.sin(theta), 0, math.cos(theta)])
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=1.0, rolling=0.01))
    world.add_plane(normal=normal)
    ball = world.add_body(od.Sphere(R), position=R * normal)
    world.advance(0.01, steps=100)
    assert (np.linalg.norm(ball.linear_velocity) < 1e-6) == rests


def test_spinning_friction_alone_stops_a_spin():
    # Only about the normal: the torque ρ N = 0.02 m g; w falls by ρ g/(0.4 R²) each second.
    world, ball = ball_on_ground(od.Surface(mu=1.0, spinning=0.02), angular_velocity=(0, 0, 5))
    world.advance(0.01, steps=100)
    assert ball.angular_velocity[2] == pytest.approx(5 - 0.02 * G / (0.4 * R * R), rel=1e-5)
    world.advance(0.01, steps=200)
    assert abs(ball.angular_velocity[2]) < 1e-6


def test_without_friction_nothing_starts_to_roll():
    world, ball = ball_on_ground(od.Surface(mu=0), linear_velocity=(1, 0, 0))
    world.advance(0.01, steps=100)
    assert ball.linear_velocity[0] == 1.0
    assert ball.angular_velocity.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "follows", [(True, False, False), (False, True, False), (False, False, True), (True, True, False)]
)
def test_each_rolling_friction_follows_the_normal_force_or_does_not(follows):
    # Torques of ρ N, or of ρ N m whatever the weight is: about the first direction, the second, and the normal. The ball
    # slips freely, so that w falls by torque/(0.4 m R²) each second.
    mass, rho, h = 3.0, (0.01, 0.02, 0.03), 0.01
    surface = od.Surface(
        mu=0.0,
        direction1=(1, 0, 0),
        rolling=rho[0],
        rolling2=rho[1],
        spinning=rho[2],
        friction_model=tuple("pyramid" if one else "box" for one in follows),
    )
    world = od.World(gravity=(0, 0, -G))
    ball = world.add_body(od.Sphere(R), position=(0, 0, R), mass=mass, angular_velocity=(5, 6, 7))
    contacts = od.JointGroup()
    for _ in range(20):
        contact = od.Contact((0, 0, 0), (0, 0, 1), 0.0, None, None)
        world.add_contact(contact, surface=surface, body1=ball, group=contacts)
        world.step(h)
        contacts.empty()
    torque = [part * (mass * G if one else 1.0) for part, one in zip(rho, follows, strict=True)]
    lost = np.array(torque) / (0.4 * mass * R * R) * 20 * h
    assert ball.angular_velocity == pytest.approx(np.array([5, 6, 7]) - lost, rel=1e-6)
