"""What machine code has to know of Python's objects: where objects and classes are, and where objects have their attributes."""

from __future__ import annotations

import ctypes
import sys
from pkgutil import resolve_name
from typing import Any

import numpy as np

from opendynamics.core.arrays.table import array_of_process

WORD = 8  # bytes of a pointer
TYPE = 8  # offset of an object's type

# Offsets in an array of NumPy: its memory, the number of its dimensions (32 bits), the addresses of their lengths and of the
# bytes from one element to the next, and its dtype (NumPy's PyArrayObject_fields, unchanged since 1.7).
DATA, DIMENSIONS, LENGTHS, STEPS, _, DESCRIPTION = range(16, 64, WORD)


class Known:
    """Numbers that are found at run time, for the kernels of some compiled calls.

    Args:
        symbol: name of the numbers in machine code.
        objects: objects, of which kernels know the address.
        named: the same of objects that cannot be imported here, as "module:name".
        slots: classes as in `named`, and attributes in slots of their objects: their offsets are "class_attribute", without
            underscores at the ends.
        also: what these kernels know besides.
        after: number of their calls with which their machine code is loaded; 0: when it is asked for.

    `array()` is, in kernels, an array with one row of these numbers.
    """

    def __init__(
        self,
        symbol: str,
        objects: dict[str, Any],
        named: dict[str, str],
        slots: dict[str, tuple[str, tuple[str, ...]]],
        also: Known | None = None,
        after: int = 0,
    ) -> None:
        self.calls_left = after
        self._objects, self._named = objects, named
        self._slots = {
            f"{owner}_{slot.strip('_')}": (kind, slot) for owner, (kind, names) in slots.items() for slot in names
        }
        if also is not None:
            self._objects, self._named = also._objects | objects, also._named | named
            self._slots = also._slots | self._slots
        fields = *self._objects, *self._named, *self._slots
        self.numbers = np.zeros(1, [(name, np.int64) for name in fields])
        self.array = array_of_process(symbol, self.numbers)

    def find(self) -> None:
        """Find them. ValueError if an attribute is not where attributes in slots are."""
        for name, (kind, slot) in self._slots.items():
            self.numbers[name] = offset_of_slot(resolve_name(kind), slot)
        for name, thing in self._objects.items():
            self.numbers[name] = id(thing)
        for name, where in self._named.items():
            self.numbers[name] = id(resolve_name(where))


def words_of(thing: Any) -> list[int]:
    """The memory of an object."""
    return list((ctypes.c_ssize_t * (type(thing).__basicsize__ // WORD)).from_address(id(thing)))


class _Empty:
    __slots__ = ()


def objects_are_as_expected() -> bool:
    """Whether objects consist of a reference count, their type, and their attributes, and arrays of what is written above."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != WORD:
        return False
    if words_of(_Empty())[1:] != [id(_Empty)] or not hasattr(ctypes.pythonapi, "PyObject_Vectorcall"):
        return False
    array = np.zeros(3)
    _, kind, data, dimensions, lengths, steps, _, description = words_of(array)[:8]
    return (
        (kind, data, dimensions & 0xFFFFFFFF, description) == (id(np.ndarray), array.ctypes.data, 1, id(array.dtype))
        and ctypes.c_ssize_t.from_address(lengths).value == 3
        and ctypes.c_ssize_t.from_address(steps).value == WORD
    )


def offset_of_slot(kind: type, name: str) -> int:
    """Offset of a slot in the objects of a class; ValueError if its value is not in the object."""
    thing: Any = object.__new__(kind)
    value = object()
    getattr(kind, name).__set__(thing, value)
    return WORD * words_of(thing).index(id(value))
