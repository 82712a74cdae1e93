"""Slider."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from opendynamics.api import checks
from opendynamics.api.aliases import Alias, also
from opendynamics.api.joints.joint import Array
from opendynamics.api.joints.limit_motor import checked_stops
from opendynamics.api.joints.servo import Servo
from opendynamics.api.joints.servo_driven import ServoDriven
from opendynamics.api.joints.sliding import take_odes_rate
from opendynamics.api.read_only import read_only
from opendynamics.api.types import LimitedOptions, MaxTorque, Stops, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class Slider(ServoDriven):
    """Slider (prismatic joint): two bodies move along one axis relative to each other, without rotation.

    The position is 0 where the axis was set, and positive as body1 moves along the axis relative to body2.

    Args:
        world, body1, body2: see `Joint`.
        axis: direction in the world frame; x by default.
        stops: low and high stop, m.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "slider"
    _linear = True

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        axis: Vector | None = None,
        stops: Stops | None = None,
        **options: Unpack[LimitedOptions],
    ) -> None:
        along = None if axis is None else checks.direction("the axis of a slider", axis)
        limits = None if stops is None else checked_stops("a slider", stops)
        super().__init__(world, body1, body2, **options)
        if along is not None:
            self.axis = along
        if limits is not None:
            self.stops = limits

    def _set_defaults(self) -> None:
        super()._set_defaults()
        take_odes_rate(self)

    def _note_rest_position(self) -> None:
        first, second = self._inner_bodies
        at = first.position
        self._record["anchor1"] = at if second is None else second.point_from_world(at)
        self._note_relative_orientation()

    @property
    def axis(self) -> Array:
        """Direction in the world, a unit vector, shape (3,); x unless given. Setting it makes the position 0 here."""
        return read_only(self._axis(0))

    @axis.setter
    def axis(self, value: Vector) -> None:
        direction = checks.direction(self._say("the axis"), value)
        self._set_axes(direction)
        self._note_rest_position()

    def set_axis_delta(self, axis: Vector, delta: Vector) -> None:
        """Set the axis; if body1 is joined to the static world, position 0 is `delta` m away (ODE's AxisDelta)."""
        shift = checks.vector(self._say("the delta"), delta)
        self.axis = axis
        if self._inner_bodies[1] is None:
            self._record["anchor1"] += shift

    @property
    def position(self) -> float:
        """Position of body1 relative to body2 along the axis, m."""
        return self._measure(0)

    @property
    def position_rate(self) -> float:
        """Rate of the position, m/s. In worlds like ODE it is ODE's, which omits the rotation of the bodies."""
        return self._measure(1)

    rate = Alias[float, NoReturn]("position_rate")

    def add_force(self, force: float) -> None:
        """Add a force along the axis, N, to body1, and the opposite one to body2, for the next step.

        Between two bodies it acts half way between their centres, so that it causes no relative rotation.
        """
        f = checks.finite(self._say("the force"), force)
        first, second = self._inner_bodies
        vector = self.axis * (-f if self.reversed else f)
        first.add_force(vector)
        if second is not None:
            second.add_force(-vector)
            torque = np.cross(0.5 * (second.position - first.position), vector)
            first.add_torque(torque)
            second.add_torque(torque)

    @also(max_torque="max_force")
    def motor(self, velocity: float, max_force: float = math.inf, **aliases: Unpack[MaxTorque]) -> None:
        """Drive at `velocity` m/s with at most `max_force` N; a `max_force` of 0 turns the motor off."""
        self.limit_motor.motor(velocity, max_force)

    @also(max_torque="max_force")
    def servo(
        self,
        position: float = 0.0,
        *,
        stiffness: float,
        damping: float | None = None,
        max_force: float = math.inf,
        velocity: float = 0.0,
        **aliases: Unpack[MaxTorque],
    ) -> Servo:
        """Drive the position to `position`, m, by a spring (N/m) and a damper (N s/m); see `Hinge.servo`.

        Args:
            position: target position, m.
            stiffness: N/m.
            damping: N s/m; critical for the two bodies alone unless given.
            max_force: limit of its force, N.
            velocity: target rate, m/s.
        """
        return self._drive_to(position, velocity, stiffness, damping, max_force)
