"""The roles of tables are true: with random scratch before a step and empty caches, no bit changes."""

from __future__ import annotations

import numpy as np
import pytest

from opendynamics.core.arrays.table import DECLARED, Role
from opendynamics.scenes import SCENES

STEPS = 14
SOLVERS = {
    "auto": ("auto", "blocks"),
    "soft": ("soft", "blocks"),
    "exact": ("exact", "blocks"),
    "blocks": ("pgs", "blocks"),
    "ode": ("pgs", "ode"),
}


def run(name, solver, disturb):
    scene = SCENES[name].build()
    world = scene.world
    world.solver, world.quickstep_order = SOLVERS[solver]
    hashes = []
    for _ in range(STEPS):
        if disturb is not None:
            disturb(world)
        world.advance(scene.h)
        hashes.append(world.state_hash())
    return hashes


def scramble(world):
    """Random bytes, NaN among them, in all scratch; nothing in all caches."""
    store = world._store
    random = np.random.default_rng(STEPS)
    for table in DECLARED:
        memory = store[table].view(np.uint8)
        if table.role is Role.SCRATCH:
            memory[:] = random.integers(0, 256, len(memory), np.uint8)
            store.tables[table.used_at] = 0
        elif table.role is Role.CACHE:
            memory[:] = 0
            store.tables[table.used_at] = 0
    world._orders_stale = world.space._order_stale = True


@pytest.mark.parametrize(
    ("name", "solver"),
    [
        ("walker", "exact"),
        ("wall", "auto"),
        ("ragdolls", "soft"),
        ("ragdolls", "exact"),
        ("terrain", "blocks"),
        ("wall", "ode"),
        ("car", "blocks"),
        ("bridge", "ode"),
    ],
)
def test_scratch_and_caches_carry_nothing_from_step_to_step(name, solver):
    assert run(name, solver, scramble) == run(name, solver, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES.names)
@pytest.mark.parametrize("solver", SOLVERS)
def test_scratch_and_caches_carry_nothing_in_any_scene(name, solver):
    assert run(name, solver, scramble) == run(name, solver, None)


def test_every_table_that_is_saved_is_part_of_the_hash():
    """A world's hash changes with any field of any saved table that is not derived."""
    scene = SCENES["car"].build()
    world = scene.world
    world.solver = "pgs"
    world.advance(scene.h, 5)
    before = world.state_hash()
    store = world._store
    seen = set()
    for table in DECLARED:
        if table.role not in (Role.STATE, Role.CONVERGENCE) or not store.used(table):
            continue
        for field in table.dtype.names or ():
            rows = store[table][: store.used(table)][-1:]  # the last row: the first body row is the static world
            kept = rows.copy()
            memory = rows[field].reshape(-1).view(np.uint8)
            memory ^= 1
            changed = world.state_hash() != before
            rows[:] = kept
            assert changed == (field not in table.derived) or (
                table.name == "geoms" and field in ("position", "rotation")
            )
            seen.add(table.name)
    assert {"motions", "poses", "joints", "geoms", "contact_forces"} <= seen
    assert world.state_hash() == before
