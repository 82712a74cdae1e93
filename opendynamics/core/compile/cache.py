"""The machine code of one entry: loaded if it has been kept, otherwise compiled by one process, and kept.

Whatever goes wrong with the folder or a file is reported in one warning, and the entry is compiled.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from opendynamics.core.compile import files, locks, shipped
from opendynamics.core.compile.folder import VARIABLE, cache_folder
from opendynamics.core.compile.keys import UncertainError, key_of
from opendynamics.core.compile.messages import MESSAGES
from opendynamics.core.compile.objects import Loaded, ObjectCode, link
from opendynamics.core.compile.settings import machine
from opendynamics.core.compile.sources import PACKAGE


class KernelCacheWarning(UserWarning):
    """Machine code cannot be cached, or cached files cannot be used."""


class KernelCache:
    """The machine code of one entry.

    Attributes:
        was_kept: whether it was loaded instead of compiled; None as long as neither has been done.
    """

    def __init__(self, entry: Any) -> None:
        self.entry = entry
        self.was_kept: bool | None = None
        self._loaded: Loaded | None = None

    @property
    def name(self) -> str:
        """The module, but for the package, and the function."""
        return f"{self.entry.__module__.removeprefix(f'{PACKAGE}.')}.{self.entry.__name__}"

    def file_name(self) -> str:
        """The name of its file.

        Raises:
            UncertainError: if nothing can be cached, because its dependencies are unknown.
        """
        return files.name_of(self.name, key_of(self.entry.py_func, self.entry.signature, machine()))

    def shipped_name(self) -> str:
        """The name of the file that the package may have come with; "" if it came with none for this processor.

        Raises:
            UncertainError: as for `file_name`.
        """
        level = shipped.machine()
        return files.name_of(self.name, key_of(self.entry.py_func, self.entry.signature, level)) if level else ""

    @property
    def file(self) -> str:
        """The name of its file; "" if it cannot be kept."""
        try:
            return self.file_name()
        except UncertainError:
            return ""

    @property
    def is_loaded(self) -> bool:
        """Whether it is in this process, and needs no file."""
        return self._loaded is not None

    def exists(self) -> bool:
        """Whether there is a file."""
        file = self.file
        return bool(file) and (shipped.exists(self.shipped_name()) or files.exists(file))

    def is_kept(self) -> bool:
        """Whether this process can load it: whether the file is there, safe and whole."""
        file = self.file
        if not file:
            return False
        try:
            return shipped.read(self.shipped_name()) is not None or files.read(file) is not None
        except (OSError, files.DamagedError):
            return False

    def loaded(self) -> Loaded:
        """The entry in this process; loaded or compiled on first use."""
        if self._loaded is None:
            with _one_at_a_time:
                if self._loaded is None:
                    with _stopped_clock():
                        self._loaded = self._load_or_compile()
        return self._loaded

    def _load_or_compile(self) -> Loaded:
        try:
            name, shipped_name = self.file_name(), self.shipped_name()
        except UncertainError as error:
            warn_once("uncertain", f"{error}; its kernels are compiled without being kept")
            name = shipped_name = ""
        self.was_kept = True
        with self._turn(name, shipped_name):
            loaded = self._load(name, shipped_name)
            if loaded is None:
                self.was_kept = False
                code = self._compile()
                loaded = self._link(code)
                if name:
                    _keep(name, code)
        return loaded

    def keep(self) -> None:
        """Compile it and keep its machine code for other processes, unless it has been kept; it is not loaded."""
        name = self.file
        if name:
            with self._turn(name, ""):
                if not files.exists(name):
                    _keep(name, self._compile())

    def _compile(self) -> ObjectCode:
        with _no_collections():
            code: ObjectCode = self.entry.compile()
        return code

    def _link(self, code: ObjectCode) -> Loaded:
        callees = {symbol: self.entry.of_symbol(symbol).address for symbol in code.linked}
        return link(self.entry.__name__, code, vars(sys.modules[self.entry.py_func.__globals__["__name__"]]), callees)

    @contextmanager
    def _turn(self, name: str, shipped_name: str) -> Iterator[None]:
        """If it has not been kept, wait until no other process compiles it."""
        if shipped.exists(shipped_name) or files.exists(name):
            yield
            return
        if reason := shipped.reason_for_none():
            warn_once("level", f"{reason}: kernels are compiled")
        with MESSAGES.waiting_for(self.name, name), locks.turn(name) if name else nullcontext():
            yield

    def _load(self, name: str, shipped_name: str) -> Loaded | None:
        """The entry from a file; None if there is none that can be used."""
        for read, file, folder in ((shipped.read, shipped_name, shipped.folder), (files.read, name, cache_folder)):
            try:
                payload = read(file) if file else None
                if payload is not None:
                    return self._link(ObjectCode.from_bytes(payload))
            except files.DamagedError as error:
                warn_once(str(error), f"{error} in {folder()} is damaged; its kernel is compiled again")
            except OSError as error:
                _warn_not_cached(error)
            except Exception as error:  # the right bytes, but this process cannot make anything of them
                warn_once(file, f"{file} is compiled again, as it cannot be loaded: {type(error).__name__}: {error}")
        return None


@contextmanager
def _stopped_clock() -> Iterator[None]:
    """Let `running_time` stand still. The entries that one calls are loaded with it, and their time is counted once."""
    outermost, start = not _stopped, time.perf_counter()
    _stopped.append(True)
    try:
        yield
    finally:
        _stopped.pop()
        if outermost:
            _waited.append(time.perf_counter() - start)


@contextmanager
def _no_collections() -> Iterator[None]:
    """Stop Python's garbage collector, which took a seventh of the compile time, and would free little."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _keep(name: str, code: ObjectCode) -> None:
    try:
        files.write(name, code.to_bytes())
        if not _pruned:
            _pruned.append(True)  # once in a process that compiles
            files.prune()
    except OSError as error:
        if not files.exists(name):  # otherwise another process has kept it at the same moment
            _warn_not_cached(error)


def _warn_not_cached(error: OSError) -> None:
    text = f"compiled kernels are not kept, so that every process compiles them: {error}; "
    warn_once("unkept", f"{text}set {VARIABLE} to a folder of your own with room in it")


def warn_once(what: str, text: str) -> None:
    """Warn, unless it has been said of the same."""
    if what not in _said:
        _said.add(what)
        warnings.warn(text, KernelCacheWarning, stacklevel=2)


_said = set[str]()
_waited: list[float] = []  # s
_stopped: list[bool] = []  # one for each entry that is being loaded, the innermost last
_pruned: list[bool] = []
_one_at_a_time = threading.RLock()


def running_time() -> float:
    """Seconds on a clock that stands still while this process compiles or loads machine code."""
    return time.perf_counter() - sum(_waited)
