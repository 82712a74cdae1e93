"""Coulomb's law: friction is bounded by the normal force of the same moment, in the exact step and in iterations."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.peers.solids import arch, card_house, creep, ladder, moved, pyramid, seconds, tower
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.rows import FORCES, ROWS
from tests.inverse_inertias import inverse_inertias
from tests.unit.scenes import pile

SOLVERS = ("exact", "pgs", "soft")
COUPLED = {"friction_bounds": "coupled"}


def slip(mu, wall_mu, **settings):
    """m, by which a ladder at 50 degrees moves in a second."""
    world = ladder(50.0, mu, wall_mu)[0].world(**(COUPLED | settings))
    start = world.positions.copy()
    seconds(world, 0.01, 1.0)
    return moved(world, start)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("rough", [False, True])
def test_a_ladder_stands_and_slips_as_statics_says(rough, solver):
    critical = ladder(50.0, 0.5, 0.5 if rough else 0.0)[1]
    assert slip(1.01 * critical, 1.01 * critical if rough else 0.0, solver=solver) < 1e-3
    assert slip(0.99 * critical, 0.99 * critical if rough else 0.0, solver=solver) > 1e-2


@pytest.mark.parametrize("seed", [0, 4, 5])
def test_a_house_of_cards_in_three_levels_stands(seed):
    """4 and 5 fell while edges on faces had one contact or none in some steps, and gaps of 1e-7 m no friction."""
    world = card_house(3, seed).world(solver="exact", speculative_margin=0.002, **COUPLED)
    start = world.positions.copy()
    for _ in range(4):
        seconds(world, 0.01, 0.5)
        assert world.statistics.residual < 1e-2
    assert moved(world, start) < 1.5e-3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_house_of_cards_in_three_levels_stands_for_a_minute(seed):
    world = card_house(3, seed).world(solver="exact", speculative_margin=0.002, **COUPLED)
    start = world.positions.copy()
    seconds(world, 0.01, 60.0)
    assert moved(world, start) < 5e-3


def test_with_frozen_bounds_a_ladder_slips_at_coefficients_that_would_hold_it():
    assert slip(0.55, 0.0, friction_bounds="frozen") > 0.1
    assert slip(0.55, 0.0) < 1e-3


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
def test_both_cones_follow_the_same_normal_forces(cone):
    """Both friction cones; only one of the two rows of each contact slides."""
    scene, critical = ladder(50.0, 0.0, 0.0)
    for mu, holds in ((1.01 * critical, True), (0.99 * critical, False)):
        world = scene.world(**COUPLED)
        world.surfaces["plane 0"] = od.Surface(mu=mu, cone=cone)
        start = world.positions.copy()
        seconds(world, 0.01, 1.0)
        assert (moved(world, start) < 1e-3) == holds


STACKS = {
    "tower": tower(10),
    "heavy": tower(6, top=100.0),
    "pyramid": pyramid(8),
    "arch": arch(11),
}


@pytest.mark.parametrize("scene", STACKS.values(), ids=STACKS)
def test_stacks_do_not_creep_in_the_iterative_solver(scene):
    assert creep(scene, 4.0, solver="pgs") < 1e-3
    assert creep(scene, 1.0, solver="pgs", quickstep_direct=False) > 1e-3


def test_a_house_of_cards_stands_in_the_iterative_solver():
    world = card_house(3, 0).world(solver="pgs", speculative_margin=0.002, **COUPLED)
    start = world.positions.copy()
    seconds(world, 0.01, 2.0)
    assert moved(world, start) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    "scene", [*STACKS.values(), pyramid(20), arch(21)], ids=[*STACKS, "large pyramid", "large arch"]
)
def test_stacks_do_not_creep_for_a_minute(scene):
    assert creep(scene, 60.0, solver="pgs") < 1e-3


def natural_residual(world, inverses):
    """The largest of any island, by dense matrices: jumps of forces within the present bounds, relative to the largest force."""
    store, worst = world._store, 0.0
    for island in store[ISLANDS][: store.used(ISLANDS)]:
        span = slice(int(island["first_row"]), int(island["first_row"] + island["rows"]))
        rows, forces = store[ROWS][span], store[FORCES][span]
        first = int(island["first_body"])
        bodies = store[ISLAND_BODIES][first : first + int(island["bodies"])]
        jacobian = np.zeros((len(rows), 6 * len(bodies)))
        inverse = np.zeros((6 * len(bodies),) * 2)
        for k, body in enumerate(bodies):
            inverse[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = store[MOTIONS]["inverse_mass"][body] * np.eye(3)
            inverse[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inverses[body]
        for i, row in enumerate(rows):
            for slot, j in ((row["slot0"], row["j0"]), (row["slot1"], row["j1"])):
                if slot >= 0:
                    jacobian[i, 6 * slot : 6 * slot + 6] += j
        matrix = jacobian @ inverse @ jacobian.T + np.diag(rows["cfm"])
        lo, hi = rows["lo"].copy(), rows["hi"].copy()
        follows = rows["normal"] >= 0
        hi[follows] *= np.maximum(forces[rows["normal"][follows]], 0.0)
        lo[follows] = -hi[follows]
        goal = np.clip(forces + (rows["rhs"] - matrix @ forces) / np.diag(matrix), lo, hi)
        if len(rows) and abs(forces).max() > 0.0:
            worst = max(worst, abs(goal - forces).max() / abs(forces).max())
    return worst


@pytest.mark.parametrize(
    "settings",
    [
        {"solver": "exact"},
        {"solver": "pgs"},
        {"solver": "pgs", "quickstep_direct": False},
        {"solver": "pgs", "quickstep_order": "ode"},
    ],
    ids=["exact", "pgs", "blocks", "ode"],
)
def test_the_residual_is_that_of_the_natural_map(settings):
    """`statistics` agrees with dense matrices."""
    world = pile(seed=3)
    one_solution = {"stabilization": "baumgarte", "restitution": "newton"}
    for name, value in (COUPLED | settings | one_solution).items():
        setattr(world, name, value)
    world.advance(0.01, steps=60)
    for _ in range(20):
        inverses = inverse_inertias(world)
        world.advance(0.01)
        reported, true = world.statistics.residual, natural_residual(world, inverses)
        assert true <= 2.0 * reported + 1e-7
        assert reported <= 2.0 * true + 1e-7
