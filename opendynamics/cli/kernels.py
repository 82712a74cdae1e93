"""List of all kernels."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from opendynamics import core
from opendynamics.core.kernels import ENTRIES
from opendynamics.io import recording
from opendynamics.viewer.pictures import tracing

PACKAGES = (core, recording, tracing)
MODULES = ("opendynamics.robot.transfer", "opendynamics.pyode.loop_calls")


def find_entries() -> list[Any]:
    """Every entry: modules register theirs when they are imported."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for name in MODULES:
        importlib.import_module(name)
    return list(ENTRIES)
