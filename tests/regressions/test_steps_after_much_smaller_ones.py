"""After a step of a nanosecond the next one threw jointed bodies apart: warm starting took their impacts for lasting forces.

The force that makes the velocities of linked bodies consistent within a step is their impulse over its size. Where the next step
was a hundred times larger, impulses that started from it created energy, and with a million times the bodies exploded.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

import opendynamics as od

H = 0.016


@pytest.mark.parametrize("ratio", [16, 100, 1e6])
@pytest.mark.parametrize("solver", ["soft", "pgs"])
def test_a_larger_step_creates_no_energy(solver, ratio):
    random = np.random.default_rng(0)
    world, before = od.World(solver=solver), None
    world.quickstep_direct = False
    for k in range(10):
        link = world.add_body(od.Box((0.6, 0.3, 0.2)), position=(0.6 * k, 0, 0), mass=1)
        link.linear_velocity, link.angular_velocity = random.uniform(-2, 2, 3), random.uniform(-5, 5, 3)
        if before is not None:
            world.add_ball(link, before, anchor=(0.6 * k - 0.3, 0, 0))
        before = link
    world.advance(H / ratio)
    start = world.kinetic_energy
    for _ in range(20):
        world.advance(H)
        assert world.kinetic_energy < 1.01 * start


def lowest_top(small):
    """How low the top of a stack gets within a second, if a small step comes first."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    world.add_plane(normal=(0, 0, 1))
    boxes = [world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * k), density=1000) for k in range(10)]
    if small:
        world.advance(small)
    lowest = np.inf
    for _ in range(60):
        world.advance(1 / 60)
        lowest = min(lowest, boxes[-1].position[2])
    return lowest


def test_a_stack_sinks_no_further_after_a_small_step():
    assert lowest_top(1e-6) == pytest.approx(lowest_top(None), abs=5e-4)


@pytest.mark.parametrize("solver", ["soft", "pgs"])
def test_copies_know_the_size_of_the_last_step(solver):
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    world.quickstep_direct = False
    world.add_plane(normal=(0, 0, 1))
    for k in range(3):
        world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * k), density=1000)
    world.advance(0.001, steps=5)
    other = copy.deepcopy(world)
    for each in (world, other):
        each.advance(0.016, steps=3)
    assert world.state_hash() == other.state_hash()
    assert np.array_equal(world.positions, other.positions)
