"""Backends that render pictures, by name."""

from __future__ import annotations

import importlib
from typing import Any

from opendynamics.api import checks

# Modules and classes: each has the methods and most settings of Renderer.
BACKENDS = {
    "rays": ("opendynamics.viewer.pictures.renderer", "Renderer"),
    "mitsuba": ("opendynamics.viewer.pictures.mitsuba", "MitsubaRenderer"),
}


def renderer_class(backend: str) -> Any:
    """The renderer class of this name. ValueError if there is none."""
    checks.choice("the backend of a picture", backend, tuple(BACKENDS))
    module, name = BACKENDS[backend]
    return getattr(importlib.import_module(module), name)
