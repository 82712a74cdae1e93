"""Prismatic and universal joint."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class PUJoint(Joint):
    """A slider along axis 3 (axis P), and a universal joint about axes 1 and 2."""

    __slots__ = ()

    _ode_kind = "PU"
    _ode_parameters = "PU"

    def setAnchor(self, pos: Any) -> None:
        self._ode_set(c.dJointSetPUAnchor, *three(pos))

    def setAnchorDelta(self, pos: Any, delta: Any) -> None:
        """Set the anchor; the position is 0 when the slider's body is `delta` further."""
        self._ode_set(c.dJointSetPUAnchorDelta, *three(pos), *three(delta))

    def getAnchor(self) -> Vector:
        return self._ode_vector(c.dJointGetPUAnchor)

    def setAxis1(self, axis: Any) -> None:
        self._ode_set(c.dJointSetPUAxis1, *three(axis))

    def getAxis1(self) -> Vector:
        return self._ode_vector(c.dJointGetPUAxis1)

    def setAxis2(self, axis: Any) -> None:
        self._ode_set(c.dJointSetPUAxis2, *three(axis))

    def getAxis2(self) -> Vector:
        return self._ode_vector(c.dJointGetPUAxis2)

    def setAxis3(self, axis: Any) -> None:
        self._ode_set(c.dJointSetPUAxis3, *three(axis))

    def getAxis3(self) -> Vector:
        return self._ode_vector(c.dJointGetPUAxis3)

    def setAxisP(self, axis: Any) -> None:
        self._ode_set(c.dJointSetPUAxisP, *three(axis))

    def getAxisP(self) -> Vector:
        return self._ode_vector(c.dJointGetPUAxisP)

    def getPosition(self) -> float:
        """Return the slider's position, m."""
        return self._ode_float(c.dJointGetPUPosition)

    def getPositionRate(self) -> float:
        return self._ode_float(c.dJointGetPUPositionRate)

    def getAngles(self) -> tuple[float, float]:
        """Return both angles of the universal joint, rad."""
        return self.getAngle1(), self.getAngle2()

    def getAngle1(self) -> float:
        return self._ode_float(c.dJointGetPUAngle1)

    def getAngle1Rate(self) -> float:
        return self._ode_float(c.dJointGetPUAngle1Rate)

    def getAngle2(self) -> float:
        return self._ode_float(c.dJointGetPUAngle2)

    def getAngle2Rate(self) -> float:
        return self._ode_float(c.dJointGetPUAngle2Rate)
