"""Springs and dampers as ODE writes them: error reduction parameter (ERP) and constraint force mixing (CFM).

A constraint whose error is x and that gives way by J v gets, at the end of a step of h s, the force

    F = -k (x + h J v) - c J v

of a spring k and a damper c if its row is softened by

    erp = h k / (h k + c),   cfm = 1 / (h k + c).

Source: the manual of ODE, section 3.8.2. Both depend on h: a spring set for one step size is another one at another.
"""

from __future__ import annotations

from typing import NamedTuple

from opendynamics.api import checks
from opendynamics.api.suggestions import explain_calls, explain_function


@explain_calls
class Softness(NamedTuple):
    """ERP and CFM of a spring and a damper at a step size; `softness` makes one.

    Attributes:
        erp: part of the error that is corrected in a step.
        cfm: constraint force mixing, s/kg along an axis, rad/(N m s) about one.
    """

    erp: float
    cfm: float

    def stiffness(self, h: float) -> float:
        """The spring's stiffness at steps of h s: N/m, or N m/rad. ValueError for a CFM of 0, which is rigid."""
        return self.erp / (checks.step_size(h) * self._compliance)

    def damping(self, h: float) -> float:
        """The damper at steps of h s: N s/m, or N m s/rad. ValueError for a CFM of 0, which is rigid."""
        checks.step_size(h)
        return (1.0 - self.erp) / self._compliance

    @property
    def _compliance(self) -> float:
        if not self.cfm > 0.0:
            raise ValueError(f"a CFM of {self.cfm} is rigid: it has no stiffness; give one above 0")
        return self.cfm


@explain_function
def softness(stiffness: float, damping: float, h: float) -> Softness:
    """ERP and CFM of a spring and a damper, wherever these stand: contacts, stops, suspensions, joints.

    Args:
        stiffness: N/m, or N m/rad about an axis.
        damping: N s/m, or N m s/rad. At 0 the steps damp the spring by themselves: ζ = h ω / 2 of the critical.
        h: the steps with which the world is advanced, s; with substeps, one of these.

    ValueError if both are 0, since then nothing holds.
    """
    k = checks.not_negative("the stiffness of a spring", stiffness)
    c = checks.not_negative("the damping of a spring", damping)
    step = checks.step_size(h)
    if step * k + c == 0.0:
        raise ValueError(
            "a spring needs a stiffness or a damping above 0; to have none, leave the joint or the stop out"
        )
    return Softness(step * k / (step * k + c), 1.0 / (step * k + c))
