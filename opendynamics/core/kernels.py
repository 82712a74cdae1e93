"""How Python functions become machine code, and where the machine code is kept.

Two kinds of decorators, thin over Numba:

* `kernel`: a small pure function. Never called from Python, never cached by itself: it is compiled into
  whatever calls it. `fast_kernel` is one whose sums may be reordered.
* `entry`: a function that Python (or a family's dispatch table) calls. Its signature is written down, so that
  it can be compiled ahead of time, and its machine code is kept on disk.

What the machine code of an entry depends on, and where it is kept, is the matter of `core/compile/`.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import types
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from opendynamics.core.compile.cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])

# Of `fast_kernel`: sums may be reordered, divisions become products; inf and nan stay what they are.
REORDERED = {"reassoc", "contract", "nsz", "arcp"}

# Every entry, with its signature: what `opendynamics warmup` compiles.
ENTRIES: list[tuple[Any, Any]] = []


class _Codegen:
    """Numba's code generator, but for noting the environments of functions that have no machine code of their own."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: a kernel runs only as a part of an entry."""


class _KernelLibrary(JITCodeLibrary):
    """The LLVM code of a kernel, neither optimised nor turned into machine code.

    The entry that it becomes a part of is optimised as a whole; doing it for each kernel on the way doubled the time
    that everything takes to compile.
    """

    @property
    def codegen(self) -> Any:
        return _Codegen(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0


class _KernelCompiler(Compiler):
    """Numba's compiler with a library that stays LLVM code."""

    _numbers = count()

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = _KernelLibrary(targetctx.codegen(), f"kernel{next(self._numbers)}")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)


def kernel(function: F) -> F:
    """Compile `function` into its callers. Division by zero gives inf or nan, as in NumPy, and never raises."""
    return _part(function)


def fast_kernel(function: F) -> F:
    """A kernel whose sums may be reordered. The order is fixed when it is compiled, so that reruns agree."""
    return _part(function, fastmath=REORDERED)


def version_kernel(function: F, version: Any) -> F:
    """A kernel of a function inside a function, of which there is one for each kernel `version`.

    Machine code from the cache finds its parts by name. Numba tells versions apart by a number that depends on what the
    process compiled before, so that the parts of one entry could be taken for those of another.
    """
    name = version.py_func.__name__
    function.__name__ += f"_{name}"
    function.__qualname__ += f"_{name}"
    return kernel(function)


def _part(function: F, **options: Any) -> F:
    dispatcher = numba.njit(
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        pipeline_class=_KernelCompiler,
        **options,
    )(function)
    call_template = dispatcher.get_call_template

    def without_literals(arguments: Any, keywords: Any) -> Any:
        # Numba would compile one copy for every integer that is written down in a call.
        return call_template(tuple(map(types.unliteral, arguments)), keywords)

    dispatcher.get_call_template = without_literals
    return dispatcher  # type: ignore[no-any-return]


def entry(signature: Any, *, nogil: bool = False) -> Callable[[F], Any]:
    """Compile `function` on its first call, for one `signature`, and keep the result on disk.

    With `nogil`, other Python threads go on while it runs.
    """

    def decorate(function: F) -> Any:
        dispatcher = numba.njit(error_model="numpy", no_cfunc_wrapper=True, nogil=nogil, _nrt=False)(function)
        # Other kernels that call an entry take it in as a kernel.
        inside: Any = kernel(function)
        dispatcher.get_call_template = inside.get_call_template
        dispatcher.get_overload = inside.get_overload
        dispatcher._cache = KernelCache(dispatcher, signature)
        _compile_as_declared(dispatcher, signature)
        ENTRIES.append((dispatcher, signature))
        return dispatcher

    return decorate


def _compile_as_declared(dispatcher: Any, signature: Any) -> None:
    """Let calls that come without a return type find what was compiled with the declared one."""
    compile_for = dispatcher.compile
    declared, _ = numba.core.sigutils.normalize_signature(signature)

    def compile_as_declared(requested: Any) -> Any:
        arguments, _ = numba.core.sigutils.normalize_signature(requested)
        return compile_for(signature if arguments == declared else requested)

    dispatcher.compile = compile_as_declared


def load(dispatcher: Any, signature: Any) -> Any:
    """Compile `dispatcher` for `signature`, or load it from disk, and return Numba's compile result."""
    dispatcher.compile(signature)
    arguments, _ = numba.core.sigutils.normalize_signature(signature)
    return dispatcher.overloads[arguments]


def load_entry(dispatcher: Any) -> None:
    """Compile or load an entry for the signature that it was declared with."""
    for declared, signature in ENTRIES:
        if declared is dispatcher:
            load(dispatcher, signature)


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


def is_on_disk(dispatcher: Any) -> bool:
    """Whether the machine code of an entry has been kept, so that this process would find it."""
    return bool(dispatcher._cache.is_kept())


def compile_aside(entries: list[tuple[Any, Any]]) -> Callable[[], Any]:
    """Compile entries in another process, if they are not on disk; returns the function that waits for it.

    Two processors then halve the time until a first world moves. If no process can be started, nothing is lost:
    whoever needs an entry compiles it.
    """
    missing = [dispatcher.py_func for dispatcher, _ in entries if not is_on_disk(dispatcher)]
    if not missing or (os.cpu_count() or 1) < 2:
        return lambda: None
    names = [f"{function.__module__}:{function.__name__}" for function in missing]
    command = [sys.executable, "-c", f"from opendynamics.core.kernels import compile_named; compile_named({names!r})"]
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    try:
        process = subprocess.Popen(
            command,
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return lambda: None
    return process.wait


def compile_named(names: list[str]) -> None:
    """Compile the entries `module:function` and keep them on disk."""
    for name in names:
        module, _, function = name.partition(":")
        load_entry(getattr(importlib.import_module(module), function))


class CompileProgress(event.Listener):
    """One line on a terminal that tells what is being compiled, so that a first run does not look hung."""

    def __init__(self) -> None:
        self.depth = 0
        self.started = 0.0
        self.count = 0
        self.shown = False

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth > 1:
            return
        name = event.data["dispatcher"].py_func
        if not name.__module__.startswith("opendynamics."):
            return
        if not self.count:
            self.started = time.perf_counter()
        self.count += 1
        seconds = time.perf_counter() - self.started
        label = f"{name.__module__.removeprefix('opendynamics.core.')}.{name.__name__}"
        self._show(f"opendynamics: compiling for this machine, once: {label} ({seconds:.0f} s)")

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.shown:
            self._show("")

    def _show(self, text: str) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            self.shown = bool(text)
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()


event.register("numba:compile", CompileProgress())
