"""Hinge-2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opendynamics.api import checks
from opendynamics.api.joints.crossed import Crossed
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.joints.limit_motor import checked_stops
from opendynamics.api.joints.two_axes import checked_axes
from opendynamics.api.read_only import read_only
from opendynamics.api.springs import OWN, Spring, checked_spring, forget_spring, given_spring, set_spring, spring_of
from opendynamics.api.types import JointOptions, Stops, Vector
from opendynamics.core.constrain.joints.hinge2 import COSINE, SINE

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class _Options(JointOptions, total=False):
    limits1: Stops | None


class Hinge2(Crossed):
    """Steered wheel: two bodies share a point and rotate about one axis on each, with an optional suspension.

    Body1 is the chassis with the steering axis axis1, which is also the direction of the suspension and may have stops and a
    motor; body2 is the wheel with its axle axis2, which may have a motor. The angle between the axes is constant, but need not
    be a right angle. `angle1` increases as body1 rotates about axis1 relative to body2; `angle2`, as in ODE, increases as body2
    rotates about axis2 relative to body1, opposite to `angle2_rate`. As in ODE, `motor2` drives `angle2_rate`: a wheel rotates
    about axis2 at minus that velocity.

    Args:
        world: see `Joint`.
        body1, body2: two bodies. For a wheel on the static world use a kinematic body.
        anchor: the shared point, m, in the world frame; by default body1's origin.
        axis1: direction of the axis on body1 in the world frame; by default its x axis.
        axis2: direction of the axis on body2; by default its y axis.
        stops1: low and high stop about axis1, rad, between -pi and pi.
        suspension_stiffness, suspension_damping: make the joint a spring, N/m, with a damper, N s/m, along axis1, see
            `set_suspension`.
        suspension_erp, suspension_cfm: the same by ERP and CFM; by default the world's, which make it rigid.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "hinge2"

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
        suspension_stiffness: float | None = None,
        suspension_damping: float | None = None,
        suspension_erp: float | None = None,
        suspension_cfm: float | None = None,
        **options: Unpack[_Options],
    ) -> None:
        point = None if anchor is None else checks.vector("the anchor of a hinge2", anchor)
        axes = checked_axes("a hinge2", axis1, axis2)
        limits = None if stops1 is None else checked_stops("a hinge2", stops1)
        erp, cfm = suspension_erp, suspension_cfm
        spring = given_spring("of the suspension of a hinge2", suspension_stiffness, suspension_damping)
        if spring is not None and not (erp is None and cfm is None):
            raise TypeError(
                "the suspension of a hinge2 has either suspension_stiffness and suspension_damping or suspension_erp and "
                "suspension_cfm, which are equivalent; leave one pair out"
            )
        erp = None if erp is None else checks.usual_fraction("the suspension's ERP of a hinge2", erp)
        cfm = None if cfm is None else checks.usual("the suspension's CFM of a hinge2", cfm)
        require_bodies_to_place("a hinge2", body1, body2, point, *axes)
        super().__init__(world, body1, body2, **options)
        if point is not None:
            self.anchor = point
        if axis1 is not None or axis2 is not None:
            self.set_axes(*axes)
        if limits is not None:
            self.stops1 = limits
        if spring is not None:
            set_spring(self, OWN, spring, None)
        if erp is not None:
            self.suspension_erp = erp
        if cfm is not None:
            self.suspension_cfm = cfm

    @staticmethod
    def _require_bodies(world: World, body1: Body | None, body2: Body | None) -> None:
        Crossed._require_bodies(world, body1, body2)
        if (body1 is None) != (body2 is None):
            one = body1 if body2 is None else body2
            raise ValueError(
                f"a hinge2 joins two bodies, not {one.name if one else None} and the static world; "
                "use a kinematic body in place of the world, or a universal joint"
            )

    def _note_rest_position(self) -> None:
        self._set_anchors(self._anchor(0))
        self._forget_given_axes()

    def _put_axes(self, axes: list[Array], new: tuple[bool, bool] = (True, True)) -> None:
        super()._put_axes(axes, new)
        one, two = axes
        numbers = self._record["numbers"]
        numbers[SINE], numbers[COSINE] = np.linalg.norm(np.cross(one, two)), one @ two

    @property
    def anchor(self) -> Array:
        """The shared point on body1, m, shape (3,), in the world; body1's origin unless given.

        Setting it sets that of both bodies; the angles are 0 here.
        """
        return read_only(self._anchor(0))

    @anchor.setter
    def anchor(self, value: Vector) -> None:
        point = checks.vector(self._say("the anchor"), value)
        self._set_anchors(point)
        self._note_turns(0.0, 0.0)

    @property
    def anchor2(self) -> Array:
        """The shared point on body2, m, shape (3,); differs from `anchor` by the joint's error and the suspension travel."""
        return read_only(self._anchor(1))

    @property
    def suspension_erp(self) -> float:
        """Error reduction parameter along axis1; by default the world's when the joint was made."""
        return float(self._values["erp"])

    @suspension_erp.setter
    def suspension_erp(self, value: float) -> None:
        erp = checks.usual_fraction(self._say("the suspension's ERP"), value)
        forget_spring(self, OWN)
        self._record["erp"] = erp

    @property
    def suspension_cfm(self) -> float:
        """Constraint force mixing along axis1; by default the world's when the joint was made."""
        return float(self._values["cfm"])

    @suspension_cfm.setter
    def suspension_cfm(self, value: float) -> None:
        cfm = checks.usual(self._say("the suspension's CFM"), value)
        forget_spring(self, OWN)
        self._record["cfm"] = cfm

    def set_suspension(self, stiffness: float, damping: float, h: float | None = None) -> None:
        """Make the joint a spring with a damper along axis1: sets `suspension_erp` and `suspension_cfm`.

        The spring is the same at every step size: ERP and CFM are converted at the start of a step, and read as in the last step.
        Setting one of them afterwards ends the spring; the other one keeps its value.

        Args:
            stiffness: N/m.
            damping: N s/m.
            h: step size, s, for which ERP and CFM are set once; optional.
        """
        set_spring(self, OWN, checked_spring(f"of the suspension of {self.name}", stiffness, damping), h)

    @property
    def suspension(self) -> Spring | None:
        """The spring along axis1; None: `suspension_erp` and `suspension_cfm` are set directly."""
        return spring_of(self, OWN)
