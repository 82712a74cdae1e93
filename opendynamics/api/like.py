"""One switch for all settings in which worlds differ from ODE by default."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

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
    if value not in get_args(Model):
        raise ValueError(f"{what} must be one of {', '.join(map(repr, get_args(Model)))}, not {value!r}")
    chosen: Model = value
    return chosen
