"""How Python functions become machine code.

* `kernel`: a small pure function, compiled into each of its callers. Python cannot call it, and it has no machine code of its
  own. `fast_kernel` is one whose sums may be reordered.
* `entry`: a function that Python or a family's table of addresses calls. Its signature is declared, so that it can be compiled
  ahead of time, and its machine code is kept on disk. Kernels and entries that call an entry are linked to its machine code, so
  that it is compiled once.
* `intrinsic`: a function of kernels, written as LLVM instructions. `caller` makes one that calls a function by its address.

Decorators only record the function when a module is imported. Numba is imported when something has to be compiled
(`core/jit.py`), and gets the type of these objects from their attribute `_numba_type_`. `core/compile/` determines what the
machine code of an entry depends on, keeps it and loads it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from opendynamics.core.compile.cache import KernelCache
from opendynamics.core.types import Signature, Type

F = TypeVar("F", bound=Callable[..., Any])

# Of `fast_kernel`: sums may be reordered, divisions become products; inf and nan stay what they are.
REORDERED = {"reassoc", "contract", "nsz", "arcp"}

# Every entry: what `opendynamics warmup` compiles.
ENTRIES: list[Entry] = []


class LazyModule:
    """A module needed only for compilation, imported on first use."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


def _jit() -> Any:
    from opendynamics.core import jit

    return jit


class _Compiled:
    """A Python function that is compiled, with its name and docstring."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} {self.__module__}.{self.__qualname__}>"


class Kernel(_Compiled):
    """A function that is compiled into its callers."""

    def __init__(self, function: Callable[..., Any], fastmath: Any = False) -> None:
        super().__init__(function)
        self._fastmath = fastmath

    def __call__(self, *arguments: Any) -> Any:
        """Raise: only compiled code can call a kernel."""
        raise NotImplementedError(f"{self!r} is called by compiled code alone; its Python function is `py_func`")

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's compiler for it."""
        return _jit().kernel_dispatcher(self.py_func, self._fastmath)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_


class Entry(_Compiled):
    """A function that is compiled for one signature on its first call, or loaded if it has been compiled before.

    Attributes:
        signature: types of the arguments and of the result.
        nogil: whether other Python threads run while it does.
        c_abi: whether its address is that of a C function; kernels cannot call it.
        cache: its machine code.
        symbol: the name by which other machine code calls it.
    """

    def __init__(self, function: Callable[..., Any], signature: Signature, nogil: bool, c_abi: bool) -> None:
        super().__init__(function)
        self.signature = signature
        self.nogil = nogil
        self.c_abi = c_abi
        self.cache = KernelCache(self)
        self.call: Callable[..., Any] = self._load_and_call
        self.symbol = f"{self.__module__}:{self.__name__}"

    def __call__(self, *arguments: Any) -> Any:
        return self.call(*arguments)

    def _load_and_call(self, *arguments: Any) -> Any:
        self.load()
        return self.call(*arguments)

    def load(self) -> None:
        """Load or compile it, if that has not been done."""
        self.call = self.cache.loaded().call

    @property
    def address(self) -> int:
        """Address of its machine code, for calls from other machine code."""
        return self.cache.loaded().address

    def compile(self) -> Any:
        """Compile it, and return its object code; the cache is not read."""
        return _jit().compile_entry(self.py_func, self.signature, self.nogil, self.c_abi)

    def callees(self) -> list[Entry]:
        """The entries that it calls, by its kernels too; each after those that it calls itself."""
        found: dict[Entry, None] = {}
        _add_callees(self, found, set())
        return [entry for entry in found if entry is not self]

    @staticmethod
    def of_symbol(symbol: str) -> Entry:
        """The entry of this name."""
        module, _, name = symbol.partition(":")
        found: Entry = getattr(importlib.import_module(module), name)
        return found

    @cached_property
    def _numba_type_(self) -> Any:
        """Numba's type of what its callers call: machine code that is linked when they are loaded."""
        return _jit().type_of_entry(self)


def _add_callees(caller: _Compiled, found: dict[Entry, None], seen: set[_Compiled]) -> None:
    """Add the entries that a kernel or an entry calls by the names of its module, then the entry itself."""
    seen.add(caller)
    scope = caller.py_func.__globals__
    for name in caller.py_func.__code__.co_names:
        callee = scope.get(name)
        if isinstance(callee, _Compiled) and callee not in seen:
            _add_callees(callee, found, seen)
    if isinstance(caller, Entry):
        found[caller] = None


class Intrinsic:
    """A function of kernels that is written as LLVM instructions: `definition(context, types...)`, see Numba's `intrinsic`."""

    def __init__(self, definition: Callable[..., Any]) -> None:
        self._definition = definition
        self.__doc__ = definition.__doc__

    @cached_property
    def _numba_type_(self) -> Any:
        return _jit().type_of_intrinsic(self, self._definition)


def kernel(function: F) -> F:
    """Compile `function` into its callers. Division by zero gives inf or nan, as in NumPy, and never raises."""
    return Kernel(function)  # type: ignore[return-value]


def fast_kernel(function: F) -> F:
    """A kernel whose sums may be reordered. The order is fixed when it is compiled, so that reruns agree."""
    return Kernel(function, REORDERED)  # type: ignore[return-value]


def intrinsic(definition: Callable[..., Any]) -> Intrinsic:
    """An intrinsic of kernels."""
    return Intrinsic(definition)


def entry(signature: Signature, *, nogil: bool = False, c_abi: bool = False) -> Callable[[F], Entry]:
    """Compile `function` on its first call, for one `signature`, and keep the result on disk.

    With `nogil`, other Python threads continue while it runs. With `c_abi`, its address is that of a C function.
    """

    def decorate(function: F) -> Entry:
        made = Entry(function, signature, nogil, c_abi)
        ENTRIES.append(made)
        return made

    return decorate


def caller(signature: Signature) -> Intrinsic:
    """An intrinsic `call(address, a1, ..., aN)` that calls the compiled function of this signature at `address`.

    Numbers are converted to the types that the function takes. Arrays are passed on as they are; packing them into a tuple first
    would count references and cost ten times more.
    """

    def typer(address: Any, given: tuple[Any, ...]) -> Any:
        numba_type = _jit().numba_type
        returned = numba_type(signature.return_type)
        arguments = tuple(
            numba_type(declared) if type(declared) is Type else actual
            for declared, actual in zip(signature.args, given, strict=True)
        )

        def codegen(context: Any, builder: Any, _: Any, values: Any) -> Any:
            function_type = context.call_conv.get_function_type(returned, arguments)
            target = builder.inttoptr(values[0], function_type.as_pointer())
            _, value = context.call_conv.call_function(builder, target, returned, arguments, values[1:])
            return value

        return returned(address, *arguments), codegen

    names = ", ".join(f"a{k}" for k in range(len(signature.args)))
    scope = {"typer": typer}
    exec(f"def call(context, address, {names}):\n    return typer(address, ({names},))", scope)
    return intrinsic(scope["call"])
