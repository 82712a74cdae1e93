"""ODE's C functions, called from Python one by one, with the arguments and results of our C names.

A program written for `opendynamics.c_api` runs on the installed libode too::

    for ode in (c_api, LibOde()):
        world = ode.dWorldCreate()
        ...

Signatures are those of `c_api`: IDs are addresses, and where ours returns an array, the library either returns a pointer or
takes one as its last argument. Slow, and meant for that: the answers of the real ODE in checks. `ode_c.py` is for timing.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.peers.ode_c import loaded_library
from opendynamics import c_api

_D, _I, _P = ctypes.c_double, ctypes.c_int, ctypes.c_void_p
_VECTOR = _D * 4  # dVector3 has room for four

_OF_GEOM, _OF_BODY = (
    ("Position", "Rotation", "OffsetPosition", "OffsetRotation"),
    ("Position", "Rotation", "Quaternion"),
)
_RETURNS_POINTER = {
    *(f"dGeomGet{name}" for name in _OF_GEOM),
    *(f"dBodyGet{name}" for name in (*_OF_BODY, "LinearVel", "AngularVel", "Force", "Torque")),
    "dGeomTriMeshGetLastTransform",
}
_MOST_CONTACTS = 64


class dMass(ctypes.Structure):  # noqa: N801
    _fields_ = (("mass", _D), ("c", _VECTOR), ("I", _D * 12))


class dSurfaceParameters(ctypes.Structure):  # noqa: N801
    _fields_ = (
        ("mode", _I),
        *((name, _D) for name in ("mu", "mu2", "rho", "rho2", "rhoN", "bounce", "bounce_vel", "soft_erp", "soft_cfm")),
        *((name, _D) for name in ("motion1", "motion2", "motionN", "slip1", "slip2")),
    )


class dContactGeom(ctypes.Structure):  # noqa: N801
    _fields_ = (
        ("pos", _VECTOR),
        ("normal", _VECTOR),
        ("depth", _D),
        ("g1", _P),
        ("g2", _P),
        ("side1", _I),
        ("side2", _I),
    )


class dContact(ctypes.Structure):  # noqa: N801
    _fields_ = (("surface", dSurfaceParameters), ("geom", dContactGeom), ("fdir1", _VECTOR))


_STRUCTURES = {kind.__name__: kind for kind in (dMass, dSurfaceParameters, dContactGeom, dContact)}
_NEAR = ctypes.CFUNCTYPE(None, _P, _P, _P)


class LibOde:
    """The installed libode with the functions and constants of `c_api`.

    Raises:
        RuntimeError: if there is no libode in double precision.
    """

    def __init__(self) -> None:
        self._library, reason = loaded_library()
        if self._library is None:
            raise RuntimeError(reason)
        for kind in _STRUCTURES.values():
            setattr(self, kind.__name__, kind)

    @staticmethod
    def available() -> bool:
        """Whether it is installed."""
        return loaded_library()[0] is not None

    def __getattr__(self, name: str) -> Any:
        ours = getattr(c_api, name)
        made = self._function(name, ours) if inspect.isfunction(ours) else ours
        setattr(self, name, made)
        return made

    def _function(self, name: str, ours: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(ours)
        kinds = [_kind(str(parameter.annotation)) for parameter in signature.parameters.values()]
        result = str(signature.return_annotation)
        address = ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value
        assert address is not None
        if result == "Array" and name not in _RETURNS_POINTER:
            call = ctypes.CFUNCTYPE(None, *kinds, _P)(address)
            return partial(_by_output, call, _length(name))
        returned = ctypes.POINTER(_D) if result == "Array" else _kind(result)
        call = ctypes.CFUNCTYPE(returned, *kinds)(address)
        return partial(_by_value, call, _length(name) if result == "Array" else 0)

    def dCollide(self, o1: int, o2: int, flags: int) -> list[dContactGeom]:  # noqa: N802
        """The contacts of two geoms."""
        room = (dContactGeom * _MOST_CONTACTS)()
        call = ctypes.CFUNCTYPE(_I, _P, _P, _I, _P, _I)(("dCollide", self._library))
        count = call(o1, o2, min(flags, _MOST_CONTACTS), ctypes.addressof(room), ctypes.sizeof(dContactGeom))
        return [dContactGeom.from_buffer_copy(contact) for contact in room[:count]]

    def dSpaceCollide(self, space: int, data: Any, callback: Callable[[Any, int, int], None]) -> None:  # noqa: N802
        """`callback(data, o1, o2)` for each pair; what it raises is raised here."""
        raised: list[BaseException] = []

        def near(_: Any, one: int, two: int) -> None:
            try:
                if not raised:
                    callback(data, one, two)
            except BaseException as error:  # a callback from C can hand on nothing
                raised.append(error)

        ctypes.CFUNCTYPE(None, _P, _P, _NEAR)(("dSpaceCollide", self._library))(space, None, _NEAR(near))
        if raised:
            raise raised[0]


def _kind(annotation: str) -> Any:
    """The C type of an argument or result of `c_api`."""
    if annotation in ("None", "float", "int", "bool"):
        return {"None": None, "float": _D, "int": _I, "bool": _I}[annotation]
    return ctypes.c_char_p if annotation == "str" else _P


def _length(name: str) -> int:
    """How many numbers of an array are meant."""
    if "Rotation" in name and "Axis" not in name:
        return 12
    if "Quaternion" in name or "PlaneGetParams" in name:
        return 4
    return 6 if "AABB" in name else 3


def _pointer(value: Any) -> Any:
    """What stands for a pointer: the address of a structure or of an array's copy."""
    if isinstance(value, ctypes.Structure):
        return ctypes.addressof(value)
    if isinstance(value, (tuple, list, np.ndarray)):
        numbers = np.ascontiguousarray(value, np.float64).reshape(-1)
        return ctypes.cast((_D * numbers.size)(*numbers), _P)
    return value.encode() if isinstance(value, str) else value


def _by_value(call: Callable[..., Any], length: int, *arguments: Any) -> Any:
    found = call(*map(_pointer, arguments))
    return np.array(found[:length]) if length else found


def _by_output(call: Callable[..., Any], length: int, *arguments: Any) -> Any:
    out = (_D * 16)()
    call(*map(_pointer, arguments), ctypes.cast(out, _P))
    return np.array(out[:length])
