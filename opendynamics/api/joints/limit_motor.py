"""Stops and motor of one axis of a joint."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opendynamics.api import checks
from opendynamics.api.aliases import Alias, also
from opendynamics.api.springs import Spring, checked_spring, forget_spring, set_spring, spring_of
from opendynamics.api.suggestions import Strict, explain_calls
from opendynamics.api.types import MaxTorque, Stops
from opendynamics.api.waking import some_asleep

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.joints.joint import Joint


class _Number:
    """A number of the limit record, checked when set."""

    def __init__(self, check: Callable[[str, Any], float], doc: str, *, springy: bool = False) -> None:
        self.check, self.__doc__, self.springy = check, doc, springy

    def __set_name__(self, owner: type, name: str) -> None:
        self.field = name
        self.label = f"the {name.replace('_', ' ')}"

    def __get__(self, limit: Any, owner: type | None = None) -> Any:
        return self if limit is None else float(limit._values[self.field])

    def __set__(self, limit: Any, value: Any) -> None:
        number = self.check(limit._joint._say(self.label), value)
        if self.springy:
            forget_spring(limit._joint, limit._axis)
        if some_asleep(limit._joint._store) and limit._values[self.field] == number:
            return  # unchanged values wake nothing
        limit._record[self.field] = number


def _low(what: str, value: Any) -> float:
    number = checks.number(what, value)
    if number == math.inf:
        raise ValueError(f"{what} must not be inf; -inf means that there is none")
    return number


def _high(what: str, value: Any) -> float:
    number = checks.number(what, value)
    if number == -math.inf:
        raise ValueError(f"{what} must not be -inf; inf means that there is none")
    return number


@explain_calls
class LimitMotor(Strict):
    """Stops and motor of one axis. Angles in rad, lengths in m; torques in N m, forces in N."""

    __slots__ = ("_axis", "_joint")

    def __init__(self, joint: Joint, axis: int) -> None:
        self._joint, self._axis = joint, axis

    @property
    def _record(self) -> Any:
        return self._joint._record["limits"][self._axis]

    @property
    def _values(self) -> Any:
        return self._joint._values["limits"][self._axis]

    low = _Number(
        _low, "Low stop, rad or m; -inf, the default: none. Stops of angles act from -pi to pi, of hinges beyond, too."
    )
    high = _Number(_high, "High stop, rad or m; inf, the default: none.")
    velocity = _Number(checks.finite, "Target velocity of the motor, rad/s or m/s; 0 by default.")
    max_force = _Number(
        checks.not_negative_or_infinite,
        "Maximum torque, N m, or force, N, of the motor; with 0, the default, there is no motor.",
    )
    fudge = _Number(
        checks.fraction,
        "Fraction of the motor's force used to leave a stop, 0 to 1; 1 by default, less for a motor that makes the joint jump.",
    )
    bounce = _Number(checks.fraction, "Coefficient of restitution of the stops, 0 to 1; 0 by default.")
    cfm = _Number(
        checks.usual, "Constraint force mixing of the motor; by default the world's when the joint was made, 1e-10."
    )
    stop_erp = _Number(
        checks.usual_fraction,
        "Error reduction parameter of the stops; by default the world's when the joint was made, 0.2.",
        springy=True,
    )
    stop_cfm = _Number(
        checks.usual,
        "Constraint force mixing of the stops; by default the world's when the joint was made, 1e-10.",
        springy=True,
    )

    @property
    def stops(self) -> tuple[float, float]:
        """Low and high stop, rad or m; infinite by default: none."""
        return self.low, self.high

    @stops.setter
    def stops(self, stops: Stops) -> None:
        self._record["low"], self._record["high"] = checked_stops(self._joint.name, stops)

    limits = Alias[tuple[float, float], Stops]("stops")
    max_torque = Alias[float, float]("max_force")
    restitution = Alias[float, float]("bounce")

    @also(max_torque="max_force")
    def motor(
        self,
        velocity: float,
        max_force: float = math.inf,
        damping: float | None = None,
        **aliases: Unpack[MaxTorque],
    ) -> None:
        """Drive at `velocity` with at most `max_force`; a `max_force` of 0 turns the motor off.

        Args:
            velocity: rad/s or m/s.
            max_force: N m or N.
            damping: N m s/rad or N s/m, of a soft motor: its force is damping x (velocity - rate). Sets `cfm` to 1 / damping;
                without it `cfm` is unchanged, initially nearly rigid.
        """
        v = checks.finite(self._joint._say("the motor velocity"), velocity)
        f = checks.not_negative_or_infinite(self._joint._say("the motor's force"), max_force)
        c = None if damping is None else checks.positive(self._joint._say("the motor's damping"), damping)
        self.velocity, self.max_force = v, f
        if c is not None:
            self.cfm = 1.0 / c

    def set_stop_spring(self, stiffness: float, damping: float, h: float | None = None) -> None:
        """Make the stops springs with dampers: sets `stop_erp` and `stop_cfm`.

        The spring is the same at every step size: ERP and CFM are converted at the start of a step, and read as in the last step.
        Setting `stop_erp` or `stop_cfm` afterwards ends the spring; the other one keeps its value.

        Args:
            stiffness: N m/rad or N/m.
            damping: N m s/rad or N s/m.
            h: step size, s, for which ERP and CFM are set once; optional.
        """
        spring = checked_spring(f"of the stops of {self._joint.name}", stiffness, damping)
        set_spring(self._joint, self._axis, spring, h)

    @property
    def stop_spring(self) -> Spring | None:
        """The spring of the stops, see `set_stop_spring`; None: `stop_erp` and `stop_cfm` are set directly."""
        return spring_of(self._joint, self._axis)

    def __repr__(self) -> str:
        return f"<LimitMotor of {self._joint.name}: stops {self.stops}, velocity {self.velocity}, max force {self.max_force}>"


def checked_stops(joint: str, stops: Any) -> tuple[float, float]:
    """`stops` of a joint as low and high."""
    try:
        low, high = stops
    except (TypeError, ValueError):
        raise TypeError(f"the stops of {joint} must be two numbers, low and high, not {stops!r}") from None
    low, high = _low(f"the low stop of {joint}", low), _high(f"the high stop of {joint}", high)
    if low > high:
        raise ValueError(f"the low stop of {joint} must not be above the high one: {low}, {high}")
    return low, high
