"""The pendulum: T = 4 √(I/(m g l)) K(sin(θ₀/2)), I about the pivot."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

G, LENGTH, MASS, INERTIA = 10.0, 0.8, 2.0, 0.1


def exact_period(amplitude):
    a, b = 1.0, math.cos(0.5 * amplitude)  # K(k) = π / (2 agm(1, √(1 - k²)))
    for _ in range(60):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return 4.0 * math.sqrt((INERTIA + MASS * LENGTH**2) / (MASS * G * LENGTH)) * math.pi / (2.0 * a)


def pendulum(amplitude, joint):
    """A body that swings in the plane x, z, released at `amplitude` from hanging."""
    world = od.World(gravity=(0, 0, -G))
    at = LENGTH * np.array([math.sin(amplitude), 0, -math.cos(amplitude)])
    bob = world.add_body(mass=od.Mass(MASS, INERTIA * np.eye(3)), position=at)
    options = {"axis": (0, 1, 0)} if joint == "hinge" else {}
    getattr(world, f"add_{joint}")(bob, None, anchor=(0, 0, 0), **options)
    return world, bob


def measured_period(amplitude, h, joint="hinge"):
    """Time between two passages through the lowest point in the same direction."""
    world, bob = pendulum(amplitude, joint)
    times, last, n = [], bob.position[0], 0
    while len(times) < 2:
        world.step(h)
        n += 1
        now = bob.position[0]
        if last > 0.0 >= now:
            times.append(h * (n - now / (now - last)))
        last = now
    return times[1] - times[0]


@pytest.mark.parametrize("degrees", [5, 45, 90, 150])
@pytest.mark.parametrize("joint", ["hinge", "ball"])
def test_period(degrees, joint):
    amplitude = math.radians(degrees)
    assert measured_period(amplitude, 1e-3, joint) == pytest.approx(exact_period(amplitude), rel=2e-4)


@pytest.mark.parametrize("degrees", [5, 45])
def test_the_error_of_the_period_is_second_order(degrees):
    # A single step is of first order, but its errors cancel over a swing: semi-implicit Euler is symplectic.
    amplitude = math.radians(degrees)
    errors = [measured_period(amplitude, h) - exact_period(amplitude) for h in (4e-3, 2e-3)]
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.3)


def test_a_light_bob_on_a_ball_joint_keeps_its_length():
    world, bob = pendulum(1.0, "ball")
    for _ in range(500):
        world.step(0.002)
        assert np.linalg.norm(bob.point_to_world(bob.vector_from_world((0, 0, 0)))) < LENGTH * 1.001
    joint = bob.joints[0]
    assert np.linalg.norm(joint.anchor - joint.anchor2) < 1e-4


def test_the_swing_stays_in_its_plane_and_never_rises():
    world, bob = pendulum(1.2, "hinge")
    top = world.kinetic_energy + world.potential_energy
    for _ in range(1000):
        world.step(1e-3)
    assert abs(bob.position[1]) < 1e-12
    assert world.kinetic_energy + world.potential_energy <= top + 1e-3 * abs(top)


def test_hinge_angle_and_rate_tell_the_swing():
    world, bob = pendulum(0.7, "hinge")
    hinge = bob.joints[0]
    for _ in range(300):
        world.step(1e-3)
    # The angle counts from where the hinge was made; about +y, from z to x, it grows as the bob swings to -x.
    theta = math.atan2(bob.position[0], -bob.position[2])
    assert hinge.angle == pytest.approx(0.7 - theta, abs=1e-3)
    assert hinge.rate == pytest.approx(bob.angular_velocity[1], rel=1e-9)
