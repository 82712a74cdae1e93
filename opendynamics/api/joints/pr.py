"""Prismatic and rotoide joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.joints.limit_motor import checked_stops
from opendynamics.api.joints.sliding import OdesRows, SlidingHinge
from opendynamics.api.joints.two_axes import TwoAxes, checked_axes
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions, Stops, Vector
from opendynamics.core.constrain.joints.pr import HINGE

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class _Options(JointOptions, total=False):
    limits: Stops | None
    angle_limits: Stops | None


class PR(TwoAxes, SlidingHinge, OdesRows):
    """Prismatic and revolute joint (ODE: prismatic and rotoide): a slider along axis1 with a hinge about axis2 at its end.

    The slider is on the first body that is not None, the hinge's anchor on the other. The position is 0 where the anchor was
    set, the angle where the axes were set; they increase as body1 moves along axis1 and rotates about axis2 relative to body2.

    Args:
        world, body1, body2: see `Joint`.
        anchor: position of the hinge, m, in the world frame; by default body2's origin, or that of the only body.
        axis1: direction of the slider in the world frame; by default the first body's y axis.
        axis2: direction of the hinge, perpendicular to `axis1`; by default the first body's x axis.
        stops: low and high stop of the slider, m.
        angle_stops: low and high stop of the hinge, rad, between -pi and pi.
        like_ode: see the property; by default that of the world.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "pr"

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
        stops: Stops | None = None,
        angle_stops: Stops | None = None,
        like_ode: bool | None = None,
        **options: Unpack[_Options],
    ) -> None:
        point = None if anchor is None else checks.vector("the anchor of a pr joint", anchor)
        axes = checked_axes("a pr joint", axis1, axis2)
        limits = None if stops is None else checked_stops("a pr joint", stops)
        angle_limits = None if angle_stops is None else checked_stops("a pr joint's angle", angle_stops)
        odes_rows = self._is_like_ode(world, like_ode)
        require_bodies_to_place("a pr joint", body1, body2, point, *axes)
        super().__init__(world, body1, body2, **options)
        self.like_ode = odes_rows
        if point is not None:
            self.anchor = point
        if axis1 is not None or axis2 is not None:
            self.set_axes(*axes)
        if limits is not None:
            self.stops = limits
        if angle_limits is not None:
            self.angle_stops = angle_limits

    def _set_defaults(self) -> None:
        super()._set_defaults()
        self._record["axis0"] = (0.0, 1.0, 0.0)
        self._record["numbers"][HINGE : HINGE + 3] = (1.0, 0.0, 0.0)

    def _note_rest_position(self) -> None:
        self._set_anchors(self._rest_anchor(1))
        self._forget_given_axes()

    def _get_axes(self) -> list[Array]:
        return [self._axis(0), self._turning_axis()]

    def _turning_axis(self) -> Array:
        return self._inner_bodies[0].vector_to_world(self._values["numbers"][HINGE : HINGE + 3])

    def _put_axes(self, axes: list[Array], new: tuple[bool, bool] = (True, True)) -> None:
        slide, hinge = axes
        self._set_axis(0, slide)
        if new[1]:  # else the hinge keeps its error, to be corrected
            self._set_axis(1, hinge)
            self._record["numbers"][HINGE : HINGE + 3] = self._inner_bodies[0].vector_from_world(hinge)
        self._note_relative_orientation()

    @property
    def anchor(self) -> Array:
        """Position of the hinge, m, shape (3,), in the world, on its body: the body's origin unless given.

        Setting it makes the position 0 here.
        """
        return read_only(self._anchor(1))

    @anchor.setter
    def anchor(self, value: Vector) -> None:
        point = checks.vector(self._say("the anchor"), value)
        self._set_anchors(point)
