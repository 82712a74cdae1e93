"""Phases of wheels that turn by more than half a turn in a step slipped, with Verlet and where steps differ in size.

A wheel was expected to have turned by the velocity times the size of the step that begins, not of the one that has ended; and
with Verlet, which reads phases off twice in a step, by twice as much as it had.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

H = 0.01


def wheels(speed):
    """Two wheels with radii of 1 m that mesh."""
    world = od.World(solver="exact")
    bodies = [world.add_body(position=(2 * k, 0, 0), mass=od.Mass(1.0, np.diag([1.0, 1.0, 2.0]))) for k in range(2)]
    for k, body in enumerate(bodies):
        world.add_hinge(body, None, anchor=body.position, axis=(0, 0, 1))
        body.angular_velocity = (0, 0, speed if k == 0 else -speed)
    gears = world.add_transmission(*bodies, axis=(0, 0, 1), anchor1=(0, 0, 0), anchor2=(2, 0, 0), ratio=1.0)
    return world, gears


@pytest.mark.parametrize("backlash", [0.0, 0.01])
@pytest.mark.parametrize("speed", [3.0, 1000.0, 2000.0])
def test_phases_of_verlet_are_followed(speed, backlash):
    world, gears = wheels(speed)
    world.integrator, gears.backlash = "verlet", backlash
    world.advance(H, steps=20)
    assert gears.angle1 == pytest.approx(-20 * H * speed, rel=1e-9)
    assert gears.angle2 == pytest.approx(20 * H * speed, rel=1e-9)


def test_phases_of_a_chain_without_hard_rows_are_followed():
    """Wheels whose only row has a bound: no joint is projected."""
    world = od.World(solver="exact")
    world.integrator = "verlet"
    bodies = [world.add_body(position=(2 * k, 0, 0), mass=od.Mass(1.0, np.diag([1.0, 1.0, 2.0]))) for k in range(2)]
    for k, body in enumerate(bodies):
        body.angular_velocity = (0, 0, 1000.0 if k == 0 else -1000.0)
    gears = world.add_transmission(*bodies, axis=(0, 0, 1), anchor1=(0, 0, 0), anchor2=(2, 0, 0), ratio=1.0)
    gears.backlash = 0.01
    world.advance(H, steps=20)
    assert gears.angle2 == pytest.approx(20 * H * 1000.0, rel=1e-9)


@pytest.mark.parametrize("solver", ["exact", "soft"])
def test_phases_are_followed_through_steps_of_any_size(solver):
    world, gears = wheels(1000.0)
    world.solver = solver
    for _ in range(10):
        world.advance(0.01)
        world.advance(0.002)
    world.advance(0.005)
    assert gears.angle1 == pytest.approx(-0.12 * 1000.0, rel=1e-6)
    assert gears.angle2 == pytest.approx(0.12 * 1000.0, rel=1e-6)
