"""Projected Gauss-Seidel: forces improved iteration by iteration, ODE's QuickStep (dWorldQuickStep).

By blocks (`blocks`): a contact or a joint at a time, warm started and accelerated. In ODE's order (`ode_order`): row by
row, with ODE's shuffles, number for number.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import Any

from opendynamics.core.solve.pgs.parameters import DEFAULTS, ODE_ORDER, PARAMETERS

__all__ = ["DEFAULTS", "PARAMETERS", "variant"]


def variant(parameters: Any) -> ModuleType:
    """The module that has the entries."""
    return _module("ode_order" if parameters["order"] == ODE_ORDER else "blocks")


@cache
def _module(name: str) -> ModuleType:
    """Imported when it is first needed."""
    return importlib.import_module(f"{__name__}.{name}")
