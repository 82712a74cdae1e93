"""Tops without torque. ODE's gyroscopic term is implicit, (I - h [L]x) w' = L, or I w' = L + h L x w'. So

* energy never grows: 2 E' = w'·I w' = w'·L <= sqrt(2 E') sqrt(2 E);
* |L| never shrinks: what is added stands at right angles to L;

and both errors vanish with the step size, to first order.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od


def top(inertia, spin):
    world = od.World(like="ode")
    return world, world.add_body(mass=od.Mass(1, inertia), angular_velocity=spin)


def body_spin(body):
    return body.vector_from_world(body.angular_velocity)


def momentum(body):
    return body.rotation @ body.inertia @ body_spin(body)


def time_between_flips(spin):
    """Time between changes of sign of w₂ for I = (1, 2, 3), L² < 2 E I₂: 2 K(m)/λ. The first comes after half of it."""
    i1, i2, i3 = 1.0, 2.0, 3.0
    twice_energy = i1 * spin[0] ** 2 + i2 * spin[1] ** 2 + i3 * spin[2] ** 2
    square = (i1 * spin[0]) ** 2 + (i2 * spin[1]) ** 2 + (i3 * spin[2]) ** 2
    rate = math.sqrt((i1 - i2) * (square - twice_energy * i3) / (i1 * i2 * i3))
    m = (i2 - i3) * (twice_energy * i1 - square) / ((i1 - i2) * (square - twice_energy * i3))
    a, b = 1.0, math.sqrt(1.0 - m)  # K(m) = π / (2 agm(1, √(1 - m)))
    for _ in range(60):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return math.pi / a / rate


def test_asymmetric_top_flips_when_it_should():
    # Balanced about its middle axis but for 1e-3 rad/s: w₂ changes its sign every 6.86134 s, first after 3.43067 s.
    spin = (1e-3, 5, 0)
    flip = 0.5 * time_between_flips(spin)
    assert flip == pytest.approx(3.43067, abs=1e-5)
    world, body = top((1, 2, 3), spin)
    h, t = 1e-3, 0.0
    energy, amount = body.kinetic_energy, np.linalg.norm(momentum(body))
    while body_spin(body)[1] > 0.0 and t < 8.0:
        world.advance(h, steps=5)
        t += 5 * h
        new_energy, new_amount = body.kinetic_energy, np.linalg.norm(momentum(body))
        assert new_energy <= energy * (1 + 1e-14)
        assert new_amount >= amount * (1 - 1e-14)
        energy, amount = new_energy, new_amount
    assert t == pytest.approx(flip, rel=0.01)


@pytest.mark.parametrize(("i", "j"), [(0, 1), (0, 2), (1, 2)])
def test_a_tensor_of_equal_moments_and_one_product_is_no_ball(i, j):
    """A body turns the same way whether its frame's axes are the principal ones or not."""
    tensor = 2.0 * np.eye(3)
    tensor[i, j] = tensor[j, i] = 0.5
    moments, axes = np.linalg.eigh(tensor)
    axes = axes * np.linalg.det(axes)
    spin = np.array((1.0, -2.0, 3.0))
    world, body = top(tensor, spin)
    principal = world.add_body(mass=od.Mass(1, moments), angular_velocity=spin, position=(5, 0, 0))
    principal.rotation = axes
    for each in (body, principal):
        each.add_torque((0.3, 0.2, -0.1))
    world.advance(0.01, steps=200)
    assert np.linalg.norm(body.angular_velocity - spin) > 0.1
    np.testing.assert_allclose(body.angular_velocity, principal.angular_velocity, atol=1e-9)
    np.testing.assert_allclose(body.rotation @ axes, principal.rotation, atol=1e-9)


def test_the_time_of_the_flip_is_first_order():
    # Further off balance, where the energy that the implicit term loses on the way does not matter most.
    spin = (1.0, 5, 0)
    exact, errors = 0.5 * time_between_flips(spin), []
    for h in (1e-3, 5e-4):
        world, body = top((1, 2, 3), spin)
        now, last, n = 5.0, 5.0, 0
        while now > 0.0:
            world.advance(h)
            now, last, n = body_spin(body)[1], now, n + 1
        errors.append(h * (n - now / (now - last)) - exact)
    assert abs(errors[1]) < 0.02 * exact
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.3)


def test_errors_of_the_implicit_term_are_first_order():
    # I = (1, 2, 3) turning about an axis that is not a principal one, for 1 s.
    losses, turns = [], []
    for steps in (1000, 2000):
        world, body = top((1, 2, 3), (1, 1, 1))
        energy, start = body.kinetic_energy, momentum(body)
        world.advance(1 / steps, steps=steps)
        losses.append(energy - body.kinetic_energy)
        turns.append(np.linalg.norm(momentum(body) - start))
    assert losses[0] > 0.0
    assert losses[0] / losses[1] == pytest.approx(2.0, abs=0.1)
    assert turns[0] / turns[1] == pytest.approx(2.0, abs=0.1)
    assert turns[1] < 5e-3


def test_symmetric_top_precesses():
    # In the body, w's part across the axis turns at ω₃ (I₃ - I₁)/I₁ = 4 (3 - 2)/2 = 2 rad/s.
    world, body = top((2, 2, 3), (0.1, 0, 4))
    world.advance(1e-4, steps=5000)
    x, y, z = body_spin(body)
    assert math.atan2(y, x) == pytest.approx(1.0, abs=1e-3)
    assert math.hypot(x, y) == pytest.approx(0.1, rel=1e-3)
    assert z == pytest.approx(4.0, rel=1e-5)


def test_flat_and_long_tops_precess_to_opposite_sides():
    angles = []
    for third in (1, 3):  # ω₃ (I₃ - I₁)/I₁ = ±2
        world, body = top((2, 2, third), (0.1, 0, 4))
        world.advance(1e-3, steps=100)
        x, y, _ = body_spin(body)
        angles.append(math.atan2(y, x))
    assert angles == pytest.approx([-0.2, 0.2], abs=2e-3)


def test_without_gyroscopic_torque_the_spin_stays():
    world, body = top((1, 2, 3), (1, 2, 3))
    body.gyroscopic_mode = False
    world.advance(0.01, steps=100)
    assert body.angular_velocity.tolist() == [1, 2, 3]


def test_a_spin_about_a_principal_axis_stays():
    world, body = top((1, 2, 3), (0, 0, 5))
    world.advance(0.01, steps=1000)
    assert body.angular_velocity == pytest.approx([0, 0, 5], abs=1e-12)


def test_heavy_top_precesses_slowly():
    # A wheel with its axle level, held at one end: Ω = m g l / (I₃ ω) = 1 * 10 * 0.5 / (0.5 * 100) = 0.1 rad/s.
    world = od.World(gravity=(0, 0, -10))
    wheel = world.add_body(mass=od.Mass(1, (0.5, 0.25, 0.25)), position=(0.5, 0, 0), angular_velocity=(100, 0, 0))
    world.add_ball(wheel, anchor=(0, 0, 0))
    # Started with the precession it is to have, or it would nod about it.
    wheel.angular_velocity = (100, 0, 0.1)
    wheel.linear_velocity = (0, 0.05, 0)
    world.advance(1e-3, steps=2000)
    x, y, z = wheel.position
    assert math.atan2(y, x) == pytest.approx(0.2, rel=0.05)
    assert abs(z) < 0.02
