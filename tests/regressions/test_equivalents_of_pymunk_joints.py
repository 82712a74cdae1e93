"""Porting from pymunk gave the limits of rotary limit joints, and the ratios of gears, the wrong way round."""

import math

import pytest

import opendynamics as od

RATE = 3.0  # rad/s


@pytest.mark.parametrize("ratio", [0.5, 2.0])
@pytest.mark.parametrize("chain", [True, False])
def test_gear_joint(ratio, chain):
    """pymunk's: the rate of a is `ratio` times that of b."""
    world = od.World()
    a, b = world.add_bodies(od.Cylinder(0.1, 0.05), [(0, 0, 0), (0.5, 0, 0)], mass=1)
    drive = world.add_hinge(a, None, axis=(0, 0, 1))
    driven = world.add_hinge(b, None, axis=(0, 0, 1))
    gear = {"mode": "chain", "radius1": 1, "radius2": ratio} if chain else {"ratio": 1 / ratio}
    world.add_transmission(a, b, axis=(0, 0, 1), **gear)
    drive.motor(RATE)
    world.advance(0.005, steps=200)
    assert driven.rate == pytest.approx(RATE / ratio if chain else -RATE / ratio, rel=1e-3)


def test_rotary_limit_joint():
    """pymunk's limits are of the angle of b relative to a."""
    low, high = -0.2, 0.6
    world = od.World()
    a, b = world.add_bodies(od.Box((1, 0.1, 0.1)), [(0, 0, 0), (0, 0, 1)], mass=1)
    a.kinematic = True
    hinge = world.add_hinge(a, b, axis=(0, 0, 1), stops=(-high, -low))
    for _ in range(200):
        b.add_torque((0, 0, 0.1))
        world.advance(0.01)
    assert hinge.angle == pytest.approx(-high, abs=1e-3)
    assert b.quaternion[3] == pytest.approx(math.sin(high / 2), abs=1e-3)
