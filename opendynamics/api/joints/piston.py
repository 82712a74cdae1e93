"""Piston."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opendynamics.api import checks
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.joints.limit_motor import checked_stops
from opendynamics.api.joints.sliding import SlidingHinge, take_odes_rate
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions, Stops, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class _Options(JointOptions, total=False):
    limits: Stops | None
    angle_limits: Stops | None


class Piston(SlidingHinge):
    """Piston (cylindrical joint): two bodies slide along one axis and rotate about it.

    The position is 0 where the anchor was set, the angle where anchor or axis were set; they increase as body1 moves along and
    rotates about the axis relative to body2.

    Args:
        world, body1, body2: see `Joint`.
        anchor: a point on the axis, m, in the world frame; by default body1's origin, or that of the only body.
        axis: direction of the axis in the world frame; x by default.
        stops: low and high stop along the axis, m.
        angle_stops: low and high stop about the axis, rad, between -pi and pi.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "piston"

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
        angle_stops: Stops | None = None,
        **options: Unpack[_Options],
    ) -> None:
        point = None if anchor is None else checks.vector("the anchor of a piston", anchor)
        along = None if axis is None else checks.direction("the axis of a piston", axis)
        limits = None if stops is None else checked_stops("a piston", stops)
        angle_limits = None if angle_stops is None else checked_stops("a piston's angle", angle_stops)
        require_bodies_to_place("a piston", body1, body2, point, along)
        super().__init__(world, body1, body2, **options)
        if point is not None:
            self.anchor = point
        if along is not None:
            self.axis = along
        if limits is not None:
            self.stops = limits
        if angle_limits is not None:
            self.angle_stops = angle_limits

    def _set_defaults(self) -> None:
        super()._set_defaults()
        take_odes_rate(self)

    def _note_rest_position(self) -> None:
        self._set_anchors(self._rest_anchor(self._inner(0)))
        self._set_axes(self._axis(0))
        self._note_relative_orientation()

    @property
    def anchor(self) -> Array:
        """The anchor on body1, m, shape (3,), in the world; body1's origin unless given.

        Setting it sets that of both bodies; position and angle are 0 here.
        """
        return read_only(self._anchor(self._inner(0)))

    @anchor.setter
    def anchor(self, value: Vector) -> None:
        self.set_anchor_offset(value, (0.0, 0.0, 0.0))

    @property
    def anchor2(self) -> Array:
        """The anchor on body2, m, shape (3,); on the axis, differs from `anchor` by the position and the joint's error."""
        return read_only(self._anchor(self._inner(1)))

    def set_anchor_offset(self, anchor: Vector, offset: Vector) -> None:
        """Set the anchor so that the current position is the component of the vector `offset`, m, along the axis."""
        point = checks.vector(self._say("the anchor"), anchor)
        shift = checks.vector(self._say("the offset"), offset)
        self._set_anchors_apart(point, [-x for x in shift] if self.reversed else shift)
        self._note_relative_orientation()

    @property
    def axis(self) -> Array:
        """Direction of the axis in the world, a unit vector, shape (3,); x unless given. Setting it makes the angle 0 here."""
        return read_only(self._axis(0))

    @axis.setter
    def axis(self, value: Vector) -> None:
        direction = checks.direction(self._say("the axis"), value)
        self._set_axes(direction)
        self._note_relative_orientation()

    def set_axis_delta(self, axis: Vector, delta: Vector) -> None:
        """Set the axis, and the current position to the component of the vector `delta`, m, along it (ODE's AxisDelta)."""
        shift = checks.vector(self._say("the delta"), delta)
        self.axis = axis
        self.set_anchor_offset(self._anchor(1), shift)

    def add_force(self, force: float) -> None:
        """Add a force along the axis, N, to body1, and the opposite one to body2, for the next step.

        Between two bodies it acts at the anchors, so that both forces are collinear and cause no net torque.
        """
        f = checks.finite(self._say("the force"), force)
        first, second = self._inner_bodies
        vector = f * self.axis
        self._add_force_pair(vector)
        if second is not None:
            first.add_torque(np.cross(self._anchor(0) - first.position, vector))
            second.add_torque(np.cross(self._anchor(1) - second.position, -vector))
