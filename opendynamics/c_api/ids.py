"""Arguments and results of the C functions: IDs, the null ID, matrices of 12 numbers."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from opendynamics.api.checks import DestroyedError
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.spaces.space import Space

T = TypeVar("T")
Array: TypeAlias = npt.NDArray[np.float64]
Null: TypeAlias = Literal[0] | None


def the(kind: type[T], identifier: object) -> T:
    """`identifier`, which must be an existing object of `kind`."""
    if isinstance(identifier, kind):
        if kind is not JointGroup and not getattr(identifier, "alive", True):  # groups have no `alive`
            raise _gone(identifier)
        return identifier
    raise TypeError(_wrong(kind.__name__, identifier))


# Functions that create objects of kinds, where the names do not follow from the kind.
_MAKERS = {
    **{"Joint": "dJointCreateBall, ...", "Geom": "dCreateSphere, ...", "Space": "dSimpleSpaceCreate, ..."},
    **{"Trimesh": "dCreateTriMesh", "dTriMeshDataID": "dGeomTriMeshDataCreate"},
}


def _wrong(kind: str, identifier: object) -> str:
    """The error message for a wrong ID: the called function, its argument, and the source of such IDs."""
    from opendynamics import c_api

    call, argument = called_with(identifier, kind)
    makers = (f"d{kind}Create", f"dJointCreate{kind}", f"dCreate{kind}")
    maker = _MAKERS.get(kind) or next((name for name in makers if hasattr(c_api, name)), "")
    noun = f"a {kind}" if kind.startswith("d") else f"the ID of {'an' if kind in ('AMotor', 'LMotor') else 'a'} {kind}"
    return f"{call}{argument} must be {noun}{maker and f', from {maker}'}, not {identifier!r}"


def called_with(value: object, kind: str = "") -> tuple[str, str]:
    """The C function that the program called, with a colon, and its argument with this value; of several, one of this kind."""
    frame: FrameType | None = sys._getframe(1)
    call, argument = "", "an argument"
    while frame is not None and str(frame.f_globals.get("__name__")).startswith("opendynamics.c_api."):
        name = frame.f_code.co_name
        if name.startswith("d") and name[1:2].isupper():  # the last one is the outermost
            call = f"{name}: "
            types = getattr(frame.f_globals.get(name), "__annotations__", {})
            held = [key for key, one in frame.f_locals.items() if one is value]
            of_kind = [key for key in held if str(types.get(key)).startswith((f"d{kind}ID", kind or "-"))]
            argument = next(iter(of_kind + held), argument)
        frame = frame.f_back
    return call, argument


def _gone(identifier: Any) -> DestroyedError:
    """The error for the ID of a destroyed object."""
    call, argument = called_with(identifier)
    name = getattr(identifier, "name", "it")  # resources have none
    return DestroyedError(f"{call}{argument}: {name} has been destroyed; make a new one")


def or_null(kind: type[T], identifier: object) -> T | None:
    """`identifier`, which must be an object of `kind`, or None for the null ID."""
    if isinstance(identifier, kind):
        return the(kind, identifier)
    if identifier is None or (isinstance(identifier, int) and identifier == 0):
        return None
    return the(kind, identifier)


def geom_or_space(identifier: object) -> Geom | Space:
    """`identifier`, which must be a geom; in C a space is one too."""
    if isinstance(identifier, (Geom, Space)):
        if not identifier.alive:
            raise _gone(identifier)
        return identifier
    raise TypeError(_wrong("Geom", identifier))


def flag(value: object) -> bool:
    """A C flag, any integer, as True or False."""
    if isinstance(value, (bool, int, np.bool_, np.integer)):
        return bool(value)
    call, argument = called_with(value)
    raise TypeError(f"{call}{argument} must be 0 or 1, not {value!r}")


def whole(value: object) -> int:
    """A number that C takes as an int."""
    if isinstance(value, (int, np.integer)):
        return int(value)
    call, argument = called_with(value)
    raise TypeError(f"{call}{argument} must be a whole number, not {value!r}")


def text(value: object) -> str:
    """A C string."""
    if isinstance(value, str):
        return value
    call, argument = called_with(value)
    raise TypeError(f"{call}{argument} must be a text, not {value!r}")


def three(vector: Any) -> Any:
    """A vector for the Pythonic API: the fourth number of a dVector3 has no meaning."""
    return vector[:3] if hasattr(vector, "__getitem__") and len(vector) == 4 else vector


def matrix12(matrix: Array) -> Array:
    """A 3x3 matrix as ODE's 3x4, row-major, with a fourth column of zeros."""
    rows = np.zeros((3, 4))
    rows[:, :3] = matrix
    return rows.reshape(12)


def matrix33(twelve: Any) -> Array:
    """The 3x3 matrix of ODE's 3x4 numbers, row-major."""
    matrix = np.asarray(twelve, dtype=np.float64)
    if matrix.size != 12:
        raise ValueError(f"a matrix must have 12 numbers, 3x4 by rows, not {matrix.size}")
    return matrix.reshape(3, 4)[:, :3]


def function_or_null(what: str, function: Any) -> Any:
    """A callback, or None for the null pointer. TypeError for anything else, now instead of at the call."""
    if function is None or (isinstance(function, int) and function == 0):
        return None
    if not callable(function):
        raise TypeError(f"{called_with(function)[0]}{what} must be a function, or None or 0 for none, not {function!r}")
    return function
