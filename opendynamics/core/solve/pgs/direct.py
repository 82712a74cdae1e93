"""Islands nearly at rest, solved directly, so that stacks neither creep nor sway.

Gauss-Seidel passes forces on from contact to contact: of a tower's n boxes the modes that sway converge by a factor of
1 - O(1/n⁴) an iteration, so that no number of iterations holds it, and what remains is motion. At rest the forces are those
of the last step, and so are the contacts that stick: one sparse factorisation in the space of bodies, which costs about
as much as ten iterations, then solves for all forces at once (subspace minimisation: Silcowitz-Hansen, Niebe, Erleben,
Projected Gauss-Seidel subspace minimization method for interactive rigid body dynamics, 2010; here by `refine`, with
friction bounds that follow the normal forces).

An island is solved so if

    its kinetic energy is below what NEAR_REST steps of free fall give it,
    a factorisation takes no more multiplications than AFFORDABLE for each row and iteration,
    and the cached forces have a residual below NEAR, which is asked before anything is prepared for it. If not, a box LCP is
    solved first, by pivoting or the interior point method, if there is credit: what comes to rest needs that for some steps,
    what moves on must not pay for it in each, and large islands, where it takes much longer than iterations, must not at all.

All others are iterated, and so are those whose box LCP leads to no solution with bounds that follow, from its forces: limbs that
slip and roll on many contacts have none that pivoting finds, and such an attempt costs more credit. Credit changes after all
islands are solved, so that results do not depend on threads.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve._body_space.coupled import POOR, solve_coupled, solve_nearly
from opendynamics.core.solve._body_space.island import plan_bodies
from opendynamics.core.solve._body_space.workspace import use_integers
from opendynamics.core.solve.pgs.iterations import FAILED, FROM_CACHE, WITHOUT_GUESS, price
from opendynamics.core.solve.pgs.near_rest import has_residual_below, is_near_rest
from opendynamics.core.solve.pgs.parameters import PARAMETERS

# Result of the entry if the island is to be iterated.
DECLINED = 2

# Multiplications of a factorisation for each row and iteration; residual of cached
# forces that are nearly right, and how many factorisations they get; and how often those of a box LCP are
# iterated and refined.
AFFORDABLE = 60
NEAR, ROUNDS = 1e-3, 6
TURNS = 1


@kernel
def may_be_solved(tables, island):
    """Whether it is worth a call of `solve`. Writes to the floats."""
    if island.pairs > 0 or not is_near_rest(tables, island):
        return False
    return PARAMETERS.rows(tables)[0].credit >= price(island) or has_residual_below(tables, island, NEAR)


@entry(SOLVE)
def solve(tables, index):
    """Find one island's forces from those in FORCES. 1: done, 0: no memory, DECLINED: not solved here; FORCES may have
    changed.
    """
    island = ISLANDS.rows(tables)[index]
    has_room, blocks, pattern_size = plan_bodies(tables, island)
    if not has_room:
        return 0
    if _work(tables, island) > AFFORDABLE * island.rows * PARAMETERS.rows(tables)[0].iterations:
        return DECLINED
    plan = (blocks, pattern_size)
    warm = _has_forces(tables, island)
    if warm and solve_nearly(tables, island, plan, ROUNDS, NEAR):
        island.direct = FROM_CACHE
        return 1
    if PARAMETERS.rows(tables)[0].credit < price(island):
        return DECLINED
    solve_coupled(tables, island, plan, warm, TURNS, 0)
    island.direct = WITHOUT_GUESS if island.residual <= POOR else FAILED
    return 1 if island.direct == WITHOUT_GUESS else DECLINED


@kernel
def _has_forces(tables, island):
    largest = 0.0
    for r in range(island.first_row, island.first_row + island.rows):
        largest = max(largest, abs(FORCES.rows(tables)[r]))
    return largest > 0.0


@kernel
def _work(tables, island):
    """Multiplications of a factorisation, from the blocks of its columns."""
    column = use_integers(tables, island).column
    total = 0
    for k in range(island.bodies):
        blocks = column[k + 1] - column[k] + 1
        total += 108 * blocks * blocks
    return total
