"""Machine code of entries, loaded or compiled: one, or several at the same time."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
from numba.core.sigutils import normalize_signature

from opendynamics.core.compile import locks
from opendynamics.core.compile.folder import writable_folder
from opendynamics.core.compile.messages import MESSAGES


def load(dispatcher: Any, signature: Any) -> Any:
    """Compile `dispatcher` for `signature`, or load it from disk, and return Numba's compile result."""
    dispatcher.compile(signature)
    arguments, _ = normalize_signature(signature)
    return dispatcher.overloads[arguments]


def load_entry(dispatcher: Any) -> None:
    """Compile or load an entry for the signature that it is declared with."""
    load(dispatcher, dispatcher._cache.signature)


def is_kept(dispatcher: Any) -> bool:
    """Whether the machine code of an entry has been kept, where this process finds it and can use it."""
    return bool(dispatcher._cache.is_kept())


def address_of(dispatcher: Any, signature: Any) -> int:
    """Address of the machine code of `dispatcher` for `signature`, for calls from other kernels."""
    result = load(dispatcher, signature)
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def compiled_by_user(what: str, dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """Numba's compile result for a function of the user's; TypeError if it does not compile for these arguments."""
    try:
        return load(dispatcher, arguments)
    except (numba.core.errors.NumbaError, TypeError, KeyError) as error:
        raise TypeError(f"{what} does not compile for arguments {', '.join(map(str, arguments))}: {error}") from error


def load_together(entries: Iterable[Any], note: Callable[[Any], None] = lambda entry: None) -> int:
    """Load entries; share what has to be compiled first with another process, and with those that need the same.

    Args:
        entries: dispatchers.
        note: called with each before it is loaded.

    Returns:
        How many had not been kept.
    """
    entries = list(dict.fromkeys(entries))
    names = {entry: entry._cache.file for entry in entries}
    missing = [entry for entry in entries if not entry._cache.exists()]
    MESSAGES.announce({entry._cache.name: names[entry] for entry in missing})
    # The other process begins at the end.
    other = _start_another(missing[::-1]) if len(missing) > 1 else None
    try:
        _load_in_turn(names, note)
    finally:
        if other is not None:
            _end(other)
    return len(missing)


def _load_in_turn(names: dict[Any, str], note: Callable[[Any], None]) -> None:
    """Load entries, given with the names of their files; at last those that another process is compiling."""
    others = []
    for entry, name in names.items():
        if name and not entry._cache.exists() and locks.is_busy(name):
            others.append(entry)
        else:
            note(entry)
            load_entry(entry)
    for entry in others:
        note(entry)
        load_entry(entry)


def load_named(names: list[str]) -> None:
    """Compile the entries `module:function` that are missing and that nobody else compiles: what the other process does."""
    for module, _, function in (name.partition(":") for name in names):
        entry = getattr(importlib.import_module(module), function)
        file = entry._cache.file
        if file and not entry._cache.exists() and not locks.is_busy(file):
            load_entry(entry)


def _start_another(entries: list[Any]) -> subprocess.Popen[bytes] | None:
    """A process that compiles entries and keeps them; None where it would be of no use, or cannot be started."""
    if processors() < 2 or not _is_python(sys.executable):
        return None
    names = [f"{entry.py_func.__module__}:{entry.py_func.__name__}" for entry in entries]
    # It finds modules where this one does, and not in the folder that it is started in.
    program = f"import sys; sys.path[:] = {list(map(str, sys.path))!r}; from {__name__} import load_named; load_named({names!r})"
    command = [sys.executable, *["-O"] * sys.flags.optimize, "-c", program]
    quiet = subprocess.DEVNULL
    try:
        writable_folder()
        return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process for which there is nothing left to do."""
    process.terminate()
    try:
        process.wait(timeout=2.0)
    except subprocess.TimeoutExpired:  # it ignores the signal, as it may have been asked to
        process.kill()
        process.wait()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_python(program: str | None) -> bool:
    """Whether this is an interpreter: starting a frozen program, or one that Python is embedded in, would run it again."""
    return not getattr(sys, "frozen", False) and Path(program or "").name.lower().startswith(("python", "pypy"))
