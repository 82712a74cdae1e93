"""Linear motor."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class LMotor(Joint):
    """Moves two bodies against each other along up to three axes."""

    __slots__ = ()

    _ode_kind = "LMotor"
    _ode_parameters = "LMotor"

    def setNumAxes(self, num: int) -> None:
        """Set how many axes are driven, 0 to 3."""
        c.dJointSetLMotorNumAxes(self._ode_id, num)

    def getNumAxes(self) -> int:
        return int(c.dJointGetLMotorNumAxes(self._ode_id))

    def setAxis(self, anum: int, rel: int, axis: Any) -> None:
        """Set axis 0, 1 or 2, in the world, standing still (`rel` 0) or moving with body 1 or 2."""
        self._ode_set(c.dJointSetLMotorAxis, anum, rel, *three(axis))

    def getAxis(self, anum: int) -> Vector:
        return self._ode_vector(c.dJointGetLMotorAxis, anum)
