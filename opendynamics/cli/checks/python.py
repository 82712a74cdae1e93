"""Python, NumPy and Numba: there, and of versions that fit."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator

import numba
import numpy as np

from opendynamics.cli.checks import BROKEN, FINE, Finding

TITLE, ORDER = "Python", 10

# From the oldest that is supported to below the first that is not; as in pyproject.toml.
PYTHON = (3, 10), (3, 15)
OLDEST = {"NumPy": ((1, 24), np.__version__), "Numba": ((0, 61), numba.__version__)}


def findings() -> Iterator[Finding]:
    """A finding for each of the three."""
    fits = PYTHON[0] <= sys.version_info[:2] < PYTHON[1]
    low, high = (".".join(map(str, version)) for version in (PYTHON[0], (PYTHON[1][0], PYTHON[1][1] - 1)))
    told = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding(TITLE, FINE if fits else BROKEN, told, "" if fits else f"use Python {low} to {high}")
    for name, (oldest, version) in OLDEST.items():
        found = tuple(int(part) for part in version.split(".")[:2])
        needed = ".".join(map(str, oldest))
        fits = found >= oldest
        yield Finding(
            name, FINE if fits else BROKEN, version, "" if fits else f"pip install --upgrade '{name.lower()}>={needed}'"
        )
