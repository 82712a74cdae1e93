"""Prismatic and universal joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.joints.crossed import RightAngled
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.joints.limit_motor import LimitMotor, checked_stops
from opendynamics.api.joints.sliding import OdesRows
from opendynamics.api.joints.two_axes import checked_axes
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions, Stops, Vector
from opendynamics.core.constrain.joints.pu import SLIDE

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class _Options(JointOptions, total=False):
    limits1: Stops | None
    limits2: Stops | None
    limits: Stops | None


class PU(RightAngled, OdesRows):
    """Prismatic and universal joint: a slider with a universal joint at its end.

    The slider is on the first body that is not None, the anchor of the universal joint on the other. The position is 0 where
    the anchor was set, the angles where anchor or axes were set; they increase as body1 moves along the slider and rotates
    about the axes relative to body2.

    If body1 is None, angles and rates are those of body2, as in ODE, and the first of `limit_motors` is about axis2.

    Args:
        world, body1, body2: see `Joint`.
        anchor: position of the universal joint, m, in the world frame; by default body2's origin, or that of the only body.
        axis1: direction of the axis on body1 in the world frame; by default its y axis.
        axis2: direction of the axis on body2, perpendicular to `axis1`; by default its z axis.
        prismatic_axis: direction of the slider; by default the first body's x axis.
        stops1, stops2: low and high stop about the axes, rad, between -pi and pi; see `limit_motors`.
        stops: low and high stop of the slider, m.
        like_ode: see the property; by default that of the world.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "pu"

    _slide = 2
    _position = 2

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
        prismatic_axis: Vector | None = None,
        stops1: Stops | None = None,
        stops2: Stops | None = None,
        stops: Stops | None = None,
        like_ode: bool | None = None,
        **options: Unpack[_Options],
    ) -> None:
        point = None if anchor is None else checks.vector("the anchor of a pu joint", anchor)
        axes = checked_axes("a pu joint", axis1, axis2)
        slide = None if prismatic_axis is None else checks.direction("the slider of a pu joint", prismatic_axis)
        limits = [None if given is None else checked_stops("a pu joint", given) for given in (stops1, stops2, stops)]
        odes_rows = self._is_like_ode(world, like_ode)
        require_bodies_to_place("a pu joint", body1, body2, point, *axes, slide)
        super().__init__(world, body1, body2, **options)
        self.like_ode = odes_rows
        if point is not None:
            self.anchor = point
        if axis1 is not None or axis2 is not None:
            self.set_axes(*axes)
        if slide is not None:
            self.prismatic_axis = slide
        for limit_motor, given in zip(self.limit_motors, limits, strict=True):
            if given is not None:
                limit_motor.stops = given

    def _set_defaults(self) -> None:
        super()._set_defaults()
        self._record["axis0"] = (0.0, 1.0, 0.0)
        self._record["axis1"] = (0.0, 0.0, 1.0)
        self._record["numbers"][SLIDE : SLIDE + 3] = (1.0, 0.0, 0.0)

    def _note_rest_position(self) -> None:
        self._set_anchors(self._rest_anchor(1))
        self._forget_given_axes()

    @property
    def limit_motors(self) -> tuple[LimitMotor, ...]:
        """Stops and motor about the axis of the first body that is not None, about the other, and of the slider."""
        return LimitMotor(self, 0), LimitMotor(self, 1), LimitMotor(self, 2)

    @property
    def anchor(self) -> Array:
        """Position of the universal joint, m, shape (3,), in the world, on its body: the body's origin unless given.

        Setting it makes every coordinate 0 here.
        """
        return read_only(self._anchor(1))

    @anchor.setter
    def anchor(self, value: Vector) -> None:
        self.set_anchor_offset(value, (0.0, 0.0, 0.0))

    def set_anchor_offset(self, anchor: Vector, offset: Vector) -> None:
        """Set the anchor so that the current position is the component of the vector `offset`, m, along the slider."""
        point = checks.vector(self._say("the anchor"), anchor)
        shift = checks.vector(self._say("the offset"), offset)
        self._set_anchors_apart(point, [-x for x in shift] if self.reversed else shift)
        self._note_turns(0.0, 0.0)

    def set_anchor_delta(self, anchor: Vector, delta: Vector) -> None:
        """Set the anchor so that the position is 0 when the slider's body is `delta` m further (AnchorDelta)."""
        point = checks.vector(self._say("the anchor"), anchor)
        shift = checks.vector(self._say("the delta"), delta)
        self._set_anchors_apart(point, [-x for x in shift])
        self._note_turns(0.0, 0.0)

    @property
    def prismatic_axis(self) -> Array:
        """Direction of the slider in the world, a unit vector, shape (3,). Setting it makes the angles 0 here."""
        return read_only(self._inner_bodies[0].vector_to_world(self._values["numbers"][SLIDE : SLIDE + 3]))

    @prismatic_axis.setter
    def prismatic_axis(self, value: Vector) -> None:
        direction = checks.direction(self._say("the slider"), value)
        self._record["numbers"][SLIDE : SLIDE + 3] = self._inner_bodies[0].vector_from_world(direction)
        self._note_turns(0.0, 0.0)

    axis3 = Alias[Array, Vector]("prismatic_axis")
