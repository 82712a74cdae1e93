"""Hinge."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

from opendynamics.api import checks, rotation
from opendynamics.api.aliases import Alias, also
from opendynamics.api.joints.joint import Array
from opendynamics.api.joints.limit_motor import checked_stops
from opendynamics.api.joints.servo import Servo
from opendynamics.api.joints.servo_driven import ServoDriven
from opendynamics.api.read_only import read_only
from opendynamics.api.types import LimitedOptions, MaxForce, Stops, Vector
from opendynamics.api.units import check_angles
from opendynamics.core.constrain.joints import hinge as layout

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class Hinge(ServoDriven):
    """Hinge (revolute joint): two bodies share a point and an axis of rotation, with optional stops and motor.

    The angle is 0 where the axis was set, and positive as body1 rotates about the axis relative to body2. With None as body1,
    motor and stops have ODE's sign, opposite to that of `angle`, `servo` and `add_torque`; attaching the hinge as (body, None)
    avoids it.

    Args:
        world, body1, body2: see `Joint`.
        anchor: the shared point, m, in the world frame; by default body1's origin, or that of the only body.
        axis: direction of the axis in the world frame; x by default.
        stops: low and high stop, rad. Turns are counted if a stop is near half a turn or beyond, except in worlds like ODE.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "hinge"
    _angular = True

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        anchor: Vector | None = None,
        axis: Vector | None = None,
        stops: Stops | None = None,
        **options: Unpack[LimitedOptions],
    ) -> None:
        point = None if anchor is None else checks.vector("the anchor of a hinge", anchor)
        along = None if axis is None else checks.direction("the axis of a hinge", axis)
        limits = None if stops is None else checked_stops("a hinge", stops)
        super().__init__(world, body1, body2, **options)
        if point is not None:
            self.anchor = point
        if along is not None:
            self.axis = along
        if limits is not None:
            self.stops = limits

    def _note_relative_orientation(self) -> None:
        super()._note_relative_orientation()
        self._record["numbers"][layout.ANGLE] = 0.0

    def _note_rest_position(self) -> None:
        self._set_anchors(self._rest_anchor(self._inner(0)))
        self._set_axes(self._axis(0))
        self._note_relative_orientation()

    @property
    def anchor(self) -> Array:
        """The shared point on body1, m, shape (3,), in the world; body1's origin unless given. Setting it sets both."""
        return read_only(self._anchor(self._inner(0)))

    @anchor.setter
    def anchor(self, value: Vector) -> None:
        point = checks.three(self._say, "the anchor", value)
        self._set_anchors(point)
        self._note_relative_orientation()

    @property
    def anchor2(self) -> Array:
        """The shared point on body2, m, shape (3,); differs from `anchor` by the joint's error."""
        return read_only(self._anchor(self._inner(1)))

    def set_anchor_delta(self, anchor: Vector, delta: Vector) -> None:
        """Set the anchor; if the joint is on the static world, the anchor there is shifted by `delta`, m (ODE's AnchorDelta)."""
        shift = checks.vector(self._say("the delta"), delta)
        self.anchor = anchor
        if self._inner_bodies[1] is None:
            self._record["anchor1"] += shift

    @property
    def axis(self) -> Array:
        """Direction of the axis in the world, a unit vector, shape (3,); x unless given. Setting it makes the angle 0 here."""
        return read_only(self._axis(0))

    @axis.setter
    def axis(self, value: Vector) -> None:
        direction = checks.direction(self._say("the axis"), value)
        self._set_axes(direction)
        self._note_relative_orientation()

    def set_axis_offset(self, axis: Vector, angle: float) -> None:
        """Set the axis so that the current angle is `angle` rad."""
        direction = checks.direction(self._say("the axis"), axis)
        turn = checks.finite(self._say("the angle"), angle)
        self._set_axes(direction)
        self._note_relative_orientation()
        # The rest position is the pose of body1 rotated back by the angle.
        q = rotation.quaternion_from_axis_angle(self._record["axis0"], turn if not self.reversed else -turn)
        self._record["relative"] = rotation.multiply(q, self._record["relative"])
        self.count_turns_from(turn)

    @property
    def angle(self) -> float:
        """Angle of body1 relative to body2, rad, from -pi to pi; it continues beyond if turns are counted."""
        return self._measure(0)

    def count_turns_from(self, angle: float) -> None:
        """Make `angle` the possible value nearest to this, rad, after placing bodies. No effect unless turns are counted.

        They are counted if a stop is less than 0.5 rad from half a turn, or beyond it.
        """
        near = checks.finite(self._say("the angle"), angle)
        self._record["numbers"][layout.ANGLE] = -near if self.reversed else near

    @property
    def angle_rate(self) -> float:
        """Rate of the angle, rad/s."""
        return self._measure(1)

    rate = Alias[float, NoReturn]("angle_rate")

    def add_torque(self, torque: float) -> None:
        """Add a torque about the axis, N m, to body1, and the opposite one to body2, for the next step."""
        t = checks.finite(self._say("the torque"), torque)
        first, second = self._inner_bodies
        x, y, z = self._axis_numbers(0)
        if self.reversed:
            t = -t
        first.add_torque((t * x, t * y, t * z))
        if second is not None:
            second.add_torque((-t * x, -t * y, -t * z))

    @also(max_force="max_torque")
    def motor(self, velocity: float, max_torque: float = math.inf, **aliases: Unpack[MaxForce]) -> None:
        """Drive at `velocity` rad/s with at most `max_torque` N m; a `max_torque` of 0 turns the motor off.

        With None as body1 the velocity has the opposite sign of `rate`, as in ODE; see `Hinge`.
        """
        self.limit_motor.motor(velocity, max_torque)

    @also(max_force="max_torque")
    def servo(
        self,
        position: float = 0.0,
        *,
        stiffness: float,
        damping: float | None = None,
        max_torque: float = math.inf,
        velocity: float = 0.0,
        **aliases: Unpack[MaxForce],
    ) -> Servo:
        """Drive the angle to `position` by a spring and a damper (PD control), stable for any gains and step size.

        Torque = stiffness x (position - angle) + damping x (velocity - rate). Another call changes the same servo; `destroy` the
        servo to release the joint.

        Args:
            position: target angle, rad.
            stiffness: N m/rad.
            damping: N m s/rad; critical for the two bodies alone unless given.
            max_torque: limit of its torque, N m.
            velocity: target rate, rad/s.
        """
        servo = self._drive_to(position, velocity, stiffness, damping, max_torque)
        check_angles(self._say("the position of the servo"), (position,))
        return servo
