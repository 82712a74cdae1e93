"""What goes in and out of the C functions: IDs, the null ID, matrices of 12 numbers."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.handle import Handle
from opendynamics.api.spaces.space import Space

T = TypeVar("T")
Array: TypeAlias = npt.NDArray[np.float64]
Null: TypeAlias = Literal[0] | None


def the(kind: type[T], identifier: object) -> T:
    """`identifier`, which has to be an object of `kind` that still exists."""
    if isinstance(identifier, kind):
        if isinstance(identifier, Handle) and not identifier.alive:
            reading.row_of(identifier)  # raises
        return identifier
    raise TypeError(f"the ID of a {kind.__name__} is wanted, not {identifier!r}")


def _require_alive(identifier: object) -> None:
    if isinstance(identifier, Handle) and not identifier.alive:
        reading.row_of(identifier)  # raises if it is destroyed


def or_null(kind: type[T], identifier: object) -> T | None:
    """`identifier`, which has to be an object of `kind`, or None for the null ID."""
    if isinstance(identifier, kind):
        return the(kind, identifier)
    if identifier is None or (isinstance(identifier, int) and identifier == 0):
        return None
    return the(kind, identifier)


def geom_or_space(identifier: object) -> Geom | Space:
    """`identifier`, which has to be a geom; in C a space is one too."""
    if isinstance(identifier, (Geom, Space)):
        _require_alive(identifier)
        return identifier
    raise TypeError(f"the ID of a Geom or a Space is wanted, not {identifier!r}")


def three(vector: Any) -> Any:
    """A vector for the Pythonic face: the fourth number of a dVector3 means nothing."""
    return vector[:3] if hasattr(vector, "__getitem__") and len(vector) == 4 else vector


def matrix12(matrix: Array) -> Array:
    """A 3x3 matrix as ODE's 3x4 by rows, the fourth column zero."""
    rows = np.zeros((3, 4))
    rows[:, :3] = matrix
    return rows.reshape(12)


def matrix33(twelve: Any) -> Array:
    """The 3x3 matrix of ODE's 3x4 by rows."""
    matrix = np.asarray(twelve, dtype=np.float64)
    if matrix.size != 12:
        raise ValueError(f"a matrix must have 12 numbers, 3x4 by rows, not {matrix.size}")
    return matrix.reshape(3, 4)[:, :3]


def function_or_null(what: str, function: Any) -> Any:
    """A callback, or None for the null pointer. TypeError, now rather than when it would be called, for anything else."""
    if function is None or (isinstance(function, int) and function == 0):
        return None
    if not callable(function):
        raise TypeError(f"{what} must be a function, or None or 0 for none, not {function!r}")
    return function
