"""How Python functions become machine code, and where the machine code is kept.

Two kinds of decorators, thin over Numba:

* `kernel`: a small pure function. Never called from Python, never cached by itself: it is compiled into
  whatever calls it. `fast_kernel` is one whose sums may be reordered.
* `entry`: a function that Python (or a family's dispatch table) calls. Its signature is written down, so that
  it can be compiled ahead of time, and its machine code is kept on disk.

What the machine code of an entry depends on, and where it is kept, is the matter of `core/compile/`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.extending import intrinsic

from opendynamics.core.compile.cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])

# Of `fast_kernel`: sums may be reordered, divisions become products; inf and nan stay what they are.
REORDERED = {"reassoc", "contract", "nsz", "arcp"}

# Every entry: what `opendynamics warmup` compiles.
ENTRIES: list[Any] = []


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

    Machine code from the cache finds its parts by name. Numba distinguishes versions by a number that depends on what the
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
        dispatcher.compile = dispatcher._cache.compile
        ENTRIES.append(dispatcher)
        return dispatcher

    return decorate


def caller(result: Any, arity: int) -> Any:
    """An intrinsic `call(address, a1, ..., aN)` that calls the compiled function at `address`.

    Arrays are passed on as they are; packing them into a tuple first would count references and cost ten times more.
    """

    def typer(address: Any, arguments: tuple[Any, ...]) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            function_type = context.call_conv.get_function_type(result, arguments)
            target = builder.inttoptr(values[0], function_type.as_pointer())
            _, value = context.call_conv.call_function(builder, target, result, arguments, values[1:])
            return value

        return result(address, *arguments), codegen

    names = ", ".join(f"a{k}" for k in range(arity))
    scope = {"typer": typer}
    exec(f"def call(context, address, {names}):\n    return typer(address, ({names},))", scope)
    return intrinsic(scope["call"])
