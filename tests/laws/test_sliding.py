"""Coulomb friction: stop distance v²/(2 μ g), straight paths, stick and slip at tan θ = μ, a = g (sin θ - μ cos θ)."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

G, MU = 10.0, 0.5


def box_on_ground(velocity, mu=MU):
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=mu))
    world.add_plane()
    return world, world.add_body(od.Box((1, 1, 0.2)), position=(0, 0, 0.1), linear_velocity=velocity)


@pytest.mark.parametrize("speed", [2.0, 5.0])
def test_stop_distance(speed):
    # Semi-implicit Euler stops half a step's way short: Σ h (v - μ g h k) = v²/(2 μ g) - v h / 2.
    world, box = box_on_ground((speed, 0, 0))
    h = 0.01
    world.advance(h, steps=round(speed / (MU * G) / h) + 100)
    assert box.position[0] == pytest.approx(speed**2 / (2 * MU * G) - speed * h / 2, rel=1e-5)
    assert box.position[1] == pytest.approx(0.0, abs=1e-9)  # straight
    assert abs(box.linear_velocity).max() < 1e-6
    assert abs(box.quaternion[1:]).max() < 1e-6  # and without turning


def test_deceleration_is_even():
    world, box = box_on_ground((5, 0, 0))
    for n in range(1, 51):
        world.advance(0.01)
        assert box.linear_velocity[0] == pytest.approx(5 - MU * G * 0.01 * n, rel=1e-6)


def test_along_the_diagonal_of_the_pyramid_friction_is_stronger_by_the_root_of_two():
    # Both friction directions give their most: a = √2 μ g, on a straight path.
    world, box = box_on_ground((3, 3, 0))
    world.advance(0.01, steps=20)
    speed = 3 - MU * G * 0.2
    assert box.linear_velocity[:2] == pytest.approx([speed, speed], rel=1e-6)


def slider_on_slope(theta, azimuth, mu=MU):
    """A body without a shape that a contact in its centre holds on a slope; direction 1 is `azimuth` off the slope."""
    world = od.World(gravity=(0, 0, -G))
    body, group = world.add_body(), od.JointGroup()
    normal = np.array([math.sin(theta), 0, math.cos(theta)])
    down = np.array([math.cos(theta), 0, -math.sin(theta)])
    direction = math.cos(azimuth) * down + math.sin(azimuth) * np.cross(normal, down)
    surface = od.Surface(mu=mu, direction1=direction)

    def step(n, h=0.01):
        for _ in range(n):
            world.add_contact(od.Contact(body.position, normal), surface, body, None, group=group)
            world.step(h)
            group.empty()

    return body, down, step


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_sticks_below_and_slips_above_the_angle_of_friction(mu, factor):
    theta = math.atan(mu) * factor
    body, down, step = slider_on_slope(theta, 0.0, mu)
    step(100)
    speed = down @ body.linear_velocity
    if factor < 1:
        assert abs(speed) < 1e-7
    else:
        assert speed == pytest.approx(G * (math.sin(theta) - mu * math.cos(theta)), rel=1e-5)


@pytest.mark.parametrize("azimuth", np.radians([0, 15, 30, 45, 60, 75, 90]).tolist())
def test_the_pyramid_holds_more_between_its_axes(azimuth):
    # The pull has parts cos φ and sin φ along the axes, each held by μ N: μ_eff = μ / max(cos φ, sin φ).
    most = MU / max(math.cos(azimuth), math.sin(azimuth))
    for factor, sticks in ((0.999, True), (1.001, False)):
        body, _, step = slider_on_slope(math.atan(factor * most), azimuth)
        step(20)
        assert (np.linalg.norm(body.linear_velocity) < 1e-7) == sticks


def test_different_friction_along_the_two_directions():
    body, down, _ = slider_on_slope(math.atan(0.7), 0.0)
    world = body.world
    surface = od.Surface(mu=0.2, mu2=2.0, direction1=down)
    normal = np.array([math.sin(math.atan(0.7)), 0, math.cos(math.atan(0.7))])
    world.add_contact(od.Contact(body.position, normal), surface, body, None)
    body.linear_velocity = (0, 1, 0)
    theta, h = math.atan(0.7), 0.01
    world.step(h)
    # Down the slope it slips with μ = 0.2, across it is braked with μ = 2.
    assert down @ body.linear_velocity == pytest.approx(h * G * (math.sin(theta) - 0.2 * math.cos(theta)), rel=1e-6)
    assert body.linear_velocity[1] == pytest.approx(1 - 2.0 * G * math.cos(theta) * h, rel=1e-6)


@pytest.mark.parametrize(("mu", "degrees"), [(0.5, 26.0), (0.5, 35.0), (0.2, 12.0), (1.0, 44.0)])
def test_box_on_an_inclined_plane(mu, degrees):
    theta = math.radians(degrees)
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=mu))
    normal = np.array([math.sin(theta), 0, math.cos(theta)])
    world.add_plane(normal=normal)
    turn = od.rotation.from_axis_angle((0, 1, 0), theta)
    # A nanometre into the plane, so that all four corners touch from the beginning.
    box = world.add_body(od.Box((1, 1, 0.1)), position=(0.05 - 1e-9) * normal, rotation=turn)
    world.advance(0.01, steps=100)
    a = max(0.0, G * (math.sin(theta) - mu * math.cos(theta)))
    speed = turn[:, 0] @ box.linear_velocity
    assert speed == pytest.approx(a * 1.0, rel=1e-4, abs=1e-6)
    assert abs(normal @ box.linear_velocity) < 1e-6
    assert abs(box.linear_velocity[1]) < 1e-8


def test_box_friction_is_a_force_whatever_the_weight():
    # friction_model="box": at most 2 N along each direction; a body of 4 kg pulled by 10 N gains (10 - 2)/4 m/s².
    world = od.World(gravity=(0, 0, -G))
    body = world.add_body(mass=4)
    world.add_contact(od.Contact(), od.Surface(mu=2.0, friction_model="box"), body, None)
    body.add_force((10, 0, 0))
    world.step(0.01)
    assert body.linear_velocity[0] == pytest.approx(0.02, rel=1e-6)


def test_unlimited_friction_never_slides():
    # Pushed with 4 times its weight, 0.1 m above the ground; it would tip at 5 times.
    world, box = box_on_ground((0, 0, 0), mu=math.inf)
    for _ in range(50):
        box.add_force((4 * G * box.mass, 0, 0))
        world.advance(0.01)
    assert abs(box.linear_velocity).max() < 1e-4
    assert box.position[:2] == pytest.approx([0, 0], abs=1e-4)


def carried(surface, push=0.0, steps=50):
    """Speeds along x, after each step, of a body of 1 kg that a contact in its centre holds on level ground."""
    world, group, speeds = od.World(gravity=(0, 0, -G)), od.JointGroup(), []
    body = world.add_body()
    for _ in range(steps):
        body.add_force((push, 0, 0))
        world.add_contact(od.Contact(body.position), surface, body, None, group=group)
        world.step(0.01)
        group.empty()
        speeds.append(body.linear_velocity[0])
    return speeds


def test_conveyor_belt_carries_along():
    # motion1 is the surface's velocity: friction speeds the body up by μ g until it moves with the belt.
    speeds = carried(od.Surface(mu=MU, motion1=1.5, direction1=(1, 0, 0)))
    assert speeds[:29] == pytest.approx([MU * G * 0.01 * n for n in range(1, 30)], rel=1e-6)
    assert speeds[31:] == pytest.approx([1.5] * 19, rel=1e-6)


def test_slip_is_a_velocity_in_proportion_to_the_force():
    # slip is a CFM: v = slip F. With 10 N and 0.01 m/s per N the body ends up at 0.1 m/s.
    speeds = carried(od.Surface(mu=math.inf, slip1=0.01, direction1=(1, 0, 0)), push=10.0, steps=200)
    assert speeds[-1] == pytest.approx(0.1, rel=1e-6)
