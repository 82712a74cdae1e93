"""Python, NumPy, Numba, platformdirs and webcolors: whether they are installed in supported versions."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator

import numba
import numpy as np
import platformdirs

from opendynamics.cli.checks import BROKEN, FINE, Finding
from opendynamics.cli.checks.extras import version_of

TITLE, ORDER = "Python", 10

# As in pyproject.toml: the oldest supported Python and the first unsupported one; versions of the libraries.
PYTHON = (3, 10), (3, 15)
NEEDED = {"NumPy": ">=1.24", "Numba": ">=0.61,<0.69", "platformdirs": ">=4.12", "webcolors": ">=24.8"}


def findings() -> Iterator[Finding]:
    """A finding for each of them."""
    fits = PYTHON[0] <= sys.version_info[:2] < PYTHON[1]
    low, high = (".".join(map(str, version)) for version in (PYTHON[0], (PYTHON[1][0], PYTHON[1][1] - 1)))
    text = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding(TITLE, FINE if fits else BROKEN, text, "" if fits else f"use Python {low} to {high}")
    versions = {"NumPy": np.__version__, "Numba": numba.__version__, "platformdirs": platformdirs.__version__}
    for name, version in {**versions, "webcolors": version_of("webcolors")}.items():
        fits = version is not None and all(_satisfies(version, bound) for bound in NEEDED[name].split(","))
        remedy = "" if fits else f"pip install '{name.lower()}{NEEDED[name]}'"
        yield Finding(name, FINE if fits else BROKEN, version or "not installed", remedy)


def _satisfies(version: str, bound: str) -> bool:
    found, limit = (tuple(int(part) for part in text.lstrip("<>=").split(".")[:2]) for text in (version, bound))
    return found >= limit if bound.startswith(">=") else found < limit
