"""`exact` for islands whose pivoting does not end soon: elimination again, then the interior point method.

An entry of its own, so that it is compiled when it is first needed and not before anything moves.
"""

from __future__ import annotations

from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.methods.bounded import solve_surely
from opendynamics.core.solve.methods.elimination import TOO_LARGE, UNSOLVED, eliminate_with
from opendynamics.core.solve.methods.hand_over import LARGE, hand_over

eliminate = eliminate_with(solve_surely)


@entry(SOLVE)
def solve(tables, island):
    """Find one island's forces. 1: done, 0: no room, or `large` is not loaded."""
    end = eliminate(tables, island)
    if end in (UNSOLVED, TOO_LARGE):
        return hand_over(tables, island, LARGE)
    return end
