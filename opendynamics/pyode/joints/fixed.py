"""Fixed joint."""

from __future__ import annotations

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint


class FixedJoint(Joint):
    """Two bodies that do not move against each other."""

    __slots__ = ()

    _ode_kind = "Fixed"
    _ode_parameters = "Fixed"

    def setFixed(self) -> None:
        """Hold the bodies as they are now."""
        self._ode_set(c.dJointSetFixed)
