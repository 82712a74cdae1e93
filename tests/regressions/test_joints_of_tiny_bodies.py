"""Joints of bodies of a micrometre did not hold in QuickStep's blocks.

A row was taken for redundant if its pivot was small against the largest of the joint: 1/m, against 1/I of rows about an axis,
is as the square of the bodies' size. It is compared with its own diagonal now.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od


def chain(size):
    """Where three links of a pendulum are after half a second, in units of their size."""
    world = od.World(gravity=(0, 0, -9.81 * size), solver="pgs")
    world.quickstep_direct = False
    links = []
    for k in range(3):
        links.append(world.add_body(od.Box((size, 0.2 * size, 0.2 * size)), position=((k + 0.5) * size, 0, 0), mass=1))
        world.add_hinge(links[-1], links[-2] if k else None, anchor=(k * size, 0, 0), axis=(0, 1, 0))
    world.advance(0.01, steps=50)
    return np.array([link.position for link in links]) / size


@pytest.mark.parametrize("size", [1e-6, 1e7])
@pytest.mark.filterwarnings("ignore::opendynamics.UnitsWarning")
def test_a_pendulum_of_any_size_moves_alike(size):
    assert chain(size) == pytest.approx(chain(1.0), abs=1e-9)
