"""A callback that destroyed a body which the step had moved made the watcher of a space like ODE look for its geoms."""

from __future__ import annotations

import pytest

import opendynamics as od


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("with_geoms", [True, False])
def test_a_moved_body_may_be_destroyed_by_a_callback(last, with_geoms):
    world = od.World(gravity=(0, 0, -9.81), like="ode")
    for k in range(3):
        shapes = [od.Sphere(0.1)] if with_geoms or k == 1 else []
        world.add_body(*shapes, mass=1, position=(k, 0, 0))
    space = od.SimpleSpace([od.Sphere(0.1, body=world.bodies[1])], like="ode")
    space.collide(lambda a, b: None)  # from now on the list follows the steps
    world.step(0.01)
    victim = world.bodies[2 if last else 0]
    world.bodies[1].moved_callback = lambda body: victim.destroy() if victim.alive else None
    world.step(0.01)
    world.step(0.01)
    assert victim not in world.bodies and world.bodies[-1].position[2] < 0
