"""Hinge."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class HingeJoint(Joint):
    """Two bodies rotate about an axis."""

    __slots__ = ()

    _ode_kind = "Hinge"
    _ode_parameters = "Hinge"

    def setAnchor(self, pos: Any) -> None:
        """Set a point of the axis, in the world frame, m."""
        self._ode_set(c.dJointSetHingeAnchor, *three(pos))

    def getAnchor(self) -> Vector:
        return self._ode_vector(c.dJointGetHingeAnchor)

    def getAnchor2(self) -> Vector:
        """Return the point on the second body."""
        return self._ode_vector(c.dJointGetHingeAnchor2)

    def setAxis(self, axis: Any) -> None:
        """Set the direction of the axis; the current angle becomes 0."""
        self._ode_set(c.dJointSetHingeAxis, *three(axis))

    def setAxisAndAngleOffset(self, axis: Any, angle_offset: float) -> None:
        """Set the direction of the axis; the current angle becomes `angle_offset`."""
        self._ode_set(c.dJointSetHingeAxisOffset, *three(axis), angle_offset)

    def setAngleOffset(self, angle_offset: float) -> None:
        """Set the current angle to `angle_offset`."""
        self._ode_set(c.dJointSetHingeAxisOffset, *self.getAxis(), angle_offset)

    def getAxis(self) -> Vector:
        return self._ode_vector(c.dJointGetHingeAxis)

    def getAngle(self) -> float:
        """Return the angle, rad, from -pi to pi."""
        return self._ode_float(c.dJointGetHingeAngle)

    def getAngleRate(self) -> float:
        """Return the rate of the angle, rad/s."""
        return self._ode_float(c.dJointGetHingeAngleRate)

    def addTorque(self, torque: float) -> None:
        """Add a torque about the axis, N m, for the next step."""
        self._ode_set(c.dJointAddHingeTorque, torque)
