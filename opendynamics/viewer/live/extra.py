"""The optional package that serves the browser."""

from __future__ import annotations

import importlib
from typing import Any


def load_viser() -> Any:
    """The module viser; ImportError with the command that installs it if it is not there."""
    try:
        return importlib.import_module("viser")
    except ImportError:
        raise ImportError(
            "the live view needs the viser package: pip install 'opendynamics[view]'", name="viser"
        ) from None
