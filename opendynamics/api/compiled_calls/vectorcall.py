"""Callables of Python functions whose most frequent case is machine code.

`compiled_call(entry, known)` makes one of a function, with its name, documentation and signature, and as a method where the
function would be one. The entry has the C signature of Python's vectorcall protocol (PEP 590), so that it is called without a
frame. It handles the case that it knows, and calls the Python function with the same arguments in all others.

Until the machine code is loaded, the Python functions are called. They are used as they are where objects are not as expected:
in Python without a GIL, in other implementations, and in 3.10 (no PyObject_Vectorcall).
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from functools import update_wrapper
from types import FunctionType
from typing import Any, TypeVar

from opendynamics.api.compiled_calls.known import WORD, Known, objects_are_as_expected

F = TypeVar("F", bound=Callable[..., Any])

# Offsets in a compiled call: address of its machine code, its function, its dictionary, weak references; and its size.
VECTORCALL, FUNCTION, DICT, WEAK_REFERENCES, SIZE = range(16, 56, WORD)

# Constants of Python's C API.
_DESCR_GET, _MEMBERS = 54, 72  # Py_tp_descr_get, Py_tp_members
_SSIZE, _READ_ONLY = 19, 1  # T_PYSSIZET, READONLY
_FLAGS = 1 << 18 | 1 << 17 | 1 << 11  # Py_TPFLAGS_DEFAULT, _METHOD_DESCRIPTOR, _HAVE_VECTORCALL

# Compiled calls whose machine code has not been loaded, and their entries, by what these know.
UNLOADED: dict[Known, list[tuple[Any, Any]]] = {}

_kept_alive: list[Any] = []


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("value", ctypes.c_void_p))


class _Member(ctypes.Structure):
    _fields_ = (
        *(("name", ctypes.c_char_p), ("type", ctypes.c_int), ("offset", ctypes.c_ssize_t)),
        *(("flags", ctypes.c_int), ("doc", ctypes.c_char_p)),
    )


class _Spec(ctypes.Structure):
    _fields_ = (
        *(("name", ctypes.c_char_p), ("size", ctypes.c_int), ("item_size", ctypes.c_int)),
        *(("flags", ctypes.c_uint), ("slots", ctypes.POINTER(_Slot))),
    )


class _Forwarding:
    """A compiled call without machine code."""

    __slots__ = ()

    __wrapped__: Callable[..., Any]

    _known: Known

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        known = self._known
        known.calls_left -= 1
        if not known.calls_left:
            load_calls_of(known)
        return self.__wrapped__(*arguments, **options)

    def __repr__(self) -> str:
        return repr(self.__wrapped__)

    def __reduce__(self) -> str:
        return self.__wrapped__.__qualname__


def _make_type() -> Any:
    """The type of compiled calls: `_Forwarding` with a field for the address of machine code."""
    offsets = {b"__vectorcalloffset__": VECTORCALL, b"__dictoffset__": DICT, b"__weaklistoffset__": WEAK_REFERENCES}
    members = (_Member * 4)(*(_Member(name, _SSIZE, offset, _READ_ONLY) for name, offset in offsets.items()))
    slot_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_int)(("PyType_GetSlot", ctypes.pythonapi))
    arguments = ctypes.POINTER(_Spec), ctypes.py_object
    make = ctypes.PYFUNCTYPE(ctypes.py_object, *arguments)(("PyType_FromSpecWithBases", ctypes.pythonapi))
    binding = slot_of(FunctionType, _DESCR_GET)  # makes a method of any callable
    slots = (_Slot * 3)(_Slot(_MEMBERS, ctypes.addressof(members)), _Slot(_DESCR_GET, binding))
    spec = _Spec(f"{__name__}.CompiledCall".encode(), SIZE, 0, _FLAGS, slots)
    _kept_alive.extend((members, slots, spec))
    return make(ctypes.byref(spec), (_Forwarding,))


CompiledCall: Any = _make_type() if objects_are_as_expected() else None


def compiled_call(entry: Any, known: Known) -> Callable[[F], F]:
    """Call an entry, whose kernels use what is `known`, instead of a function."""

    def decorate(function: F) -> F:
        if CompiledCall is None:
            return function
        made: Any = CompiledCall()
        for name, value in vars(function).items():
            setattr(made, name, value)
        update_wrapper(made, function, updated=())
        _set_field(made, FUNCTION, id(function))
        for thing in (made, function):  # they live for good: machine code is called by one and calls the other
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
        UNLOADED.setdefault(known, []).append((made, entry))
        made._known = known
        return made  # type: ignore[no-any-return]

    return decorate


def load_calls_of(known: Known) -> None:
    """Load the machine code of all calls that use what is `known`; none if attributes are not where they are expected."""
    unloaded = UNLOADED.pop(known, None)
    if unloaded is None:
        return
    try:
        known.find()
    except ValueError:
        return
    for made, entry in unloaded:
        _set_field(made, VECTORCALL, entry.address)
        atexit.register(_set_field, made, VECTORCALL, 0)  # machine code and what it knows end before the last objects


def _set_field(made: Any, offset: int, value: int) -> None:
    ctypes.c_ssize_t.from_address(id(made) + offset).value = value
