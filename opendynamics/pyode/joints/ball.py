"""Ball joint."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class BallJoint(Joint):
    """Two bodies share a point. As in PyODE, its parameters have no effect and are 0."""

    __slots__ = ()

    _ode_kind = "Ball"

    def setAnchor(self, pos: Any) -> None:
        """Set the shared point, in the world frame, m."""
        self._ode_set(c.dJointSetBallAnchor, *three(pos))

    def getAnchor(self) -> Vector:
        return self._ode_vector(c.dJointGetBallAnchor)

    def getAnchor2(self) -> Vector:
        """Return the point on the second body."""
        return self._ode_vector(c.dJointGetBallAnchor2)
