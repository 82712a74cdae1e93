"""Arrays that properties return: read-only copies.

`body.position[2] = 5` would change only a copy; it raises a ValueError instead. Assign the property:
`body.position = (0, 0, 5)`. In-place operators on the property, such as `body.position += (0, 0, 1)`, assign it and work.
Results computed from such an array are ordinary arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

COORDINATES = ("x", "y", "z")  # of vectors in other engines
_DOUBLE = np.dtype(np.float64)  # looking it up by its type takes a quarter of the time of an array


class ReadOnlyArray(np.ndarray):
    """An array that cannot be written in place; `a += b` creates a new one instead."""

    __slots__ = ()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else array

    def __iadd__(self, other: Any) -> Any:  # type: ignore[misc]
        return self + other

    def __isub__(self, other: Any) -> Any:  # type: ignore[misc]
        return self - other

    def __imul__(self, other: Any) -> Any:  # type: ignore[misc]
        return self * other

    def __itruediv__(self, other: Any) -> Any:  # type: ignore[misc]
        return self / other

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __setitem__(self, place: Any, value: Any) -> None:
            if not self.flags.writeable:
                raise ValueError(
                    "this array is a read-only copy: change a copy of your own and assign the property as a whole, as in "
                    "position = body.position.copy(); position[2] = 5; body.position = position"
                )
            super().__setitem__(place, value)

        def __getattr__(self, name: str) -> Any:
            end = f"; write [{COORDINATES.index(name)}]" if name in COORDINATES else ""
            raise AttributeError(f"an array has no attribute {name!r}{end}", obj=self)

        def __setattr__(self, name: str, value: Any) -> None:
            if name in COORDINATES:
                text = f"an array has no attribute {name!r}, and copies are not written: assign the property as a whole"
                raise AttributeError(text, obj=self)
            super().__setattr__(name, value)

    def __repr__(self) -> str:
        """Short text: six digits, and only the ends of long arrays."""
        with np.printoptions(precision=6, suppress=True, threshold=60):
            return np.array_repr(self.view(np.ndarray))

    def __reduce__(self) -> Any:
        return self.view(np.ndarray).__reduce__()


def read_only_numbers(numbers: memoryview, shape: tuple[int, ...] = (3,)) -> npt.NDArray[np.float64]:
    """The same from numbers of a table, see `Store.doubles`: an array over bytes is read-only."""
    return ReadOnlyArray(shape, _DOUBLE, numbers.tobytes())


def read_only(values: Any) -> npt.NDArray[np.float64]:
    """A copy of numbers as a read-only array."""
    array = np.array(values)
    array.setflags(write=False)
    return array.view(ReadOnlyArray)
