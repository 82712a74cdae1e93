"""Shortcuts through Numba: the same machine code in less time.

Numba resolves every operator again wherever it occurs, and takes the time of every pass and every call of LLVM. Where
subclasses cannot avoid that, a part of Numba is replaced, but only while an entry is compiled and under Numba's lock: functions
of users are compiled by an unchanged Numba.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, ClassVar

import numba.core.types.functions
from numba.core import errors, event, ir
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target

_errors: Any = errors
_Function: Any = numba.core.types.Function  # modules that are made as they are imported
_BaseFunction: Any = numba.core.types.functions.BaseFunction


@contextmanager
def shortcuts() -> Iterator[None]:
    """Numba as it compiles entries; unchanged again afterwards."""
    with ExitStack() as replaced:
        replaced.enter_context(global_compiler_lock)
        replaced.enter_context(_replaced(_Function, "get_call_type", _get_call_type))
        replaced.enter_context(_replaced(ir.Inst, "_rec_list_vars", _variables_in))
        if not any(event._registered.values()):  # somebody listens, to measure
            replaced.enter_context(_replaced(event, "start_event", _no_event))
            replaced.enter_context(_replaced(event, "end_event", _no_event))
        yield


@contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """An attribute of a module or a class, replaced for a while."""
    own = name in vars(owner)
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if own:
            setattr(owner, name, before)
        else:
            delattr(owner, name)


def _no_event(kind: Any, data: Any = None, exc_details: Any = None) -> None:
    """Instead of telling listeners, of which there are none but Numba's own timers."""


# Signatures by the identities of a function type and of the types of its arguments, which are kept alive with them.
_resolved: dict[tuple[int, ...], tuple[Any, Any, Any]] = {}


def _get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """What operators and built-in functions return: Numba's `Function.get_call_type`, which is remembered.

    Only what Numba lowers by the function itself is remembered. Implementations of overloads are compiled for the flags of
    the caller, so that they have to be resolved again.
    """
    if kws or context is not cpu_target.typing_context:
        return _BaseFunction.get_call_type(function, context, args, kws)
    key = (id(function), *map(id, args))
    found = _resolved.get(key)
    if found is not None:
        signature = found[0]
        function._impl_keys[signature.args] = function.typing_key  # as resolving it does
        return signature
    signature = _BaseFunction.get_call_type(function, context, args, kws)
    if function._impl_keys.get(signature.args) is function.typing_key:
        _resolved[key] = signature, function, args
    return signature


_LEAVES = frozenset((str, int, float, bool, type(None), ir.Loc))  # without variables in them


def _variables_in(instruction: Any, value: Any) -> list[Any]:
    """The variables in an operand of an instruction, in order: Numba's `_rec_list_vars` with fewer calls."""
    if isinstance(value, ir.Var):
        return [value]
    if isinstance(value, ir.Inst):
        return value.list_vars()  # type: ignore[no-any-return]
    found = []
    operands = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for operand in operands:
        kind = type(operand)
        if kind is ir.Var:
            found.append(operand)
        elif kind not in _LEAVES:
            found += _variables_in(instruction, operand)
    return found


class Passes(PassManager):
    """The passes of a compiler, run without events and timers unless Numba is told to print what they do."""

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:  # noqa: N802
        if self._print_before or self._print_after or self._print_wrap:
            super()._runPass(index, pss, internal_state)
            return
        pss.analysis = self._analysis
        with _errors.new_error_context("Pass {name}", name=pss.name()):
            pss.run_initialization(internal_state)
            pss.run_pass(internal_state)
            pss.run_finalizer(internal_state)


def passes_without(manager: Any, needless: tuple[Any, ...]) -> Passes:
    """The passes of a manager except some."""
    passes = Passes(manager.pipeline_name)
    passes.passes = [(each, name) for each, name in manager.passes if each not in needless]
    passes.finalize()
    return passes


def shorten(target: Any) -> None:
    """Let the target context of one compilation, which is a copy, remember what all have in common."""
    target.__class__ = _remembering(type(target))  # type: ignore[arg-type]


@cache
def _remembering(base: Any) -> Any:
    # Numba names constants by the class of the context.
    return type(base.__name__, (_Remembering, base), {"__module__": base.__module__, "__qualname__": base.__qualname__})


class _Remembering:
    """What is added to a target context."""

    _sizes: ClassVar[dict[Any, int]] = {}
    _plain: ClassVar[set[Any]] = set()

    def get_abi_sizeof(self, ty: Any) -> int:
        """Size of an LLVM type, for which Numba makes and parses a module each time."""
        size = self._sizes.get(ty)
        if size is None:
            size = self._sizes[ty] = super().get_abi_sizeof(ty)  # type: ignore[misc]
        return size

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """As Numba's, except that arrays that are no wrapper of one are not searched for a wrapper at each access."""
        if fn != "__array__":
            return super().get_function(fn, sig, _firstcall)  # type: ignore[misc]
        if sig.args in self._plain:
            raise NotImplementedError
        try:
            return super().get_function(fn, sig, False)  # type: ignore[misc]
        except NotImplementedError:
            self._plain.add(sig.args)
            raise
