"""Types of the arguments of kernels and entries, as Numba has them, without importing Numba.

Signatures are declared with them when modules are imported; `core/jit.py` makes Numba's types of them when something is to be
compiled. The text of a type differs from that of all others, as it is a part of what machine code is found by.

    types.int64(TABLES, types.float64)          a signature: an int64 from tables and a float64
    types.Array(types.float64, 1, "C")          a contiguous array of one dimension
    types.Array(GEOMS.dtype, 1, "C")            the same of records, by NumPy's dtype
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Type:
    """A type by its name in Numba; calling it with the types of arguments makes the signature that returns it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *arguments: Type) -> Signature:
        return Signature(self, arguments)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class Array(Type):
    """An array of `ndim` dimensions, of elements of a `Type` or a NumPy dtype; `readonly`: one that may not be written."""

    def __init__(self, dtype: Any, ndim: int, layout: str, *, readonly: bool = False) -> None:
        self.dtype = dtype if isinstance(dtype, Type) else np.dtype(dtype)
        self.ndim = ndim
        self.layout = layout
        self.readonly = readonly

    def __str__(self) -> str:
        element = self.dtype
        if isinstance(element, np.dtype):
            element = f"{element!r} of {element.itemsize} bytes, aligned {element.isalignedstruct}"
        return f"Array({element}, {self.ndim}, {self.layout}{', readonly' * self.readonly})"


class Record(Type):
    """A record of a table, by its NumPy dtype; machine code passes its address."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)

    def __str__(self) -> str:
        return f"Record({self.dtype!r} of {self.dtype.itemsize} bytes, aligned {self.dtype.isalignedstruct})"


class Tuple(Type):
    """A tuple of given types."""

    def __init__(self, types: tuple[Type, ...]) -> None:
        self.types = types

    def __str__(self) -> str:
        return f"Tuple({', '.join(map(str, self.types))})"


class NamedTuple(Tuple):
    """A named tuple of given types."""

    def __init__(self, types: tuple[Type, ...], made_by: type) -> None:
        super().__init__(types)
        self.made_by = made_by

    def __str__(self) -> str:
        return f"{self.made_by.__name__}({', '.join(map(str, self.types))})"


class UniTuple(Tuple):
    """A tuple of `count` elements of one type."""

    def __init__(self, dtype: Type, count: int) -> None:
        super().__init__((dtype,) * count)


class Signature:
    """The types of a function's arguments and result."""

    def __init__(self, return_type: Type, args: tuple[Type, ...]) -> None:
        self.return_type = return_type
        self.args = args

    def __str__(self) -> str:
        return f"{self.return_type}({', '.join(map(str, self.args))})"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


boolean, uint8, int32, int64, float64, void = map(Type, ("boolean", "uint8", "int32", "int64", "float64", "void"))
