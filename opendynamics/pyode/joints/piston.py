"""Piston."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class PistonJoint(Joint):
    """Two bodies move along an axis and rotate about it."""

    __slots__ = ()

    _ode_kind = "Piston"
    _ode_parameters = "Piston"

    def setAnchor(self, pos: Any) -> None:
        self._ode_set(c.dJointSetPistonAnchor, *three(pos))

    def getAnchor(self) -> Vector:
        return self._ode_vector(c.dJointGetPistonAnchor)

    def getAnchor2(self) -> Vector:
        """Return the point on the second body."""
        return self._ode_vector(c.dJointGetPistonAnchor2)

    def setAxis(self, axis: Any) -> None:
        self._ode_set(c.dJointSetPistonAxis, *three(axis))

    def setAxisDelta(self, axis: Any, delta: Any) -> None:
        """Set the axis; the current position becomes the component of `delta` along it."""
        self._ode_set(c.dJointSetPistonAxisDelta, *three(axis), *three(delta))

    def getAxis(self) -> Vector:
        return self._ode_vector(c.dJointGetPistonAxis)

    def getPosition(self) -> float:
        """Return the position along the axis, m."""
        return self._ode_float(c.dJointGetPistonPosition)

    def getPositionRate(self) -> float:
        return self._ode_float(c.dJointGetPistonPositionRate)

    def getAngle(self) -> float:
        """Return the angle about the axis, rad."""
        return self._ode_float(c.dJointGetPistonAngle)

    def getAngleRate(self) -> float:
        return self._ode_float(c.dJointGetPistonAngleRate)

    def addForce(self, force: float) -> None:
        """Add a force along the axis, N, for the next step."""
        self._ode_set(c.dJointAddPistonForce, force)
