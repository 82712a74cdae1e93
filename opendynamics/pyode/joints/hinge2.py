"""Hinge-2."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class Hinge2Joint(Joint):
    """A chassis and a wheel: a steering axis with suspension, and an axle."""

    __slots__ = ()

    _ode_kind = "Hinge2"
    _ode_parameters = "Hinge2"

    def setAnchor(self, pos: Any) -> None:
        """Set the shared point, in the world frame, m."""
        self._ode_set(c.dJointSetHinge2Anchor, *three(pos))

    def getAnchor(self) -> Vector:
        return self._ode_vector(c.dJointGetHinge2Anchor)

    def getAnchor2(self) -> Vector:
        """Return the point on the second body."""
        return self._ode_vector(c.dJointGetHinge2Anchor2)

    def setAxis1(self, axis: Any) -> None:
        """Set the axis on the first body."""
        self._ode_set(c.dJointSetHinge2Axis1, *three(axis))

    def getAxis1(self) -> Vector:
        return self._ode_vector(c.dJointGetHinge2Axis1)

    def setAxis2(self, axis: Any) -> None:
        """Set the axis on the second body."""
        self._ode_set(c.dJointSetHinge2Axis2, *three(axis))

    def getAxis2(self) -> Vector:
        return self._ode_vector(c.dJointGetHinge2Axis2)

    def getAngle1(self) -> float:
        """Return the angle about the first axis, rad."""
        return self._ode_float(c.dJointGetHinge2Angle1)

    def getAngle1Rate(self) -> float:
        return self._ode_float(c.dJointGetHinge2Angle1Rate)

    def getAngle2(self) -> float:
        return self._ode_float(c.dJointGetHinge2Angle2)

    def getAngle2Rate(self) -> float:
        return self._ode_float(c.dJointGetHinge2Angle2Rate)

    def addTorques(self, torque1: float, torque2: float) -> None:
        """Add torques about both axes, N m, for the next step."""
        self._ode_set(c.dJointAddHinge2Torques, torque1, torque2)
