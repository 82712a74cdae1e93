"""ODE's exact answer (dWorldStep): the complementarity problem solved to rounding error.

Most islands go the quick way: sparse elimination of the rows without bounds, then a few rounds of pivoting. Where
pivoting does not end soon, `thorough` takes over, and `large` where elimination would cost too much; `cone`
calls the others for islands with elliptic friction. These are loaded when they are first needed.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.methods.bounded import solve_quickly
from opendynamics.core.solve.methods.cone import solve as cone
from opendynamics.core.solve.methods.elimination import TOO_LARGE, UNSOLVED, eliminate_with
from opendynamics.core.solve.methods.hand_over import CONE, LARGE, THOROUGH, hand_over
from opendynamics.core.solve.methods.large import solve as large
from opendynamics.core.solve.methods.thorough import solve as thorough

__all__ = ["cone", "large", "solve", "thorough"]

eliminate = eliminate_with(solve_quickly)


@entry(SOLVE)
def solve(tables, island):
    """Find one island's forces. 1: done, 0: no room, or another entry is not loaded."""
    if ISLANDS.rows(tables)[island].pairs > 0:
        return hand_over(tables, island, CONE)
    end = eliminate(tables, island)
    if end == UNSOLVED:
        return hand_over(tables, island, THOROUGH)
    if end == TOO_LARGE:
        return hand_over(tables, island, LARGE)
    return end
