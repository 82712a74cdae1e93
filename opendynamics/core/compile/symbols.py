"""Arrays of the process that machine code names by symbols, so that cache files contain no address."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

_arrays: dict[str, np.ndarray[Any, Any]] = {}


def define_symbol(name: str, array: np.ndarray[Any, Any]) -> None:
    """Let machine code find an array by a name; the array stays where it is, for good."""
    _arrays[name] = array
    if "llvmlite.binding" in sys.modules:
        add_symbols()


def has_symbol(array: np.ndarray[Any, Any]) -> bool:
    """Whether machine code refers to this array by name, so that its contents are not constants."""
    return any(array is found for found in _arrays.values())


def add_symbols() -> None:
    """Make the names known to LLVM."""
    from llvmlite import binding

    for name, array in _arrays.items():
        binding.add_symbol(name, array.ctypes.data)
