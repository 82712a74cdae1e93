"""One switch for all settings in which worlds differ from ODE by default."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from opendynamics.api import checks

Model: TypeAlias = Literal["opendynamics", "ode"]

# Settings of a world whose defaults differ from ODE's, and ODE's values. Each has a row in docs/deviations.md.
ODE: dict[str, Any] = {
    "collider": "ode",
    "integrator": "euler",
    "quickstep_order": "ode",
    "sleep_rule": "ode",
    "stabilization": "baumgarte",
    "restitution": "newton",
    "solver": "exact",
}


def checked_model(what: str, value: Any) -> Model:
    """One of the names above; ValueError naming `what` otherwise."""
    chosen: Model = get_args(Model)[checks.choice(what, value, get_args(Model))]
    return chosen
