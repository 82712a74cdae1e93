"""common.h and version.h: what this ODE is."""

from __future__ import annotations

dODE_VERSION = "0.16.6"  # whose behaviour this is


def dGetConfiguration() -> str:
    """Tokens, separated by spaces, in ODE's spelling."""
    return "ODE ODE_EXT_no_debug ODE_EXT_trimesh ODE_double_precision"


def dCheckConfiguration(token: str) -> int:
    """1 if `token` is one of the configuration's, else 0."""
    return int(token in dGetConfiguration().split())
