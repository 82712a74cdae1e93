"""The key of an entry's machine code: one number for everything that the machine code depends on.

    key = SHA-256 of  the layout of the files; Python, NumPy, Numba, llvmlite; the processor, and Numba's settings;
                      names, types and positions of all tables;
                      for each module that the entry can see: its source, and the values of its constants;
                      the entry's name and signature

Positions of tables are constants in machine code. A constant of a module may come from elsewhere than its source: from the
environment, or from a program that set it.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib.util import MAGIC_NUMBER
from types import ModuleType
from typing import Any

import numpy as np

from opendynamics.core.compile.settings import settings, version
from opendynamics.core.compile.sources import PACKAGE, NoSourceError, source_of, visible_modules
from opendynamics.core.compile.symbols import has_symbol

LAYOUT = 4  # of the files

_CONSTANTS = (bool, int, float, complex, str, bytes, np.generic, np.dtype)


class UncertainError(Exception):
    """Machine code can neither be kept nor loaded, because its key is not certain."""


def key_of(function: Any, signature: Any, machine: str) -> str:
    """The key of an entry's machine code, as a hexadecimal number.

    Args:
        function: the Python function.
        signature: argument types and return type.
        machine: the processor, as `settings.machine` or `shipped.machine` names it.

    Raises:
        UncertainError: if a source is missing, or has changed since it was imported, or if there may be several functions of
            this name.
    """
    if function.__module__.partition(".")[0] != PACKAGE or "<locals>" in function.__qualname__:
        raise UncertainError(f"{function.__module__}.{function.__qualname__} is no function of a module of {PACKAGE}")
    digest = hashlib.sha256()
    for part in (_versions(), machine, settings(), _tables(), function.__qualname__, str(signature)):
        digest.update(part.encode() + b"\0")
    digest.update(_modules_digest(function.__module__))
    return digest.hexdigest()[:32]


@cache
def _modules_digest(module: str) -> bytes:
    try:
        visible, loaded = visible_modules(module)
    except NoSourceError as error:
        raise UncertainError(str(error)) from None
    digest = hashlib.sha256()
    for name in sorted(visible):
        source = source_of(name)
        if source.changed:
            raise UncertainError(f"{name} has changed since this process began")
        digest.update(name.encode() + b"\0" + source.digest)
        if name in loaded:
            digest.update(_constants(name).encode() + b"\0")
    return digest.digest()


@cache
def _constants(module: str) -> str:
    """The constants of a module, by name. Which modules of a package have been imported, by anybody, is none of them."""
    found = vars(sys.modules[module]) if module in sys.modules else {}
    named = [name for name in sorted(found) if name[:2] != "__" and not isinstance(found[name], ModuleType)]
    return repr([(name, _plain(found[name])) for name in named])


def _plain(value: Any) -> Any:
    """A constant as something whose `repr` differs from all others; None for what kernels cannot take in as one."""
    if isinstance(value, _CONSTANTS):
        return value
    if isinstance(value, np.ndarray) and not value.dtype.hasobject and not has_symbol(value):
        return repr(value.dtype), value.shape, value.strides, value.tobytes()
    if isinstance(value, (tuple, frozenset)):
        plain = tuple(map(_plain, value))
        return plain if isinstance(value, tuple) else sorted(map(repr, plain))
    return None


def _tables() -> str:
    from opendynamics.core.arrays.table import DECLARED

    return _layouts(tuple(DECLARED))


@cache
def _layouts(tables: tuple[Any, ...]) -> str:
    return repr([(t.position, t.name, repr(t.dtype), t.dtype.itemsize, t.dtype.isalignedstruct) for t in tables])


@cache
def _versions() -> str:
    # Kernels are compiled from bytecode; its format is what of Python's version matters.
    python = platform.python_implementation(), sys.version_info[:2], MAGIC_NUMBER, sys.flags.optimize
    import llvmlite

    numpy = np.__version__.split(".")[:2]  # Numba reads no more of it, and kernels use its dtypes only
    return repr((LAYOUT, python, numpy, version(), llvmlite.__version__))
