"""Machine code of entries, loaded or compiled: one, or several at the same time."""

from __future__ import annotations

import atexit
import importlib
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opendynamics.core.compile import locks
from opendynamics.core.compile.folder import writable_folder
from opendynamics.core.compile.messages import MESSAGES
from opendynamics.core.kernels import Entry
from opendynamics.core.types import Signature

if TYPE_CHECKING:
    import subprocess


def is_kept(entry: Any) -> bool:
    """Whether the machine code of an entry has been kept, where this process finds it and can use it."""
    return bool(entry.cache.is_kept())


def address_of(entry: Any, signature: Signature) -> int:
    """Address of the machine code of an entry, which must have a signature, for calls from other kernels."""
    if entry.signature != signature:
        raise TypeError(f"{entry!r} is declared as {entry.signature}, and called as {signature}")
    return int(entry.address)


def is_compiled(function: Any) -> bool:
    """Whether a function is one of Numba's, or an entry."""
    numba = sys.modules.get("numba.extending")  # without it nothing was compiled
    return isinstance(function, Entry) or (numba is not None and bool(numba.is_jitted(function)))


def address_of_user(what: str, function: Any, signature: Signature) -> int:
    """Address of the machine code of a function of the user's, which `is_compiled`.

    Raises:
        TypeError: if it does not compile for these arguments, or returns something else.
    """
    if isinstance(function, Entry):
        return address_of(function, signature)
    import numba

    from opendynamics.core import jit

    wanted = jit.numba_signature(signature)
    try:
        function.compile(wanted.args)
        result = function.overloads[wanted.args]
    except (numba.core.errors.NumbaError, TypeError, KeyError) as error:
        listed = ", ".join(map(str, wanted.args))
        raise TypeError(f"{what} does not compile for arguments {listed}: {error}") from error
    if numba.types.unliteral(result.signature.return_type) != wanted.return_type:
        raise TypeError(f"{what} must return {wanted.return_type}, not {result.signature.return_type}")
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def load_together(
    entries: Iterable[Any], note: Callable[[Any], None] = lambda entry: None, later: Iterable[Any] = ()
) -> int:
    """Load entries; share those that have to be compiled with another process, and with others that need the same.

    Args:
        entries: what `entry` made.
        note: called with each before it is loaded.
        later: entries that are likely to be needed soon. If any of `entries` has to be compiled, the other process also
            compiles these, and continues in the background until this process exits. They are not loaded.

    Returns:
        How many had not been kept.
    """
    # Looking for the files of those that are loaded would take long.
    missing = _missing(entries)
    names = {entry: "" if entry.cache.is_loaded else entry.cache.file for entry in dict.fromkeys([*missing, *entries])}
    MESSAGES.announce({entry.cache.name: names[entry] for entry in missing})
    # The other process begins at the end.
    wanted = [*missing[::-1], *_missing(later)] if missing else []
    compiling = any(process.poll() is None for process in _background)
    other = _start_another(wanted) if len(wanted) > 1 and not compiling else None
    try:
        _load_in_turn(names, missing, note)
    finally:
        if other is not None:
            if len(wanted) > len(missing):
                _background.append(other)
                atexit.register(_end, other)
            else:
                _end(other)
    return len(missing)


def _missing(entries: Iterable[Any]) -> list[Any]:
    """The entries that have to be compiled, each after those that it calls."""
    missing: dict[Any, None] = {}
    for entry in entries:
        if not (entry.cache.is_loaded or entry.cache.exists()):
            for callee in entry.callees():
                if not (callee.cache.is_loaded or callee.cache.exists()):
                    missing[callee] = None
            missing[entry] = None
    return list(missing)


_background: list[subprocess.Popen[bytes]] = []  # processes that compile what is needed later


def _load_in_turn(names: dict[Any, str], missing: list[Any], note: Callable[[Any], None]) -> None:
    """Load entries, given with the names of their files; at last those `missing` ones that another process is compiling."""
    others = []
    for entry, name in names.items():
        if name and entry in missing and not entry.cache.exists() and locks.is_busy(name):
            others.append(entry)
        else:
            note(entry)
            entry.load()
    for entry in others:
        note(entry)
        entry.load()


def load_named(names: list[str]) -> None:
    """Compile the missing entries `module:function` that no other process compiles: the work of the other process."""
    importlib.import_module("opendynamics.api")  # tables have their positions by the order in which it imports modules
    for module, _, function in (name.partition(":") for name in names):
        entry = getattr(importlib.import_module(module), function)
        file = entry.cache.file
        if file and not entry.cache.exists() and not locks.is_busy(file):
            entry.cache.keep()


def _start_another(entries: list[Any]) -> subprocess.Popen[bytes] | None:
    """A process that compiles entries and keeps them; None where it would be of no use, or cannot be started."""
    if processors() < 2 or not _is_python(sys.executable):
        return None
    names = [f"{entry.__module__}:{entry.__name__}" for entry in entries]
    # It finds modules where this one does, and not in the folder that it is started in.
    program = f"import sys; sys.path[:] = {list(map(str, sys.path))!r}; from {__name__} import load_named; load_named({names!r})"
    command = [sys.executable, *["-O"] * sys.flags.optimize, "-c", program]
    import subprocess

    quiet = subprocess.DEVNULL
    try:
        writable_folder()
        return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process for which there is nothing left to do."""
    import subprocess

    process.terminate()
    try:
        process.wait(timeout=2.0)
    except subprocess.TimeoutExpired:  # it ignores the signal, as it may have been told to
        process.kill()
        process.wait()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_python(program: str | None) -> bool:
    """Whether this is an interpreter: starting a frozen program, or one that Python is embedded in, would run it again."""
    return not getattr(sys, "frozen", False) and Path(program or "").name.lower().startswith(("python", "pypy"))
