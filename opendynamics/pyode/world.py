"""World."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.handle import Handle
from opendynamics.pyode.lifetime import stepping
from opendynamics.pyode.sequences import Vector, three, vector


class World(Handle):
    """Bodies and joints that interact. `step` is ODE's exact step, `quickStep` its QuickStep."""

    __slots__ = ()

    def _ode_make(self) -> Any:
        return c.dWorldCreate()

    def setGravity(self, gravity: Any) -> None:
        """Set gravity, m/s²."""
        c.dWorldSetGravity(self._ode_id, *three(gravity))

    def getGravity(self) -> Vector:
        return vector(c.dWorldGetGravity(self._ode_id))

    def setERP(self, erp: float) -> None:
        """Set the error reduction parameter."""
        c.dWorldSetERP(self._ode_id, erp)

    def getERP(self) -> float:
        return float(c.dWorldGetERP(self._ode_id))

    def setCFM(self, cfm: float) -> None:
        """Set the constraint force mixing."""
        c.dWorldSetCFM(self._ode_id, cfm)

    def getCFM(self) -> float:
        return float(c.dWorldGetCFM(self._ode_id))

    # -- steps -----------------------------------------------------------------------------------------------------

    def step(self, stepsize: float) -> None:
        """Take one exact step of `stepsize` s."""
        with stepping():
            c.dWorldStep(self._ode_id, stepsize)

    def quickStep(self, stepsize: float) -> None:
        """Take one step of `stepsize` s with ODE's iterations."""
        with stepping():
            c.dWorldQuickStep(self._ode_id, stepsize)

    def setQuickStepNumIterations(self, num: int) -> None:
        c.dWorldSetQuickStepNumIterations(self._ode_id, num)

    def getQuickStepNumIterations(self) -> int:
        return int(c.dWorldGetQuickStepNumIterations(self._ode_id))

    def impulseToForce(self, stepsize: float, impulse: Any) -> Vector:
        """Return the force that is equivalent to an impulse in one step of `stepsize` s."""
        return vector(c.dWorldImpulseToForce(self._ode_id, stepsize, *three(impulse)))

    # -- contacts --------------------------------------------------------------------------------------------------

    def setContactMaxCorrectingVel(self, vel: float) -> None:
        """Set the maximum velocity, m/s, at which contacts correct penetration."""
        c.dWorldSetContactMaxCorrectingVel(self._ode_id, vel)

    def getContactMaxCorrectingVel(self) -> float:
        return float(c.dWorldGetContactMaxCorrectingVel(self._ode_id))

    def setContactSurfaceLayer(self, depth: float) -> None:
        """Set the penetration depth, m, that is not corrected."""
        c.dWorldSetContactSurfaceLayer(self._ode_id, depth)

    def getContactSurfaceLayer(self) -> float:
        return float(c.dWorldGetContactSurfaceLayer(self._ode_id))

    # -- sleeping and damping of the bodies created later -----------------------------------------------------------

    def setAutoDisableFlag(self, flag: int) -> None:
        c.dWorldSetAutoDisableFlag(self._ode_id, flag)

    def getAutoDisableFlag(self) -> int:
        return int(c.dWorldGetAutoDisableFlag(self._ode_id))

    def setAutoDisableLinearThreshold(self, threshold: float) -> None:
        """Set the velocity, m/s, below which a body counts as idle."""
        c.dWorldSetAutoDisableLinearThreshold(self._ode_id, threshold)

    def getAutoDisableLinearThreshold(self) -> float:
        return float(c.dWorldGetAutoDisableLinearThreshold(self._ode_id))

    def setAutoDisableAngularThreshold(self, threshold: float) -> None:
        """Set the angular velocity, rad/s, below which a body counts as idle."""
        c.dWorldSetAutoDisableAngularThreshold(self._ode_id, threshold)

    def getAutoDisableAngularThreshold(self) -> float:
        return float(c.dWorldGetAutoDisableAngularThreshold(self._ode_id))

    def setAutoDisableSteps(self, steps: int) -> None:
        c.dWorldSetAutoDisableSteps(self._ode_id, steps)

    def getAutoDisableSteps(self) -> int:
        return int(c.dWorldGetAutoDisableSteps(self._ode_id))

    def setAutoDisableTime(self, time: float) -> None:
        c.dWorldSetAutoDisableTime(self._ode_id, time)

    def getAutoDisableTime(self) -> float:
        return float(c.dWorldGetAutoDisableTime(self._ode_id))

    def setLinearDamping(self, scale: float) -> None:
        """Set the fraction of the velocity that is removed in a step."""
        c.dWorldSetLinearDamping(self._ode_id, scale)

    def getLinearDamping(self) -> float:
        return float(c.dWorldGetLinearDamping(self._ode_id))

    def setAngularDamping(self, scale: float) -> None:
        """Set the fraction of the angular velocity that is removed in a step."""
        c.dWorldSetAngularDamping(self._ode_id, scale)

    def getAngularDamping(self) -> float:
        return float(c.dWorldGetAngularDamping(self._ode_id))
