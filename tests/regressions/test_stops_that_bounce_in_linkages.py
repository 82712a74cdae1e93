"""Linkages whose stops bounce gained energy without end in the soft step: three links 27,000 times theirs within 2 s.

The velocity of a rebound was that from before the step, and was asked for in each sub-step, also after another stop had been hit.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od


def linkage(links, seed):
    """A chain of hinges with stops that bounce, in motion without gravity."""
    random = np.random.default_rng(seed)
    world, before, v = od.World(solver="soft"), None, np.zeros(3)
    rates = random.uniform(-3, 3, links)
    for k in range(links):
        link = world.add_body(od.Box((1, 0.2, 0.2)), position=(k + 0.5, 0, 0), mass=random.uniform(0.2, 5))
        hinge = world.add_hinge(link, before, anchor=(k, 0, 0), axis=(0, 1, 0), stops=(-0.3, 0.3))
        hinge.limit_motor.bounce, before = 1.0, link
        w = np.array([0, rates[: k + 1].sum(), 0])
        link.angular_velocity, link.linear_velocity = w, v + np.cross(w, (0.5, 0, 0))
        v = v + np.cross(w, (1, 0, 0))
    return world


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("links", [2, 3])
@pytest.mark.parametrize("h", [0.01, 0.002])
def test_stops_create_no_energy(h, links, seed):
    world = linkage(links, seed)
    start = world.kinetic_energy
    for _ in range(round(2 / h)):
        world.advance(h)
        assert world.kinetic_energy < 1.01 * start
