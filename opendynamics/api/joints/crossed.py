"""Joints with two rotation axes, one on each body, like the cross of a universal joint."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from opendynamics.api import checks, rotation
from opendynamics.api.aliases import Alias, also
from opendynamics.api.joints.joint import Array
from opendynamics.api.joints.limit_motor import LimitMotor
from opendynamics.api.joints.two_axes import TwoAxes
from opendynamics.api.types import MaxForce, Stops
from opendynamics.core.constrain.parts.cross import REST0, REST1

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Crossed(TwoAxes):
    """A joint with an axis on each body: axis1 is fixed to body1, axis2 to body2."""

    __slots__ = ()

    def _set_defaults(self) -> None:
        super()._set_defaults()
        self._record["axis1"] = (0.0, 1.0, 0.0)

    def _get_axes(self) -> list[Array]:
        return [self._axis(self._inner(0)), self._axis(self._inner(1))]

    def _put_axes(self, axes: list[Array], new: tuple[bool, bool] = (True, True)) -> None:
        for user, axis in enumerate(axes):
            self._set_axis(self._inner(user), axis)
        self._note_turns(0.0, 0.0)

    def _note_turns(self, turn0: float, turn1: float) -> None:
        """Set the angles about the axes of the inner bodies at the current poses."""
        first, second = self._inner_bodies
        axis0, axis1 = self._axis(0), self._axis(1)
        rest0 = _turned(_across(axis1, axis0), axis0, turn0)
        rest1 = _turned(_across(axis0, axis1), axis1, -turn1)
        numbers = self._record["numbers"]
        numbers[REST0 : REST0 + 3] = first.vector_from_world(rest0)
        numbers[REST1 : REST1 + 3] = rest1 if second is None else second.vector_from_world(rest1)

    @property
    def angle1(self) -> float:
        """Angle about axis1, rad, between -pi and pi; 0 where anchor or axes were set."""
        return self._measure(0)

    @property
    def angle1_rate(self) -> float:
        """Angular rate of the first body that is not None about axis1 relative to the other, rad/s."""
        return self._measure(1)

    @property
    def angle2(self) -> float:
        """Angle about axis2, rad, between -pi and pi; 0 where anchor or axes were set."""
        return self._measure(2)

    @property
    def angle2_rate(self) -> float:
        """Angular rate of the first body that is not None about axis2 relative to the other, rad/s."""
        return self._measure(3)

    @property
    def angles(self) -> tuple[float, float]:
        """`angle1` and `angle2`."""
        return self.angle1, self.angle2

    @property
    def limit_motors(self) -> tuple[LimitMotor, ...]:
        """Stops and motor about the axis of the first body that is not None, and about the other axis."""
        return LimitMotor(self, 0), LimitMotor(self, 1)

    @property
    def stops1(self) -> tuple[float, float]:
        """Stops of the first of `limit_motors`, rad; infinite by default: none."""
        return self.limit_motors[0].stops

    @stops1.setter
    def stops1(self, stops: Stops) -> None:
        self.limit_motors[0].stops = stops

    limits1 = Alias[tuple[float, float], Stops]("stops1")

    @also(max_force="max_torque")
    def motor1(self, velocity: float, max_torque: float = math.inf, **aliases: Unpack[MaxForce]) -> None:
        """Drive `angle1_rate` to `velocity` rad/s with at most `max_torque` N m; a `max_torque` of 0 turns the motor off."""
        self.limit_motors[0].motor(velocity, max_torque)

    @also(max_force="max_torque")
    def motor2(self, velocity: float, max_torque: float = math.inf, **aliases: Unpack[MaxForce]) -> None:
        """Drive `angle2_rate`, the rate of the first body, to `velocity` rad/s with at most `max_torque` N m (0: off).

        If only the second body can rotate about axis2, as a wheel, it rotates at -`velocity`.
        """
        self.limit_motors[1].motor(velocity, max_torque)

    def add_torques(self, torque1: float, torque2: float) -> None:
        """Add torques about axis1 and axis2, N m, to body1, and the opposite ones to body2, for the next step."""
        t1 = checks.finite(self._say("the torque about axis 1"), torque1)
        t2 = checks.finite(self._say("the torque about axis 2"), torque2)
        self._add_torque_pair(t1 * self.axis1 + t2 * self.axis2)


class RightAngled(Crossed):
    """A joint with an axis on each body, perpendicular to each other; there may be stops about both."""

    __slots__ = ()

    @property
    def stops2(self) -> tuple[float, float]:
        """Stops of the second of `limit_motors`, rad; infinite by default: none."""
        return self.limit_motors[1].stops

    @stops2.setter
    def stops2(self, stops: Stops) -> None:
        self.limit_motors[1].stops = stops

    limits2 = Alias[tuple[float, float], Stops]("stops2")


def _across(vector: Array, axis: Array) -> Array:
    """Unit vector of the component of `vector` perpendicular to `axis`."""
    rest = vector - (axis @ vector) * axis
    return np.asarray(rest / np.linalg.norm(rest))


def _turned(vector: Array, axis: Array, angle: float) -> Array:
    """`vector` rotated about `axis`; unchanged, bit for bit, for an angle of 0."""
    return vector if angle == 0.0 else np.asarray(rotation.from_axis_angle(axis, angle) @ vector)
