"""Numba: its version, its settings and the processor it compiles for, found out without importing it.

Settings come from environment variables and a file `.numba_config.yaml` in the working folder; programs may change them once
Numba has been imported. They are then compared with the values they would have without such changes.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

# Settings that do not change machine code: where Numba keeps and shows things, threads, and CUDA.
_HARMLESS = (
    "CACHE_",
    "CHROME_",
    "COLOR_",
    "CUDA_",
    "DEBUG_CACHE",
    "DUMP_",
    "FULL_TRACEBACKS",
    "NUMBA_",
    "NUM_THREADS",
    "THREADING_",
    "TRACE",
    "USING_SVML",  # noted by Numba itself
    "_HAVE_YAML",
)
_PREFIX = "NUMBA_"
_OF_MACHINE = ("CPU_NAME", "CPU_FEATURES")  # in the key as the machine


def settings() -> str:
    """Numba's settings that are not its own: from the environment, a file, or set by the program."""
    given = sorted((name, value) for name, value in os.environ.items() if name.startswith(_PREFIX))
    chosen = [(name, value) for name, value in given if _counts(name.removeprefix(_PREFIX))]
    with contextlib.suppress(OSError):
        chosen.append(("file", hashlib.sha256(Path(".numba_config.yaml").read_bytes()).hexdigest()))
    live = sys.modules.get("numba.core.config")
    return repr((chosen, [] if live is None else _changed(live, _fresh(repr(given)))))


def machine() -> str:
    """The processor that Numba compiles for."""
    from llvmlite import binding

    name, features = (os.environ.get(_PREFIX + part) for part in _OF_MACHINE)
    if name is None:
        name = _host()[0]
    if features is None:
        features = _host()[1]
    return repr((binding.get_process_triple(), name, features))


@cache
def version() -> str:
    """Numba's version."""
    if "numba" not in sys.modules:
        spec = importlib.util.find_spec("numba")
        try:
            text = Path(spec.origin).with_name("_version.py").read_text() if spec and spec.origin else ""
        except OSError:
            text = ""
        if found := re.search(r'"version": "([^"]+)"', text):
            return found.group(1)
    import numba

    return str(numba.__version__)


@cache
def _host() -> tuple[str, str]:
    from llvmlite import binding

    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


def _counts(name: str) -> bool:
    return not name.startswith(_HARMLESS) and name not in _OF_MACHINE


def _changed(live: ModuleType, fresh: ModuleType) -> list[tuple[str, Any]]:
    """Settings that differ from the values they would have now."""
    theirs = vars(fresh)
    return sorted(
        (name, repr(value))
        for name, value in vars(live).items()
        if name.isupper() and not name.startswith(_HARMLESS) and repr(value) != repr(theirs.get(name))
    )


@cache
def _fresh(environment: str) -> ModuleType:
    """Numba's module of settings, executed again. `environment`: the present one as text, by which the result is cached."""
    spec = importlib.util.find_spec("numba.core.config")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
