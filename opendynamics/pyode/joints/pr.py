"""Prismatic and rotoide joint."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class PRJoint(Joint):
    """A slider along axis 1 and a hinge about axis 2."""

    __slots__ = ()

    _ode_kind = "PR"
    _ode_parameters = "PR"

    def setAnchor(self, pos: Any) -> None:
        self._ode_set(c.dJointSetPRAnchor, *three(pos))

    def getAnchor(self) -> Vector:
        return self._ode_vector(c.dJointGetPRAnchor)

    def setAxis1(self, axis: Any) -> None:
        """Set the slider's axis."""
        self._ode_set(c.dJointSetPRAxis1, *three(axis))

    def getAxis1(self) -> Vector:
        return self._ode_vector(c.dJointGetPRAxis1)

    def setAxis2(self, axis: Any) -> None:
        """Set the hinge's axis."""
        self._ode_set(c.dJointSetPRAxis2, *three(axis))

    def getAxis2(self) -> Vector:
        return self._ode_vector(c.dJointGetPRAxis2)

    def getPosition(self) -> float:
        """Return the slider's position, m."""
        return self._ode_float(c.dJointGetPRPosition)
