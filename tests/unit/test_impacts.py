"""Solving an island with impacts leaves the rows unchanged for a repeated attempt, as after a lack of memory or a kernel."""

from __future__ import annotations

import pytest

import opendynamics as od
from opendynamics.core import step as stages
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.rows import CORRECTIONS, FORCES
from opendynamics.core.solve import impacts

H = 0.01


def stack(margin):
    """Boxes that overlap, the upper ones falling; with a margin, the last meets them across a gap."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.5, bounce=0.9, bounce_velocity=0.0))
    world.speculative_margin = margin
    world.add_plane()
    for k in range(3):
        box = world.add_body(
            od.Box((1, 1, 1), position=(0.1 * k, 0, 0.5 + k + 0.1 * (k == 2) - 0.02 * (k + 1))), density=1
        )
        box.linear_velocity = (0, 0, -2.0 * k)
        box.angular_velocity = (0, 3.0 * k, 0)
    return world


@pytest.mark.parametrize("solver", ["exact", "pgs"])
@pytest.mark.parametrize("margin", [0.0, 0.4])
def test_a_second_attempt_finds_what_the_first_found(solver, margin):
    world = stack(margin)
    world.solver = solver
    start = world.save()
    world.advance(H)  # has all kernels and memory at hand
    world.restore(start)
    store = world._store
    store.begin_step("world")
    try:
        assert stages.collide(store.tables, H)
        assert stages.constrain(store.tables, H)
        island = int(store[ISLANDS]["rows"][: store.used(ISLANDS)].argmax())
        rows, results = int(store[ISLANDS]["rows"][island]), []
        for _ in range(2):
            store[ISLANDS]["solutions"] = 0
            assert impacts.solve(store.tables, island)
            results.append((store[FORCES][:rows].tobytes(), store[CORRECTIONS][:3].tobytes()))
            assert store[ISLANDS]["solutions"][island] > 1, "the scene has no impact"
    finally:
        store.end_step()
    assert results[0] == results[1]
