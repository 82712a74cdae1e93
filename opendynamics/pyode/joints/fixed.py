"""Fixed joint."""

from __future__ import annotations

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint


class FixedJoint(Joint):
    """Locks the relative pose of two bodies."""

    __slots__ = ()

    _ode_kind = "Fixed"
    _ode_parameters = "Fixed"

    def setFixed(self) -> None:
        """Lock the bodies at their current relative pose."""
        self._ode_set(c.dJointSetFixed)
