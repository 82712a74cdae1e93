"""Joints with one axis that may have stops and a motor."""

from __future__ import annotations

from opendynamics.api.aliases import Alias
from opendynamics.api.joints.joint import Joint
from opendynamics.api.joints.limit_motor import LimitMotor
from opendynamics.api.types import Stops
from opendynamics.api.units import check_angles


class Driven(Joint):
    """A joint with one axis that may have stops and a motor."""

    __slots__ = ()

    _angular = False  # whether the coordinate is an angle

    @property
    def limit_motor(self) -> LimitMotor:
        """All parameters of stops and motor."""
        return LimitMotor(self, 0)

    @property
    def limit_motors(self) -> tuple[LimitMotor, ...]:
        """The joint's only one."""
        return (self.limit_motor,)

    @property
    def stops(self) -> tuple[float, float]:
        """Low and high stop, rad or m; infinite by default: none.

        Those of a hinge with None as body1 have the opposite sign of its `angle`, as in ODE; see `Hinge`.
        """
        return self.limit_motor.stops

    @stops.setter
    def stops(self, stops: Stops) -> None:
        self.limit_motor.stops = stops
        if self._angular:
            check_angles(self._say("the stops"), self.stops)

    limits = Alias[tuple[float, float], Stops]("stops")
