"""common.h and version.h: configuration of this ODE."""

from __future__ import annotations

from opendynamics.api.configuration import ODE_VERSION, configuration
from opendynamics.c_api.ids import text

dODE_VERSION = ODE_VERSION


def dGetConfiguration() -> str:
    """Tokens, separated by spaces, in ODE's spelling."""
    return " ".join(configuration().tokens)


def dCheckConfiguration(token: str) -> int:
    """1 if `token` is in the configuration, else 0."""
    return int(text(token) in configuration().tokens)
