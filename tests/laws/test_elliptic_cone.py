"""Friction in an elliptic cone: isotropic, without creep, and with maximum dissipation if mu and mu2 differ."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

G, MU, H = 10.0, 0.5, 0.01
START = (0, 0, 0.05 - 1e-9)
AZIMUTHS = np.radians([0, 10, 22.5, 45, 61, 90, 135, 200, 300]).tolist()


def surface(mu=MU, **others):
    return od.Surface(mu=mu, cone="elliptic", **others)


def tilted(theta, azimuth, mu=MU):
    """A box on a plane, and gravity that pulls it towards `azimuth` as on a slope of angle `theta`; no softness at all.

    It begins a nanometre in the plane, so that all four corners touch, and stays there.
    """
    pull = G * math.sin(theta)
    gravity = (pull * math.cos(azimuth), pull * math.sin(azimuth), -G * math.cos(theta))
    world = od.World(gravity=gravity, surface=surface(mu))
    world.cfm = world.erp = 0.0
    world.add_plane()
    return world, world.add_body(od.Box((1, 0.8, 0.1)), position=START, mass=3)


@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_holds_without_creep_inside_the_cone(azimuth):
    world, box = tilted(math.atan(0.98 * MU), azimuth)
    world.advance(H, steps=100)
    assert abs(box.linear_velocity).max() <= 1e-12 * G * H
    assert abs(box.angular_velocity).max() <= 1e-12 * G * H
    assert abs(box.position - START).max() <= 1e-12
    assert world.statistics.residual <= 1e-12


@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_slips_outside_the_cone_alike_in_every_direction(azimuth):
    theta = math.atan(1.02 * MU)
    world, box = tilted(theta, azimuth)
    world.advance(H, steps=50)
    a = G * (math.sin(theta) - MU * math.cos(theta))
    expected = a * 0.5 * np.array([math.cos(azimuth), math.sin(azimuth), 0])
    assert box.linear_velocity == pytest.approx(expected, abs=1e-8 * a)


@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_stops_after_the_same_straight_way_in_every_direction(azimuth):
    # Half a step short of v²/(2 μ g), see test_sliding.
    speed, direction = 3.0, np.array([math.cos(azimuth), math.sin(azimuth), 0])
    world, box = tilted(0.0, 0.0)
    box.linear_velocity = speed * direction
    for n in range(1, 101):
        world.advance(H)
        left = max(0.0, speed - MU * G * H * n)
        assert box.linear_velocity == pytest.approx(left * direction, abs=1e-9)
    way = speed**2 / (2 * MU * G) - speed * H / 2
    assert box.position[:2] == pytest.approx(way * direction[:2], abs=1e-9)


def point_mass(velocity, mass=2.0):
    """A body that can only slide, and a function that steps it on a contact in its centre."""
    world, group = od.World(gravity=(0, 0, -G)), od.JointGroup()
    world.cfm = 0.0
    body = world.add_body(mass=mass, linear_velocity=velocity)

    def step(of, push=(0, 0, 0)):
        body.add_force(push)
        joint = world.add_contact(od.Contact(body.position), of, body, None, group=group)
        world.step(H)
        force = joint.feedback.force1.copy()
        group.empty()
        return force

    return body, step


@pytest.mark.parametrize("mu2", [0.05, 0.2, 0.8, 3.0])
@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_of_all_forces_in_the_ellipse_friction_takes_the_most_power(mu2, azimuth):
    # max of -F·v over (F1/mu)² + (F2/mu2)² <= N²:  F = -N E² v / |E v|, E = diag(mu, mu2).
    mass = 2.0
    body, step = point_mass((4 * math.cos(azimuth), 4 * math.sin(azimuth), 0), mass)
    for _ in range(5):
        force = step(surface(MU, mu2=mu2, direction1=(1, 0, 0)))
        v, normal = body.linear_velocity[:2], mass * G
        scale = np.array([MU, mu2])
        assert force[2] == pytest.approx(normal, rel=1e-12)
        assert force[:2] == pytest.approx(-normal * scale**2 * v / np.linalg.norm(scale * v), abs=1e-10 * normal)


@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_the_edge_of_the_ellipse_is_where_holding_ends(azimuth):
    mass, mu2 = 2.0, 0.2
    direction = np.array([math.cos(azimuth), math.sin(azimuth), 0])
    most = mass * G / np.linalg.norm(direction[:2] / (MU, mu2))
    for factor in (0.999, 1.001):
        body, step = point_mass((0, 0, 0), mass)
        step(surface(MU, mu2=mu2, direction1=(1, 0, 0)), factor * most * direction)
        speed = np.linalg.norm(body.linear_velocity)
        assert speed <= 1e-14 if factor < 1 else speed > 1e-5


def test_a_friction_force_without_a_normal_force_is_a_circle_too():
    # friction_model="box": at most 4 N in any direction; 3 kg at 2 m/s lose 4/3 m/s each second.
    body, step = point_mass((1.2, 1.6, 0), mass=3.0)
    for _ in range(20):
        step(surface(4.0, friction_model="box"))
    assert body.linear_velocity[:2] == pytest.approx((2 - 4 / 3 * 0.2) * np.array([0.6, 0.8]), abs=1e-10)


def test_a_belt_carries_in_the_direction_of_the_slip():
    # The velocity relative to the belt, (-1.5, 2, 0) at first, is decisive: it shrinks along a straight line.
    body, step = point_mass((0, 2, 0))
    belt = np.array([1.5, 0])
    for n in range(1, 60):
        step(surface(motion1=1.5, direction1=(1, 0, 0)))
        slip = np.array([-1.5, 2]) * max(0.0, 1 - MU * G * H * n / 2.5)
        assert body.linear_velocity[:2] - belt == pytest.approx(slip, abs=1e-10)


@pytest.mark.parametrize("slips", [(0.01, 0.01), (0.01, 0.002), (0.0, 0.3)])
def test_slip_is_a_velocity_in_proportion_to_the_force_inside_the_cone(slips):
    push = np.array([3.0, 4.0, 0.0])
    body, step = point_mass((0, 0, 0), mass=1.0)
    given = surface(2.0, slip1=slips[0], slip2=slips[1], direction1=(1, 0, 0))
    for _ in range(2000):
        force = step(given, push)
    assert force[:2] == pytest.approx(-push[:2], rel=1e-3)
    assert body.linear_velocity[:2] == pytest.approx(np.array(slips) * -force[:2], abs=1e-10)


@pytest.mark.parametrize("slips", [(0.01, 0.01), (0.3, 0.0), (1e-5, 2.0)])
def test_slip_beyond_the_cone(slips):
    # The force is the one in the disc that is nearest, in the matrix 1/m + slip/h, to the force that the rows want.
    mass, push = 1.0, np.array([30.0, 40.0, 0.0])
    body, step = point_mass((0.3, -0.1, 0), mass)
    before = body.linear_velocity[:2].copy()
    force = step(surface(slip1=slips[0], slip2=slips[1], direction1=(1, 0, 0)), push)[:2]
    radius, own = MU * mass * G, 1 / mass + np.array(slips) / H
    wanted = -(before / H + push[:2] / mass)
    angles = np.linspace(0, 2 * math.pi, 20001)
    for _ in range(6):  # finer and finer about the best
        ring = radius * np.array([np.cos(angles), np.sin(angles)])
        best = angles[np.argmin((0.5 * own[:, None] * ring**2 - wanted[:, None] * ring).sum(axis=0))]
        angles = best + (angles - best) * 1e-2
    assert force == pytest.approx(radius * np.array([math.cos(best), math.sin(best)]), abs=1e-6 * radius)


@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_a_sliding_ball_begins_to_roll_alike_in_every_direction(azimuth):
    # After t = 2 v/(7 μ g) it rolls with 5/7 of its speed; rolling friction would slow it, so there is none here.
    direction, speed = np.array([math.cos(azimuth), math.sin(azimuth), 0]), 3.5
    world = od.World(gravity=(0, 0, -G), surface=surface())
    world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.5), linear_velocity=speed * direction)
    h = 0.001
    world.advance(h, steps=190)
    assert ball.linear_velocity == pytest.approx((speed - MU * G * 0.19) * direction, abs=1e-7)
    world.advance(h, steps=60)
    assert ball.linear_velocity == pytest.approx(5 / 7 * speed * direction, abs=1e-6)


@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_rolling_friction_beside_the_cone(azimuth):
    # a = -(5/7) (ρ/R) g where ρ follows the normal force; the directions of rolling are a pyramid still.
    direction, rho, radius = np.array([math.cos(azimuth), math.sin(azimuth), 0]), 0.02, 0.5
    along = surface(1.0, rolling=rho, direction1=direction)
    body = od.World(gravity=(0, 0, -G)).add_body(od.Sphere(radius), position=(0, 0, radius), mass=2)
    body.linear_velocity, group = 2 * direction, od.JointGroup()
    body.angular_velocity = np.cross((0, 0, 1), 2 * direction) / radius
    for _ in range(50):
        body.world.add_contact(od.Contact(body.position - (0, 0, radius)), along, body, None, group=group)
        body.world.step(H)
        group.empty()
    assert body.linear_velocity == pytest.approx((2 - 5 / 7 * rho / radius * G * 0.5) * direction, abs=1e-6)


@pytest.mark.parametrize("azimuth", AZIMUTHS)
def test_bounce_beside_the_cone(azimuth):
    # Friction's bound follows the impulse of the first stage: a glancing ball loses μ (1 + e) v_n, and returns e v_n.
    direction, e, v_n, radius = np.array([math.cos(azimuth), math.sin(azimuth), 0]), 0.6, 1.0, 0.5
    world = od.World(gravity=(0, 0, 0), surface=surface(0.1, bounce=e))
    world.cfm = 0.0
    world.add_plane()
    ball = world.add_body(
        od.Sphere(radius), position=(0, 0, radius - 1e-9), linear_velocity=5 * direction - (0, 0, v_n)
    )
    world.advance(H)
    assert ball.linear_velocity == pytest.approx((5 - 0.1 * (1 + e) * v_n) * direction + (0, 0, e * v_n), abs=1e-7)


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("mu2", [0.2, 0.5, 0.8])
def test_forces_of_an_ellipse_balance_what_pulls_along_either_direction(mu2, solver):
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5, mu2=mu2, cone="elliptic"), solver=solver)
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 0.1)), position=(0, 0, 0.05), mass=2.0)
    for pull in ((1.5, 0, 0), (0, 1.5, 0), (1, -1, 0)):
        for _ in range(30):
            box.add_force(pull)
            world.advance(0.01)
        assert world.contact_force(box) == pytest.approx(np.array((0, 0, 20)) - pull, abs=0.02)
