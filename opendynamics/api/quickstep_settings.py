"""A world's settings of QuickStep: the parameters of the solver "pgs"."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

from opendynamics.api import checks
from opendynamics.api.member import note_change
from opendynamics.api.suggestions import explain_calls
from opendynamics.core.arrays.store import Store
from opendynamics.core.solve.pgs.parameters import PARAMETERS

_MAX_RELAXATION = 2.0 - 1e-9  # the iteration diverges from 2 on

QuickstepOrder: TypeAlias = Literal["ode", "blocks"]
_ORDERS: tuple[QuickstepOrder, ...] = ("ode", "blocks")  # by ODE_ORDER, BLOCK_ORDER


@explain_calls
@dataclass(frozen=True)
class QuickstepCounts:
    """Statistics of QuickStep's iterations, summed over islands and steps.

    Attributes:
        iterations: total number of iterations.
        early: islands that converged before `quickstep_iterations`.
        prolonged: islands that took more than `quickstep_iterations`.
        exhausted: those of them that did not converge.
    """

    iterations: int = 0
    early: int = 0
    prolonged: int = 0
    exhausted: int = 0


def _counter(name: str) -> str:
    """Field of the parameters' record for an attribute of QuickstepCounts."""
    return "iterations_done" if name == "iterations" else name


class QuickstepSettings:
    """Parameters of `World.quick_step`, and of `advance` with the solver "pgs"."""

    _store: Store
    _ready: Any

    def _say(self, what: str) -> str:
        raise NotImplementedError

    @property
    def _parameters(self) -> Any:
        return self._store[PARAMETERS][0]

    @property
    def quickstep_iterations(self) -> int:
        """Iterations of `quick_step` over all rows; with more, the forces are closer to the exact ones. 20 by default."""
        return int(self._parameters["iterations"])

    @quickstep_iterations.setter
    def quickstep_iterations(self, value: int) -> None:
        number = checks.count(self._say("the number of QuickStep iterations"), value, 1)
        self._parameters["iterations"] = number

    @property
    def quickstep_relaxation(self) -> float:
        """Over-relaxation of `quick_step` in ODE's order (ODE's W), between 0 and 2; 1 is plain Gauss-Seidel.

        1.3 by default.
        """
        return float(self._parameters["relaxation"])

    @quickstep_relaxation.setter
    def quickstep_relaxation(self, value: float) -> None:
        self._parameters["relaxation"] = self._checked_relaxation("the QuickStep relaxation", value)

    @property
    def quickstep_direct(self) -> bool:
        """Whether the order "blocks" leaves single bodies, islands with few bounded rows, and islands nearly at rest to the exact
        solver and the soft step, so that stacks do not creep. True by default; see docs/quickstep.md.
        """
        return bool(self._parameters["direct"])

    @quickstep_direct.setter
    def quickstep_direct(self, value: bool) -> None:
        self._parameters["direct"] = checks.flag(self._say("QuickStep direct"), value)

    @property
    def quickstep_block_relaxation(self) -> float:
        """Over-relaxation of the order "blocks", which is accelerated and gains little from it. 1 by default."""
        return float(self._parameters["block_relaxation"])

    @quickstep_block_relaxation.setter
    def quickstep_block_relaxation(self, value: float) -> None:
        self._parameters["block_relaxation"] = self._checked_relaxation("the QuickStep block relaxation", value)

    def _checked_relaxation(self, what: str, value: float) -> float:
        return checks.usual(self._say(what), value, 0.0, _MAX_RELAXATION)

    @property
    def quickstep_order(self) -> QuickstepOrder:
        """Order of the iterations of `quick_step`: "blocks", a contact or joint at a time, or "ode", ODE's sequence of rows.

        "blocks" by default.
        """
        return _ORDERS[int(self._parameters["order"])]

    @quickstep_order.setter
    def quickstep_order(self, value: QuickstepOrder) -> None:
        number = checks.choice(self._say("the QuickStep order"), value, _ORDERS)
        note_change()
        self._ready = ""
        self._parameters["order"] = number

    @property
    def quickstep_warm_start(self) -> float:
        """Warm starting: fraction of the cached forces from which the order "blocks" starts; 0.8 by default, 0: cold start."""
        return float(self._parameters["warm_start"])

    @quickstep_warm_start.setter
    def quickstep_warm_start(self, value: float) -> None:
        self._parameters["warm_start"] = checks.fraction(self._say("the QuickStep warm start"), value)

    @property
    def quickstep_exit_change(self) -> float:
        """Change of all accelerations in an iteration, m/s² or rad/s², below which `quick_step` ends; 0 by default: never."""
        return float(self._parameters["exit_change"])

    @quickstep_exit_change.setter
    def quickstep_exit_change(self, value: float) -> None:
        change = checks.not_negative(self._say("the QuickStep exit change"), value)
        self._parameters["exit_change"] = change

    @property
    def quickstep_extra(self) -> float:
        """Maximum number of extra iterations until convergence, relative to `quickstep_iterations`; 0 by default."""
        return float(self._parameters["extra"])

    @quickstep_extra.setter
    def quickstep_extra(self, value: float) -> None:
        what = self._say("the number of extra QuickStep iterations, relative to quickstep_iterations,")
        part = checks.not_negative(what, value)
        if part > 1e6:
            raise ValueError(f"{what} must be at most 1e6, not {part}")
        self._parameters["extra"] = part

    @property
    def quickstep_extra_change(self) -> float:
        """Change of a body's acceleration in an iteration, m/s² or rad/s², above which extra iterations are done.

        0.01 by default.
        """
        return float(self._parameters["extra_change"])

    @quickstep_extra_change.setter
    def quickstep_extra_change(self, value: float) -> None:
        change = checks.not_negative(self._say("the QuickStep extra change"), value)
        self._parameters["extra_change"] = change

    @property
    def quickstep_counts(self) -> QuickstepCounts:
        """Iterations of `quick_step`, and of `advance` with the solver "pgs", since the last reset."""
        parameters = self._parameters
        return QuickstepCounts(*(int(parameters[_counter(field.name)]) for field in fields(QuickstepCounts)))

    def reset_quickstep_counts(self) -> None:
        """Set `quickstep_counts` to zero."""
        for field in fields(QuickstepCounts):
            self._parameters[_counter(field.name)] = 0

    @property
    def random_seed(self) -> int:
        """State, 32 bits, of the generator that shuffles QuickStep's rows; 0 by default."""
        return int(self._parameters["random_state"])

    @random_seed.setter
    def random_seed(self, value: int) -> None:
        self._parameters["random_state"] = checks.count(self._say("the random seed"), value, 0, 0xFFFFFFFF)
