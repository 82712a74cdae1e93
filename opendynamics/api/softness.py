"""Springs and dampers as ERP (error reduction parameter) and CFM (constraint force mixing).

A constraint with error x and velocity J v gets, at the end of a step of h s, the force

    F = -k (x + h J v) - c J v

of a spring k and a damper c, if its row has

    erp = h k / (h k + c),   cfm = 1 / (h k + c).

Source: the manual of ODE, section 3.8.2. Both depend on h: fixed values are another spring at another step size.
"""

from __future__ import annotations

from typing import NamedTuple

from opendynamics.api import checks
from opendynamics.api.suggestions import explain_calls, explain_function


@explain_calls
class Softness(NamedTuple):
    """ERP and CFM of a spring and a damper at a step size; created by `softness`.

    Attributes:
        erp: fraction of the error that is corrected in a step.
        cfm: constraint force mixing, s/kg along an axis, rad/(N m s) about one.
    """

    erp: float
    cfm: float

    def stiffness(self, h: float) -> float:
        """Stiffness of the spring for steps of h s: N/m, or N m/rad. ValueError for a CFM of 0, which is rigid."""
        return self.erp / (checks.step_size(h) * self._compliance)

    def damping(self, h: float) -> float:
        """Damping for steps of h s: N s/m, or N m s/rad. ValueError for a CFM of 0, which is rigid."""
        checks.step_size(h)
        return (1.0 - self.erp) / self._compliance

    @property
    def _compliance(self) -> float:
        if not self.cfm > 0.0:
            raise ValueError(f"a CFM of {self.cfm} is rigid: it has no stiffness; give one above 0")
        return self.cfm


@explain_function
def softness(stiffness: float, damping: float, h: float) -> Softness:
    """ERP and CFM of a spring and a damper, for contacts, stops, suspensions and joints.

    Args:
        stiffness: N/m, or N m/rad about an axis.
        damping: N s/m, or N m s/rad. At 0 the integration itself damps the spring, with a damping ratio of h ω / 2.
        h: step size of the world, s; with substeps, the size of one.

    ValueError if both are 0, as there is no force then.
    """
    k = checks.not_negative("the stiffness of a spring", stiffness)
    c = checks.not_negative("the damping of a spring", damping)
    step = checks.step_size(h)
    if step * k + c == 0.0:
        raise ValueError(
            "a spring needs a stiffness or a damping above 0; to have none, leave the joint or the stop out"
        )
    return Softness(step * k / (step * k + c), 1.0 / (step * k + c))
