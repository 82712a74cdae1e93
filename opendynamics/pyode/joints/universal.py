"""Universal joint."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class UniversalJoint(Joint):
    """Two bodies share a point and rotate about two perpendicular axes."""

    __slots__ = ()

    _ode_kind = "Universal"
    _ode_parameters = "Universal"

    def setAnchor(self, pos: Any) -> None:
        """Set the shared point, in the world frame, m."""
        self._ode_set(c.dJointSetUniversalAnchor, *three(pos))

    def getAnchor(self) -> Vector:
        return self._ode_vector(c.dJointGetUniversalAnchor)

    def getAnchor2(self) -> Vector:
        """Return the point on the second body."""
        return self._ode_vector(c.dJointGetUniversalAnchor2)

    def setAxis1(self, axis: Any) -> None:
        """Set the axis on the first body."""
        self._ode_set(c.dJointSetUniversalAxis1, *three(axis))

    def getAxis1(self) -> Vector:
        return self._ode_vector(c.dJointGetUniversalAxis1)

    def setAxis2(self, axis: Any) -> None:
        """Set the axis on the second body."""
        self._ode_set(c.dJointSetUniversalAxis2, *three(axis))

    def getAxis2(self) -> Vector:
        return self._ode_vector(c.dJointGetUniversalAxis2)

    def getAngle1(self) -> float:
        """Return the angle about the first axis, rad."""
        return self._ode_float(c.dJointGetUniversalAngle1)

    def getAngle1Rate(self) -> float:
        return self._ode_float(c.dJointGetUniversalAngle1Rate)

    def getAngle2(self) -> float:
        return self._ode_float(c.dJointGetUniversalAngle2)

    def getAngle2Rate(self) -> float:
        return self._ode_float(c.dJointGetUniversalAngle2Rate)

    def addTorques(self, torque1: float, torque2: float) -> None:
        """Add torques about both axes, N m, for the next step."""
        self._ode_set(c.dJointAddUniversalTorques, torque1, torque2)
