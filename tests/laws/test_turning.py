"""How orientations follow spins. Infinitesimal: tan(θ/2) = w h/2 in each step; finite: θ = w h, exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

H = 0.05


def spinner(spin, **settings):
    world = od.World(like="ode")
    body = world.add_body(angular_velocity=spin)
    for name, value in settings.items():
        setattr(body, name, value)
    return world, body


def angle(body):
    return 2 * math.atan2(np.linalg.norm(body.quaternion[1:]), body.quaternion[0])


@pytest.mark.parametrize("w", [1e-6, 0.5, 5.0, 20.0])
def test_infinitesimal_rotation_lags_behind(w):
    world, body = spinner((0, 0, w))
    world.step(H)
    assert angle(body) == pytest.approx(2 * math.atan(0.5 * w * H), rel=1e-12)
    assert body.rotation[0, 0] == pytest.approx(math.cos(angle(body)), abs=1e-12)


@pytest.mark.parametrize("w", [1e-6, 0.5, 5.0, 20.0, 60.0])
def test_finite_rotation_is_exact(w):
    world, body = spinner((0, 0, w), finite_rotation_mode=True)
    world.step(H)
    assert angle(body) == pytest.approx(w * H, rel=1e-12)
    world.advance(H, steps=99)
    turned = math.atan2(body.rotation[1, 0], body.rotation[0, 0])
    assert math.remainder(turned - 100 * w * H, 2 * math.pi) == pytest.approx(0.0, abs=1e-10)


def test_finite_rotation_about_an_axis_is_exact_about_it():
    world, body = spinner((0, 0, 40.0), finite_rotation_mode=True, finite_rotation_axis=(0, 0, 3))
    assert body.finite_rotation_axis.tolist() == [0, 0, 1]
    world.step(H)
    assert angle(body) == pytest.approx(40 * H, rel=1e-12)


def test_finite_rotation_about_an_axis_turns_half_about_the_others():
    # ODE halves its step size before it comes to the rest of the spin: tan(θ/2) = w h/4.
    world, body = spinner((2.0, 0, 0), finite_rotation_mode=True, finite_rotation_axis=(0, 0, 1))
    world.step(H)
    assert angle(body) == pytest.approx(2 * math.atan(0.25 * 2.0 * H), rel=1e-12)


def test_without_the_mode_the_axis_does_nothing():
    world, body = spinner((0, 0, 40.0), finite_rotation_axis=(0, 0, 1))
    world.step(H)
    assert angle(body) == pytest.approx(2 * math.atan(0.5 * 40 * H), rel=1e-12)


def test_orientations_stay_rotations():
    world, body = spinner((30, -20, 10))
    for _ in range(200):
        world.advance(H, steps=10)
        assert np.linalg.norm(body.quaternion) == pytest.approx(1.0, abs=1e-14)
        assert body.rotation @ body.rotation.T == pytest.approx(np.eye(3), abs=1e-13)
        assert body.rotation == pytest.approx(od.rotation.matrix_from_quaternion(body.quaternion), abs=1e-14)
