"""Plane joint."""

from __future__ import annotations

from typing import NoReturn

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.joints.params import JointParams


class Plane2DJoint(Joint):
    """A body moves in the plane z = 0 and rotates about z. Its parameters are set for each direction, and cannot be read."""

    __slots__ = ()

    _ode_kind = "Plane2D"

    def setXParam(self, param: int, value: float) -> None:
        c.dJointSetPlane2DXParam(self._ode_id, param, value)

    def setYParam(self, param: int, value: float) -> None:
        c.dJointSetPlane2DYParam(self._ode_id, param, value)

    def setAngleParam(self, param: int, value: float) -> None:
        c.dJointSetPlane2DAngleParam(self._ode_id, param, value)

    def dontGetParam(self, param: int) -> NoReturn:
        """Raise NotImplementedError: ODE does not return these parameters."""
        raise NotImplementedError(f"parameter {param} of a Plane2DJoint can be set, but not read")

    @property
    def paramX(self) -> JointParams:
        """Parameters along x as attributes."""
        return JointParams(self.dontGetParam, self.setXParam)

    @property
    def paramY(self) -> JointParams:
        """Parameters along y as attributes."""
        return JointParams(self.dontGetParam, self.setYParam)

    @property
    def paramAngle(self) -> JointParams:
        """Parameters of the angle about z as attributes."""
        return JointParams(self.dontGetParam, self.setAngleParam)
