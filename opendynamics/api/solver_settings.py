"""A world's settings of the automatic choice of solvers."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.core.arrays.store import Store
from opendynamics.core.solve.auto.parameters import PARAMETERS

_MOST_EXACT_ROWS = 2000


class SolverSettings:
    """Parameters of `advance` by the solver "auto"."""

    _store: Store

    def _say(self, what: str) -> str:
        raise NotImplementedError

    @property
    def auto_exact_rows(self) -> int:
        """Bounded rows (of contacts, motors, stops) of the largest island that the solver "auto" solves exactly, if it is a pile.

        Islands without bounded rows, and with up to 12, are solved exactly in any case. Several islands share the number: taken
        from the smallest on, the squares of their numbers of bounded rows (less for towers) add up to at most its square, so that
        the exact solutions of a step take about as long as that of one such island. docs/solvers.md has the rule.
        """
        return int(self._store[PARAMETERS]["exact_rows"][0])

    @auto_exact_rows.setter
    def auto_exact_rows(self, value: int) -> None:
        number = checks.count(self._say("the number of exact rows"), value, 0, _MOST_EXACT_ROWS)
        self._store[PARAMETERS]["exact_rows"] = number
