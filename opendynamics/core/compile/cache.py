"""What Numba asks for machine code before it compiles an entry, and gives machine code to afterwards.

Takes the place of `numba.core.caching.FunctionCache`, which looks only at the file that a function stands in. Whatever goes
wrong with the folder or a file is told in one warning, and the entry is compiled.
"""

from __future__ import annotations

import pickle
import warnings
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from opendynamics.core.compile import files
from opendynamics.core.compile.folder import VARIABLE, cache_folder
from opendynamics.core.compile.keys import UncertainError, key_of
from opendynamics.core.compile.sources import PACKAGE


class KernelCacheWarning(UserWarning):
    """Machine code cannot be kept, or what was kept cannot be used."""


class KernelCache:
    """The machine code of one entry."""

    def __init__(self, dispatcher: Any, signature: Any) -> None:
        self.dispatcher = dispatcher
        self.signature = signature

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(cache_folder())

    def file_name(self, signature: Any) -> str:
        """The name of the file for a signature.

        Raises:
            UncertainError: if nothing can be kept, because nobody knows what it depends on.
        """
        function = self.dispatcher.py_func
        name = f"{function.__module__.removeprefix(f'{PACKAGE}.')}.{function.__name__}"
        return files.name_of(name, key_of(function, signature, self.dispatcher.targetctx))

    def is_kept(self) -> bool:
        """Whether this process would find it, for the signature that the entry was declared with."""
        try:
            return files.exists(self.file_name(self.signature))
        except UncertainError:
            return False

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Numba's compile result; None if there is none that can be used."""
        target.refresh()
        try:
            payload = files.read(name := self.file_name(signature))
            return None if payload is None else CompileResult._rebuild(target, *pickle.loads(payload))
        except files.DamagedError as error:
            warn_once(str(error), f"{error} is damaged; its kernel is compiled again")
        except UncertainError as error:
            warn_once("uncertain", f"{error}; its kernels are compiled without being kept")
        except OSError as error:
            _warn_unkept(error)
        except Exception as error:  # the right bytes, but this process cannot make anything of them
            warn_once(name, f"{name} is compiled again, as it cannot be loaded: {type(error).__name__}: {error}")
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compile result of Numba's."""
        try:
            files.write(self.file_name(signature), dumps(result._reduce()))
        except UncertainError:
            pass  # which has been told when it was looked for
        except OSError as error:
            _warn_unkept(error)

    def enable(self) -> None:
        """Nothing: it is always on."""

    def disable(self) -> None:
        """Nothing: it is always on."""

    def flush(self) -> None:
        """Nothing: a file whose key has changed is not looked at."""


def _warn_unkept(error: OSError) -> None:
    text = f"compiled kernels are not kept, so that every process compiles them: {error}; "
    warn_once("unkept", f"{text}set {VARIABLE} to a folder of your own with room in it")


def warn_once(what: str, text: str) -> None:
    """Warn, unless it has been said of the same."""
    if what not in _said:
        _said.add(what)
        warnings.warn(text, KernelCacheWarning, stacklevel=2)


_said = set[str]()
