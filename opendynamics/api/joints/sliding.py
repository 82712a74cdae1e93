"""Joints with an anchor that slides along an axis of the first body."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.aliases import Alias, also
from opendynamics.api.joints.joint import Array, Joint
from opendynamics.api.joints.limit_motor import LimitMotor
from opendynamics.api.types import MaxForce, MaxTorque, Stops
from opendynamics.core.constrain.parts.sliding import LIKE_ODE

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Sliding(Joint):
    """A joint with an anchor that slides along an axis of the first body that is not None."""

    __slots__ = ()

    _slide = 0  # index of the limits along the axis
    _position = 0  # index of the coordinate that is the position

    def _set_anchors_apart(self, point: Any, shift: Any) -> None:
        """Set the second inner anchor to `point`, and the first to the same point with its body moved back by `shift`."""
        first, _ = self._inner_bodies
        self._set_anchor(1, point)
        self._record["anchor0"] = first.point_from_world(np.add(point, shift))

    @property
    def position(self) -> float:
        """Position of body1 relative to body2 along the axis, m; 0 where the anchor was set."""
        return self._measure(2 * self._position)

    @property
    def position_rate(self) -> float:
        """Rate of the position, m/s. In worlds like ODE it is ODE's, which omits or miscounts the rotation of the bodies."""
        return self._measure(2 * self._position + 1)

    @property
    def stops(self) -> tuple[float, float]:
        """Low and high stop along the axis, m; infinite by default: none."""
        return self.limit_motors[self._slide].stops

    @stops.setter
    def stops(self, stops: Stops) -> None:
        self.limit_motors[self._slide].stops = stops

    limits = Alias[tuple[float, float], Stops]("stops")

    @also(max_torque="max_force")
    def motor(self, velocity: float, max_force: float = math.inf, **aliases: Unpack[MaxTorque]) -> None:
        """Drive the position at `velocity` m/s with at most `max_force` N; a `max_force` of 0 turns the motor off."""
        self.limit_motors[self._slide].motor(velocity, max_force)


def take_odes_rate(joint: Joint) -> None:
    """Give a new joint ODE's rate of the position if its world is like ODE."""
    if joint.world.like == "ode":
        joint._record["mode"] = LIKE_ODE


class OdesRows(Sliding):
    """A sliding joint whose rows and rate are wrong in ODE."""

    __slots__ = ()

    @property
    def like_ode(self) -> bool:
        """Whether the joint has ODE's rows and `position_rate` instead of the correct ones; False by default.

        ODE's PU joint acts on the first body at the anchor of position 0, regardless of the slider's current position. Its PR
        joint rotates about a wrong axis if its own axes are not perpendicular, and its linear stop and motor do not act through
        the hinge. Such forces create angular momentum, and motion may grow without bounds. True reproduces that, for
        comparisons.
        """
        return bool(int(self._values["mode"]) & LIKE_ODE)

    @like_ode.setter
    def like_ode(self, value: bool) -> None:
        on = checks.flag(self._say("like_ode"), value)
        mode = int(self._record["mode"])
        self._record["mode"] = mode | LIKE_ODE if on else mode & ~LIKE_ODE


class SlidingHinge(Sliding):
    """A joint that slides along one axis and rotates about one axis, with optional stops and motor for both."""

    __slots__ = ()

    @property
    def angle(self) -> float:
        """Angle of body1 about the axis relative to body2, rad, between -pi and pi; 0 where the axis was set."""
        return self._measure(2)

    @property
    def angle_rate(self) -> float:
        """Rate of the angle, rad/s."""
        return self._measure(3)

    @property
    def limit_motors(self) -> tuple[LimitMotor, ...]:
        """Stops and motor along the axis, and about it."""
        return LimitMotor(self, 0), LimitMotor(self, 1)

    @property
    def angle_stops(self) -> tuple[float, float]:
        """Low and high stop about the axis, rad; infinite by default: none."""
        return self.limit_motors[1].stops

    @angle_stops.setter
    def angle_stops(self, stops: Stops) -> None:
        self.limit_motors[1].stops = stops

    angle_limits = Alias[tuple[float, float], Stops]("angle_stops")

    @also(max_force="max_torque")
    def angle_motor(self, velocity: float, max_torque: float = math.inf, **aliases: Unpack[MaxForce]) -> None:
        """Drive the angle at `velocity` rad/s with at most `max_torque` N m; a `max_torque` of 0 turns the motor off."""
        self.limit_motors[1].motor(velocity, max_torque)

    def _turning_axis(self) -> Array:
        """The axis of rotation, in the world frame."""
        return self._axis(0)

    def add_torque(self, torque: float) -> None:
        """Add a torque about the axis of rotation, N m, to body1, and the opposite one to body2, for the next step."""
        t = checks.finite(self._say("the torque"), torque)
        self._add_torque_pair(t * self._turning_axis())
