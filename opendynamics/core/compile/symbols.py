"""Arrays and entries of the process that machine code names by symbols, so that cache files contain no address."""

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


def declare_entry(name: str) -> None:
    """Make the name of an entry known to LLVM, which refuses code with unknown names, before it is loaded."""
    from llvmlite import binding

    if binding.address_of_symbol(name) is None:
        binding.add_symbol(name, 1)  # never called: `objects.link` replaces it


def define_entry(name: str, address: int) -> None:
    """Let machine code that is linked from now on find an entry by its name."""
    from llvmlite import binding

    binding.add_symbol(name, address)
