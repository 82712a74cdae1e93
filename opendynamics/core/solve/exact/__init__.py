"""ODE's exact answer (dWorldStep): the complementarity problem solved to rounding error.

Most islands are solved at once: sparse elimination of the rows without bounds, then a few rounds of block principal
pivoting. Where pivoting does not converge soon, `hard` adds an interior point method; `large` solves in the space of
bodies where elimination would cost too much; `cone.newton` calls the others for islands with elliptic friction. These are
loaded when they are first needed.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import escalate
from opendynamics.core.solve.exact import hard, large
from opendynamics.core.solve.exact.cone import newton
from opendynamics.core.solve.exact.escalations import CONE, HARD, LARGE
from opendynamics.core.solve.exact.row_space.box_lcp import solve_quickly
from opendynamics.core.solve.exact.row_space.elimination import TOO_LARGE, UNSOLVED, eliminate_with

__all__ = ["ESCALATIONS", "solve"]

# By CONE, HARD and LARGE.
ESCALATIONS = (newton.solve, hard.solve, large.solve)

eliminate = eliminate_with(solve_quickly)


@entry(SOLVE)
def solve(tables, island):
    """Find one island's forces. 1: done, 0: no room, or another entry is not loaded."""
    if ISLANDS.rows(tables)[island].pairs > 0:
        return escalate(tables, island, CONE)
    end = eliminate(tables, island)
    if end == UNSOLVED:
        return escalate(tables, island, HARD)
    if end == TOO_LARGE:
        return escalate(tables, island, LARGE)
    return end
