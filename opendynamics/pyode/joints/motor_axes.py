"""Base of angular and linear motors: up to three axes, fixed to the world or to a body."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.api import checks
from opendynamics.pyode.body import Body
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class MotorAxes(Joint):
    """A motor along or about up to three axes.

    As in ODE, axes fixed to the world can be set before the motor is attached; they are passed on when it is.
    """

    __slots__ = ("_ode_early",)

    def _ode_places(self, world: Any, jointgroup: Any) -> tuple[Any, Any]:
        self._ode_early: dict[int, tuple[float, ...]] = {}
        return super()._ode_places(world, jointgroup)

    def attach(self, body1: Body | None, body2: Body | None) -> None:
        """Attach two bodies, or a body and None, the static world; None twice detaches the motor."""
        super().attach(body1, body2)
        early, self._ode_early = (self._ode_early, {}) if self._ode_bodies != (None, None) else ({}, self._ode_early)
        for anum, axis in early.items():
            self.setAxis(anum, 0, axis)

    def setNumAxes(self, num: int) -> None:
        """Set the number of driven axes, 0 to 3; an angular motor in Euler mode always has 3."""
        getattr(c, f"dJointSet{self._ode_kind}NumAxes")(self._ode_id, num)

    def getNumAxes(self) -> int:
        return int(getattr(c, f"dJointGet{self._ode_kind}NumAxes")(self._ode_id))

    def setAxis(self, anum: int, rel: int, axis: Any) -> None:
        """Set axis 0, 1 or 2, given in the world frame, fixed to the world (`rel` 0) or to body 1 or 2.

        Raises:
            ValueError: if the axis is to be fixed to a body, and the motor is not attached.
        """
        if self._ode_known:
            getattr(c, f"dJointSet{self._ode_kind}Axis")(self._ode_id, anum, rel, *three(axis))
            return
        if rel:
            raise ValueError(f"axis {anum} is to move with body {rel}, but the motor joins nothing: attach it first")
        number = checks.count("the number of a motor's axis", anum, most=2)
        self._ode_early[number] = checks.direction("the axis of a motor", three(axis))

    def getAxis(self, anum: int) -> Vector:
        number = checks.count("the number of a motor's axis", anum, most=2)
        x, y, z = self._ode_early.get(number) or self._ode_vector(getattr(c, f"dJointGet{self._ode_kind}Axis"), anum)
        return x, y, z
