"""`exact` for islands whose pivoting does not end soon: elimination again, then the interior point method.

An entry of its own, so that it is compiled when it is first needed and not before anything moves.
"""

from __future__ import annotations

from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import escalate
from opendynamics.core.solve.exact.escalations import LARGE
from opendynamics.core.solve.exact.row_space.box_lcp import solve_surely
from opendynamics.core.solve.exact.row_space.elimination import TOO_LARGE, UNSOLVED, eliminate_with

eliminate = eliminate_with(solve_surely)


@entry(SOLVE)
def solve(tables, island):
    """Find one island's forces. 1: done, 0: no room, or `large` is not loaded."""
    end = eliminate(tables, island)
    if end in (UNSOLVED, TOO_LARGE):
        return escalate(tables, island, LARGE)
    return end
