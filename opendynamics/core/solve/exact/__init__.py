"""Exact solver (ODE's dWorldStep): solves the complementarity problem to rounding error.

Chains of joints without bounds have a block tridiagonal matrix (`joints.chain`). Most other islands need only elimination of the
rows without bounds, by `joints.trees` or in an envelope, and a few iterations of block principal pivoting. Where pivoting does
not converge, a parametric active set method solves small islands, and `hard` adds an interior point method for the others;
`large` solves in body space where elimination would be too expensive; `cone.newton` calls the others for islands with elliptic
friction. Entries other than `solve` are loaded when an island first needs them.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import escalate
from opendynamics.core.solve.exact import coupled, hard, large
from opendynamics.core.solve.exact.cone import newton
from opendynamics.core.solve.exact.escalations import CHAIN, CONE, COUPLED, HARD, LARGE
from opendynamics.core.solve.exact.joints import chain
from opendynamics.core.solve.exact.joints.chain import DECLINED
from opendynamics.core.solve.exact.row_space.box_lcp import FIRST_PATIENCE, FIRST_ROUNDS
from opendynamics.core.solve.exact.row_space.elimination import (
    NO_ROOM,
    READY,
    complete,
    eliminate_free_rows,
    elimination_at_hand,
    forget_elimination,
    note_elimination,
    plan,
)
from opendynamics.core.solve.exact.row_space.few_bodies import has_room_for_small, is_small, solve_small
from opendynamics.core.solve.exact.row_space.friction import begin_phases, bounded_part, read_cached_forces
from opendynamics.core.solve.exact.row_space.parametric import trace_and_pivot
from opendynamics.core.solve.exact.row_space.pivoting import pivot
from opendynamics.core.solve.exact.together import solve_together
from opendynamics.core.solve.friction_bounds import follows_normals
from opendynamics.core.solve.islands import SINGLE_BODIES
from opendynamics.core.solve.warm_starting import cache_forces

__all__ = ["ESCALATIONS", "TOGETHER", "cache_forces", "solve", "solve_together"]

TOGETHER = SINGLE_BODIES

# By CONE, HARD, LARGE, COUPLED and CHAIN.
ESCALATIONS = (newton.solve, hard.solve, large.solve, coupled.solve, chain.solve)


@entry(SOLVE)
def solve(tables, island):
    """Compute one island's forces. 1: done, 0: out of memory, or another entry is not loaded."""
    record = ISLANDS.rows(tables)[island]
    if record.pairs > 0:
        return escalate(tables, island, CONE)
    if follows_normals(tables, record):
        return escalate(tables, island, COUPLED)
    if record.bounded_rows == 0:
        outcome = escalate(tables, island, CHAIN)
        if outcome != DECLINED:
            return outcome
    if record.solutions == 0:
        forget_elimination(tables, record)
    small = is_small(record)
    if small:
        if not has_room_for_small(tables):
            return 0
        if record.solutions == 0:
            read_cached_forces(tables, record)
        if solve_small(tables, record):
            return 1
    there, size, blocks = elimination_at_hand(tables, record, island)
    members = 0
    if not there:
        end, size, blocks = plan(tables, record)
        if end != READY:
            return 0 if end == NO_ROOM else escalate(tables, island, LARGE)
        if record.bounded_rows > 0 and record.solutions == 0 and not small:
            read_cached_forces(tables, record)
        eliminate_free_rows(tables, record, size, blocks)
    for phase in range(begin_phases(tables, record, size)):
        box = bounded_part(tables, record, size, phase)
        rounds, solved, members = pivot(box, FIRST_ROUNDS, FIRST_PATIENCE)
        record.iterations += rounds
        if not solved:
            rounds, solved, members = trace_and_pivot(box)
            record.iterations += rounds
        if not solved:
            return escalate(tables, island, HARD)
    complete(tables, record, size, blocks, members)
    note_elimination(tables, record, island, size, blocks)
    return 1
