"""Universal joint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api import checks
from opendynamics.api.joints.crossed import RightAngled
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.joints.limit_motor import checked_stops
from opendynamics.api.joints.two_axes import an_axis, checked_axes
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions, Stops, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class _Options(JointOptions, total=False):
    limits1: Stops | None
    limits2: Stops | None


class Universal(RightAngled):
    """Universal joint: two bodies share a point, and an axis of each stays perpendicular to the other's, as in a drive shaft.

    The angles increase as body1 rotates about the axes relative to body2.

    If body1 is None, they are those of body2, as in ODE: the angles (except `angle2`) and both rates increase as body2 rotates
    about the axes, and the first of `limit_motors` is about axis2, which is fixed to body2.

    Args:
        world, body1, body2: see `Joint`.
        anchor: the shared point, m, in the world frame; by default body1's origin, or that of the only body.
        axis1: direction of the axis on body1 in the world frame; by default its x axis.
        axis2: direction of the axis on body2, perpendicular to `axis1`; by default its y axis.
        stops1, stops2: low and high stop about the axes, rad, between -pi and pi; see `limit_motors`.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "universal"

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        anchor: Vector | None = None,
        axis1: Vector | None = None,
        axis2: Vector | None = None,
        stops1: Stops | None = None,
        stops2: Stops | None = None,
        **options: Unpack[_Options],
    ) -> None:
        point = None if anchor is None else checks.vector("the anchor of a universal joint", anchor)
        axes = checked_axes("a universal joint", axis1, axis2)
        limits1 = None if stops1 is None else checked_stops("a universal joint", stops1)
        limits2 = None if stops2 is None else checked_stops("a universal joint", stops2)
        require_bodies_to_place("a universal joint", body1, body2, point, *axes)
        super().__init__(world, body1, body2, **options)
        if point is not None:
            self.anchor = point
        if axis1 is not None or axis2 is not None:
            self.set_axes(*axes)
        if limits1 is not None:
            self.stops1 = limits1
        if limits2 is not None:
            self.stops2 = limits2

    def _note_rest_position(self) -> None:
        self._set_anchors(self._rest_anchor(self._inner(0)))
        self._forget_given_axes()

    @property
    def anchor(self) -> Array:
        """The shared point on body1, m, shape (3,), in the world; body1's origin unless given.

        Setting it sets that of both bodies; the angles are 0 here.
        """
        return read_only(self._anchor(self._inner(0)))

    @anchor.setter
    def anchor(self, value: Vector) -> None:
        point = checks.three(self._say, "the anchor", value)
        self._set_anchors(point)
        self._note_turns(0.0, 0.0)

    @property
    def anchor2(self) -> Array:
        """The shared point on body2, m, shape (3,); differs from `anchor` by the joint's error."""
        return read_only(self._anchor(self._inner(1)))

    def set_axis1_offset(self, axis: Vector, angle1: float, angle2: float) -> None:
        """Set axis1 so that the angles here are `angle1` and `angle2` rad."""
        self._set_offset(an_axis(axis), None, angle1, angle2)

    def set_axis2_offset(self, axis: Vector, angle1: float, angle2: float) -> None:
        """Set axis2 so that the angles here are `angle1` and `angle2` rad."""
        self._set_offset(None, an_axis(axis), angle1, angle2)

    def _set_offset(self, axis1: Any, axis2: Any, angle1: float, angle2: float) -> None:
        one = checks.finite(self._say("angle 1"), angle1)
        two = checks.finite(self._say("angle 2"), angle2)
        self.set_axes(axis1, axis2)
        self._note_turns(*((-two, one) if self.reversed else (one, two)))
