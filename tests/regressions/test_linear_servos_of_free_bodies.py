"""A linear servo between bodies that no slider guides, a spring along an axis of body1, drove them for ever: 1.4 J became 130 kJ.

Its force acted halfway between the centres, as a slider's motor does, which is no gradient of the position where bodies turn.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

AXIS = np.array([0.3, 0.5, 0.8]) / np.linalg.norm([0.3, 0.5, 0.8])
STIFFNESS, TARGET = 30.0, 0.3


def spring(attached, damping):
    world = od.World(solver="exact")
    world.integrator = "verlet"
    box = world.add_body(od.Box((0.6, 0.4, 0.3)), position=(0.1, 0.2, 0.3), mass=1.3, angular_velocity=(1, 0.5, -0.7))
    other = None
    if attached == "body":
        other = world.add_body(od.Box((0.3, 0.5, 0.8)), position=(1, -0.1, 0.5), mass=0.7)
        other.angular_velocity = (-0.4, 0.8, 0.3)
    ends = (None, box) if attached == "reversed" else (box, other)
    servo = od.Servo(world, *ends, axis=AXIS, stiffness=STIFFNESS, damping=damping, target=TARGET, linear=True)
    return world, servo


@pytest.mark.parametrize("damping", [0.0, 1.0])
@pytest.mark.parametrize("attached", ["world", "reversed", "body"])
def test_a_spring_along_an_axis_gains_no_energy(attached, damping):
    world, servo = spring(attached, damping)
    start = world.kinetic_energy + 0.5 * STIFFNESS * (servo.coordinate - TARGET) ** 2
    for _ in range(400):
        world.advance(0.001, steps=10)
        energy = world.kinetic_energy + 0.5 * STIFFNESS * (servo.coordinate - TARGET) ** 2
        assert energy < 1.001 * start


def test_the_work_of_its_force_is_that_of_its_coordinate():
    """The power that it gives the bodies is its force times the rate of the position."""
    world, servo = spring("body", 0.0)
    before, place = world.kinetic_energy, servo.coordinate
    world.advance(1e-5)
    moved = servo.coordinate - place
    assert world.kinetic_energy - before == pytest.approx(servo.torque * moved, rel=1e-3)
