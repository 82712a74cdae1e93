"""Output arguments: where C takes a pointer that it writes to, an object to fill may be passed, as in C.

    position = dVector3()
    dBodyCopyPosition(body, position)   # filled, and returned
    position = dBodyCopyPosition(body)  # the same without

As in C, a function with a further result then returns only that: `if dInvertPDMatrix(A, inverse, n)`.

Reads the annotations of the functions and the table of positions below; `with_outputs` creates the C form of a function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from ctypes import _SimpleCData
from functools import wraps
from typing import Any

import numpy as np

from opendynamics.c_api.mass import dMass

# Arrays that ODE returns as pointers to its own memory.
RETURNED_BY_POINTER = frozenset(
    (
        *(f"dGeomGet{part}" for part in ("Position", "Rotation", "OffsetPosition", "OffsetRotation")),
        *(f"dBodyGet{part}" for part in ("Position", "Rotation", "Quaternion", "LinearVel", "AngularVel")),
        *("dBodyGetForce", "dBodyGetTorque", "dGeomTriMeshGetLastTransform"),
        *("dVector3", "dVector4", "dMatrix3", "dMatrix4", "dMatrix6", "dQuaternion"),
    )
)
# Positions of the outputs among C's arguments, if not after all others. Those of rotation.h and odemath.h come first.
_POSITIONS: dict[str, tuple[int, ...]] = {
    "dInvertPDMatrix": (1,),
    "dFactorLDLT": (1,),
    **dict.fromkeys(("dMultiply0", "dMultiply1", "dMultiply2", "dMakeRandomVector", "dMakeRandomMatrix"), (0,)),
}
# Functions whose outputs may be null pointers, for results that are not needed.
_NULL_OUTPUTS = frozenset(("dGeomTriMeshGetTriangle", "dHashSpaceGetLevels"))
_OUTPUT_FIRST = ("opendynamics.c_api.rotation", "opendynamics.c_api.odemath_inline")
_OUTPUT_LAST = frozenset(("dQtoR", "dRtoQ", "dWtoDQ", "dInfiniteAABB"))


def result_parts(function: Callable[..., Any]) -> list[str]:
    """The annotated result, part by part."""
    text = str(inspect.signature(function).return_annotation)
    return text.removeprefix("tuple[").removesuffix("]").split(", ") if text.startswith("tuple[") else [text]


def output_positions(name: str, function: Callable[..., Any]) -> tuple[int, ...]:
    """Positions of the output arguments among the arguments of C's function `name`; () if it has none."""
    parts = result_parts(function)
    arrays = [part for part in parts if part in ("Array", "dMass")]
    if name in RETURNED_BY_POINTER or not (arrays or (len(parts) > 1 and len(set(parts)) == 1)):
        return ()
    if name in _POSITIONS:
        return _POSITIONS[name]
    count = len(arrays) or len(parts)
    first = 0
    if function.__module__ not in _OUTPUT_FIRST or name in _OUTPUT_LAST:
        first = len(inspect.signature(function).parameters)
    return tuple(range(first, first + count))


def with_outputs(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, called `name` in C, also accepting C's output arguments.

    An output is a mutable sequence, a NumPy array, an array or number of ctypes, or a dMass.

    Raises:
        TypeError: from the function, if an output cannot be written to.
        ValueError: from the function, if an output is too short.
    """
    positions = output_positions(name, function)
    if not positions:
        return function
    inputs = len(inspect.signature(function).parameters)
    has_result = len(result_parts(function)) > len(positions)

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        if len(arguments) <= inputs:
            found = function(*arguments, **named)
            return tuple(map(_own, found)) if isinstance(found, tuple) else _own(found)
        if len(arguments) != inputs + len(positions) or named:
            both = f"{inputs} arguments, or {inputs + len(positions)} with its outputs"
            raise TypeError(f"{name} takes {both}, not {len(arguments) + len(named)}")
        outputs = {at + 1: arguments[at] for at in positions}
        written = {at: output for at, output in outputs.items() if not (name in _NULL_OUTPUTS and _is_null(output))}
        require_outputs(name, written)
        found = function(*(argument for at, argument in enumerate(arguments) if at not in positions))
        results = found if isinstance(found, tuple) else (found,)
        values = dict(zip(outputs, results[len(results) - len(positions) :], strict=True))
        fill_outputs(name, written, [values[at] for at in written])
        if has_result:
            return results[0]
        filled = tuple(outputs.values())
        return filled if len(filled) > 1 else filled[0]

    return call


def require_outputs(name: str, outputs: dict[int, Any]) -> None:
    """Raise unless the arguments with these positions of the function `name` are writable."""
    for number, output in outputs.items():
        _require_writable(f"argument {number} of {name}", output)


def fill_outputs(name: str, outputs: dict[int, Any], values: Any) -> None:
    """Write a value to each of these arguments; to none if one of them is too short."""
    for (number, output), value in zip(outputs.items(), values, strict=True):
        _require_room(f"argument {number} of {name}", output, value)
    for output, value in zip(outputs.values(), values, strict=True):
        _write(output, value)


def _is_null(output: Any) -> bool:
    return output is None or (isinstance(output, int) and output == 0)


def _own(value: Any) -> Any:
    """A writable copy, like an array that C would fill; arrays of ODE's own pointers are const."""
    return np.array(value) if isinstance(value, np.ndarray) and not value.flags.writeable else value


def _require_writable(what: str, output: Any) -> None:
    if isinstance(output, np.ndarray):
        writable = output.flags.writeable and output.dtype.kind in "fi"
    else:
        sequence = hasattr(output, "__setitem__") and hasattr(output, "__len__") and not isinstance(output, dict)
        writable = sequence or isinstance(output, (dMass, _SimpleCData))
    if not writable:
        raise TypeError(
            f"{what} is an output: it must be an array or a list to fill, such as dVector3(), not {output!r}"
        )


def _require_room(what: str, output: Any, value: Any) -> None:
    if isinstance(value, dMass) or isinstance(output, (dMass, _SimpleCData)):
        kind = dMass if isinstance(value, dMass) else _SimpleCData
        if not isinstance(output, kind) or (kind is _SimpleCData and np.ndim(value)):
            raise TypeError(f"{what} must be a dMass if it is a mass, and only then, not {output!r}")
        return
    room = output.size if isinstance(output, np.ndarray) else len(output)
    if room < np.size(value):
        raise ValueError(f"{what} has room for {room} numbers, not for the {np.size(value)} of the result")


def _write(output: Any, value: Any) -> None:
    if isinstance(output, dMass):
        output.mass, output.c, output.I = value.mass, value.c, value.I
    elif isinstance(output, _SimpleCData):
        output.value = value
    elif isinstance(output, np.ndarray):
        output.flat[: np.size(value)] = value
    else:
        for number, part in enumerate(np.ravel(value).tolist()):
            output[number] = part
