"""The names `ode` and `xode`, under which scripts import PyODE."""

from __future__ import annotations

import importlib
import pkgutil
import sys

from opendynamics import pyode
from opendynamics.pyode import xode


def provide() -> None:
    """Make `import ode`, `import xode` and `from xode import parser` import the classes of this package."""
    sys.modules["ode"] = pyode
    provide_xode()


def provide_xode() -> None:
    """Make `import xode` and its modules import those of this package."""
    sys.modules["xode"] = xode
    for found in pkgutil.iter_modules(xode.__path__):
        sys.modules[f"xode.{found.name}"] = importlib.import_module(f"{xode.__name__}.{found.name}")
