"""Finding islands woke the bodies that awake ones touch, so that a step that was begun again found islands in another order.

By ODE's rule of sleep, a sleeping body wakes when an awake one touches it. It then was itself a body to begin an island from: the
rows of the same step had another order where memory or a kernel was lacking. Bodies wake when they are moved now.
"""

from __future__ import annotations

import numpy as np

import opendynamics as od
from opendynamics.core.arrays.islands import ISLAND_BODIES

H = 0.01


def test_islands_are_the_same_where_a_step_is_begun_again():
    world = od.World(gravity=(0, 0, -9.81), like="ode")
    bodies = world.add_bodies(od.Sphere(0.5), [(0.99 * k, 0, 0) for k in range(4)], density=1.0)
    bodies[3].enabled = False  # the newest one, where islands begin
    store = world._store
    store.allocate()
    world._load_to_advance()
    world._begin()
    world._collide(H)
    found = []
    for _ in range(2):
        world._constrain(H)
        found.append(store[ISLAND_BODIES][:4].tolist())
    assert found[0] == found[1]
    assert np.unique(found).tolist() == sorted(body._row for body in bodies)
    assert not bodies[3].enabled
    world.advance(H)
    assert bodies[3].enabled
