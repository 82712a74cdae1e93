"""Backends that render pictures, by name."""

from __future__ import annotations

import importlib
from typing import Any

# Modules and classes: each has the methods and most settings of Renderer.
BACKENDS = {
    "rays": ("opendynamics.viewer.pictures.renderer", "Renderer"),
    "mitsuba": ("opendynamics.viewer.pictures.mitsuba", "MitsubaRenderer"),
}


def renderer_class(backend: str) -> Any:
    """The renderer class of this name. ValueError if there is none."""
    if backend not in BACKENDS:
        raise ValueError(f"the backend of a picture must be one of {', '.join(BACKENDS)}, not {backend!r}")
    module, name = BACKENDS[backend]
    return getattr(importlib.import_module(module), name)
