"""The machine code of one entry: loaded if it has been kept, otherwise compiled by one process, and kept.

What Numba asks for machine code before it compiles a function, in place of `numba.core.caching.FunctionCache`, which looks
only at the file that the function stands in. Whatever goes wrong with the folder or a file is reported in one warning, and the
entry is compiled.
"""

from __future__ import annotations

import pickle
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from opendynamics.core.compile import files, locks, shipped
from opendynamics.core.compile.folder import VARIABLE, cache_folder
from opendynamics.core.compile.keys import UncertainError, key_of, machine_of
from opendynamics.core.compile.messages import MESSAGES
from opendynamics.core.compile.sources import PACKAGE


class KernelCacheWarning(UserWarning):
    """Machine code cannot be kept, or what was kept cannot be used."""


class KernelCache:
    """The machine code of one entry, for the signature that it is declared with (and for others, if asked)."""

    def __init__(self, dispatcher: Any, signature: Any) -> None:
        self.dispatcher = dispatcher
        self.signature = signature
        self._compile = dispatcher.compile

    @property
    def name(self) -> str:
        """The module, but for the package, and the function."""
        function = self.dispatcher.py_func
        return f"{function.__module__.removeprefix(f'{PACKAGE}.')}.{function.__name__}"

    def file_name(self, signature: Any) -> str:
        """The name of the file for a signature.

        Raises:
            UncertainError: if nothing can be kept, because nobody knows what it depends on.
        """
        return files.name_of(
            self.name, key_of(self.dispatcher.py_func, signature, machine_of(self.dispatcher.targetctx))
        )

    def shipped_name(self, signature: Any) -> str:
        """The name of the file that the package may have come with; "" if it came with none for this processor.

        Raises:
            UncertainError: as for `file_name`.
        """
        machine = shipped.machine()
        return files.name_of(self.name, key_of(self.dispatcher.py_func, signature, machine)) if machine else ""

    @property
    def file(self) -> str:
        """The name of the file for the declared signature; "" if it cannot be kept."""
        try:
            return self.file_name(self.signature)
        except UncertainError:
            return ""

    def exists(self) -> bool:
        """Whether there is a file for the declared signature."""
        return bool(self.file) and (shipped.exists(self.shipped_name(self.signature)) or files.exists(self.file))

    def is_kept(self) -> bool:
        """Whether this process can load it: whether the file for the declared signature is there, safe and whole."""
        if not self.file:
            return False
        try:
            return shipped.read(self.shipped_name(self.signature)) is not None or files.read(self.file) is not None
        except (OSError, files.DamagedError):
            return False

    # -- in place of the dispatcher's own ------------------------------------------------------------------------------

    def compile(self, requested: Any) -> Any:
        """Compile or load; calls from Python come without a return type, and get what was declared."""
        arguments, _ = normalize_signature(requested)
        if arguments in self.dispatcher.overloads:
            return self._compile(requested)
        start = time.perf_counter()
        declared, _ = normalize_signature(self.signature)
        signature = self.signature if arguments == declared else requested
        try:
            with self._turn(signature):
                return self._compile(signature)
        finally:
            _waited.append(time.perf_counter() - start)

    @contextmanager
    def _turn(self, signature: Any) -> Iterator[None]:
        """If it has not been kept, wait until no other process compiles it."""
        try:
            name, beside = self.file_name(signature), self.shipped_name(signature)
        except UncertainError as error:
            warn_once("uncertain", f"{error}; its kernels are compiled without being kept")
            name = beside = ""
        if shipped.exists(beside) or files.exists(name):
            yield
            return
        if reason := shipped.reason_for_none():
            warn_once("level", f"{reason}: kernels are compiled")
        with MESSAGES.waiting_for(self.name, name), locks.turn(name) if name else nullcontext():
            yield

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Numba's compile result; None if there is none that can be used."""
        target.refresh()
        try:
            name, beside = self.file_name(signature), self.shipped_name(signature)
        except UncertainError:
            return None
        for read, file, folder in ((shipped.read, beside, shipped.folder), (files.read, name, cache_folder)):
            try:
                payload = read(file)
                if payload is not None:
                    return CompileResult._rebuild(target, *pickle.loads(payload))
            except files.DamagedError as error:
                warn_once(str(error), f"{error} in {folder()} is damaged; its kernel is compiled again")
            except OSError as error:
                _warn_unkept(error)
            except Exception as error:  # the right bytes, but this process cannot make anything of them
                warn_once(file, f"{file} is compiled again, as it cannot be loaded: {type(error).__name__}: {error}")
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compile result of Numba's."""
        try:
            files.write(name := self.file_name(signature), dumps(result._reduce()))
        except UncertainError:
            pass
        except OSError as error:
            if not files.exists(name):  # otherwise another process has kept it at the same moment
                _warn_unkept(error)

    def enable(self) -> None:
        """Nothing: it is always on."""

    def disable(self) -> None:
        """Nothing: it is always on."""

    def flush(self) -> None:
        """Nothing: a file whose key has changed is not looked at."""

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(cache_folder())


def _warn_unkept(error: OSError) -> None:
    text = f"compiled kernels are not kept, so that every process compiles them: {error}; "
    warn_once("unkept", f"{text}set {VARIABLE} to a folder of your own with room in it")


def warn_once(what: str, text: str) -> None:
    """Warn, unless it has been said of the same."""
    if what not in _said:
        _said.add(what)
        warnings.warn(text, KernelCacheWarning, stacklevel=2)


_said = set[str]()
_waited: list[float] = []  # s


def running_time() -> float:
    """Seconds on a clock that stands still while this process compiles or loads machine code."""
    return time.perf_counter() - sum(_waited)
