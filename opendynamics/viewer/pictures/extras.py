"""Packages that come with an extra, imported when they are used."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, package: str, extra: str) -> Any:
    """The module; ImportError with the pip command if its package is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(
            f"this needs the package {package}: pip install 'opendynamics[{extra}]'", name=module
        ) from None
