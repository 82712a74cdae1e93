"""Exact solver (ODE's dWorldStep): solves the complementarity problem to rounding error.

Chains of joints without bounds have a block tridiagonal matrix (`joints.chain`). Small islands without joints are dense
(`few_bodies`). Most others need only elimination of the rows without bounds, by `joints.trees` or in an envelope, and a few
iterations of block principal pivoting (`eliminating`). Where pivoting does not converge, a parametric active set method solves
small islands, and `hard` adds an interior point method for the others; `large` solves in body space where elimination would be
too expensive; `cone.newton` calls the others for islands with elliptic friction. Entries other than `solve` are loaded when an
island first needs them.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import escalate
from opendynamics.core.solve.exact import coupled, eliminating, hard, large
from opendynamics.core.solve.exact.cone import newton
from opendynamics.core.solve.exact.escalations import CHAIN, CONE, COUPLED, ELIMINATING
from opendynamics.core.solve.exact.joints import chain
from opendynamics.core.solve.exact.joints.chain import DECLINED
from opendynamics.core.solve.exact.row_space.elimination import invalidate_elimination
from opendynamics.core.solve.exact.row_space.few_bodies import has_room_for_small, is_small, solve_small
from opendynamics.core.solve.exact.row_space.friction import read_cached_forces
from opendynamics.core.solve.exact.together import solve_together
from opendynamics.core.solve.friction_bounds import follows_normals
from opendynamics.core.solve.islands import SINGLE_BODIES
from opendynamics.core.solve.warm_starting import cache_forces

__all__ = ["ESCALATIONS", "TOGETHER", "cache_forces", "solve", "solve_together"]

TOGETHER = SINGLE_BODIES

# By CONE, HARD, LARGE, COUPLED, CHAIN and ELIMINATING.
ESCALATIONS = (newton.solve, hard.solve, large.solve, coupled.solve, chain.solve, eliminating.solve)


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
        invalidate_elimination(tables, record)
    if is_small(record):
        if not has_room_for_small(tables):
            return 0
        if record.solutions == 0:
            read_cached_forces(tables, record)
        if solve_small(tables, record):
            return 1
    return escalate(tables, island, ELIMINATING)
