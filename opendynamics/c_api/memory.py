"""memory.h: blocks of memory, which are bytearrays here; opendynamics itself does not use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.api import checks

dAllocFunction = Callable[[int], Any]
dReallocFunction = Callable[[Any, int, int], Any]
dFreeFunction = Callable[[Any, int], Any]

_handlers: dict[str, Callable[..., Any] | None] = {"alloc": None, "realloc": None, "free": None}


def dSetAllocHandler(fn: dAllocFunction | None) -> None:
    """Set the function that dAlloc calls; None: dAlloc creates a bytearray."""
    _handlers["alloc"] = _function(fn)


def dSetReallocHandler(fn: dReallocFunction | None) -> None:
    """Set the function that dRealloc calls; None: dRealloc creates a bytearray."""
    _handlers["realloc"] = _function(fn)


def dSetFreeHandler(fn: dFreeFunction | None) -> None:
    """Set the function that dFree calls; None: no function, as Python frees memory itself."""
    _handlers["free"] = _function(fn)


def dGetAllocHandler() -> dAllocFunction | None:
    return _handlers["alloc"]


def dGetReallocHandler() -> dReallocFunction | None:
    return _handlers["realloc"]


def dGetFreeHandler() -> dFreeFunction | None:
    return _handlers["free"]


def dAlloc(size: int) -> Any:
    """Return a block of `size` bytes, all zero."""
    count = checks.count("the size of a block", size)
    handler = _handlers["alloc"]
    return bytearray(count) if handler is None else handler(count)


def dRealloc(ptr: Any, oldsize: int, newsize: int) -> Any:
    """Return a block of `newsize` bytes that starts with the contents of `ptr`; a null `ptr` is empty."""
    old, new = checks.count("the old size of a block", oldsize), checks.count("the new size of a block", newsize)
    handler = _handlers["realloc"]
    if handler is not None:
        return handler(ptr, old, new)
    block = bytearray(new)
    kept = memoryview(_block(ptr)).cast("B")[: min(old, new)]
    block[: len(kept)] = kept
    return block


def dFree(ptr: Any, size: int) -> None:
    """Call the handler, if there is one."""
    count = checks.count("the size of a block", size)
    handler = _handlers["free"]
    if handler is not None:
        handler(ptr, count)
    else:
        _block(ptr)


def _block(ptr: Any) -> Any:
    """A block of memory; the null pointer is an empty one."""
    if ptr is None or (isinstance(ptr, int) and ptr == 0):
        return b""
    try:
        memoryview(ptr)
    except TypeError:
        raise TypeError(f"ptr must be a block of memory, such as dAlloc gives, or None, not {ptr!r}") from None
    return ptr


def _function(fn: Any) -> Any:
    if not (fn is None or callable(fn)):
        raise TypeError(f"a memory handler must be a function or None, not {fn!r}")
    return fn
