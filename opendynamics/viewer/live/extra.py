"""The optional package that serves the browser."""

from __future__ import annotations

import importlib
from typing import Any


def load_viser() -> Any:
    """The module viser; ImportError with the install command if it is missing."""
    try:
        return importlib.import_module("viser")
    except ImportError:
        raise ImportError(
            "the live view needs the viser package: pip install 'opendynamics[view]'", name="viser"
        ) from None
