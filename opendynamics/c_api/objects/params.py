"""Joint parameters by ODE's codes.

As in ODE, parameters that a joint does not have are ignored and read as 0; so are a negative dParamFMax and a
dParamFudgeFactor outside [0, 1]; dParamLoVel and dParamHiVel have no effect.
"""

from __future__ import annotations

import math
from typing import Any

from opendynamics.api import checks
from opendynamics.c_api.common.parameters import (
    dParamBounce,
    dParamCFM,
    dParamERP,
    dParamFMax,
    dParamFudgeFactor,
    dParamGroup,
    dParamHiStop,
    dParamLoStop,
    dParamsInGroup,
    dParamStopCFM,
    dParamStopERP,
    dParamVel,
)

# Attributes of a LimitMotor, and of a joint with its own ERP and CFM.
LIMIT_MOTOR = {
    dParamLoStop: "low",
    dParamHiStop: "high",
    dParamVel: "velocity",
    dParamFMax: "max_force",
    dParamFudgeFactor: "fudge",
    dParamBounce: "bounce",
    dParamCFM: "cfm",
    dParamStopERP: "stop_erp",
    dParamStopCFM: "stop_cfm",
}
# Values outside these are ignored.
_HEEDED: dict[str | None, tuple[float, float]] = {"max_force": (0.0, math.inf), "fudge": (0.0, 1.0)}

SOFTNESS = {dParamERP: "erp", dParamCFM: "cfm"}


@checks.beyond_bounds()
def set_param(parameter: int, value: float, names: dict[int, str], *axes: Any) -> None:
    """Set a parameter of the axis that its group selects."""
    axis, name = _find(parameter, names, axes)
    number = checks.number("a joint parameter", value)
    least, most = _HEEDED.get(name, (-math.inf, math.inf))
    if name is not None and least <= number <= most:
        setattr(axis, name, number)


def get_param(parameter: int, names: dict[int, str], *axes: Any) -> float:
    """A parameter of the axis that its group selects."""
    axis, name = _find(parameter, names, axes)
    return 0.0 if name is None else float(getattr(axis, name))


def _find(parameter: int, names: dict[int, str], axes: tuple[Any, ...]) -> tuple[Any, str | None]:
    """The axis and the attribute of a parameter; no attribute if the joint does not have it."""
    group, code = divmod(checks.count("a joint parameter", parameter), dParamGroup)
    if group > 2 or code >= dParamsInGroup:
        raise ValueError(f"{parameter} is no joint parameter; use dParamLoStop and its kind")
    return (axes[group], names.get(code)) if group < len(axes) else (None, None)
