"""Settings of a world's solvers "auto" and "soft"."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.core.arrays.store import Store
from opendynamics.core.solve.auto.parameters import PARAMETERS as AUTO
from opendynamics.core.solve.soft.parameters import PARAMETERS as SOFT

_MAX_EXACT_ROWS = 2000
_MAX_SUBSTEPS = 10_000


class SolverSettings:
    """Parameters of `advance` with the solvers "auto" and "soft"."""

    _store: Store

    def _say(self, what: str) -> str:
        raise NotImplementedError

    @property
    def auto_exact_rows(self) -> int:
        """Bounded rows (of contacts, motors, stops) up to which the solver "auto" solves a pile exactly; 100 by default.

        Islands with at most 12 bounded rows (with joints one more for every two rows that hold joints, up to 64) are solved
        exactly, unless they have more than 400 loops. Several islands share the limit: in order of size, the
        squares of their numbers of bounded rows (less for towers) may add up to its square, so that the exact solutions of a step
        take about as long as that of one such island; less in a step with more than four times as many bounded rows.
        docs/solvers.md has the rule.
        """
        return int(self._store[AUTO]["exact_rows"][0])

    @auto_exact_rows.setter
    def auto_exact_rows(self, value: int) -> None:
        number = checks.count(self._say("the number of exact rows"), value, 0, _MAX_EXACT_ROWS)
        self._store[AUTO]["exact_rows"] = number

    @property
    def soft_substeps(self) -> int | str:
        """Number of sub-steps of the soft step; contacts are detected once per step, forces computed in every sub-step.

        "auto", the default: 4; 8 for islands of at most 40 bodies without joints; up to 32 for islands of more than 14
        layers, up to 128 for slender ones. From 6 on, contacts are stiffer as well. A number applies to all islands. More
        sub-steps hold higher stacks and longer chains. `world.substeps` divides the whole step, including collision.
        """
        return int(self._store[SOFT]["substeps"][0]) or "auto"

    @soft_substeps.setter
    def soft_substeps(self, value: int | str) -> None:
        number = 0
        if not (isinstance(value, str) and value == "auto"):
            number = checks.count(self._say('the number of soft sub-steps, or "auto",'), value, 1, _MAX_SUBSTEPS)
        self._store[SOFT]["substeps"] = number

    @property
    def soft_contact_frequency(self) -> float:
        """Stiffness of contacts of the solver "soft", Hz; at most 0.15 of the sub-steps' frequency is used. 60 by default."""
        return float(self._store[SOFT]["hertz"][0])

    @soft_contact_frequency.setter
    def soft_contact_frequency(self, value: float) -> None:
        self._store[SOFT]["hertz"] = checks.positive(self._say("the soft contact frequency"), value)

    @property
    def soft_contact_damping(self) -> float:
        """Damping ratio of contacts of the solver "soft"; 1 is critical, 3 by default: penetration is corrected slowly."""
        return float(self._store[SOFT]["damping_ratio"][0])

    @soft_contact_damping.setter
    def soft_contact_damping(self, value: float) -> None:
        self._store[SOFT]["damping_ratio"] = checks.not_negative(self._say("the soft contact damping"), value)
