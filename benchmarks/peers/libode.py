"""ODE's C functions, called from Python one by one, with the arguments and results of our C names.

A program written for `opendynamics.c_api` runs on the installed libode too::

    for ode in (c_api, LibOde()):
        world = ode.dWorldCreate()
        ...

Signatures are those of `c_api`: IDs are addresses, and what the library writes to output arguments is returned.
Slow, and meant for that: the answers of the real ODE in checks. `ode_c.py` is for timing.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers.ode_c import loaded_library
from opendynamics import c_api
from opendynamics.c_api.outputs import output_positions, result_parts

_D, _I, _P = ctypes.c_double, ctypes.c_int, ctypes.c_void_p
_VECTOR = _D * 4  # dVector3 has room for four

_MAX_CONTACTS = 64


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


class dJointFeedback(ctypes.Structure):  # noqa: N801
    _fields_ = (("f1", _VECTOR), ("t1", _VECTOR), ("f2", _VECTOR), ("t2", _VECTOR))


_STRUCTURES = {kind.__name__: kind for kind in (dMass, dSurfaceParameters, dContactGeom, dContact, dJointFeedback)}
_NEAR = ctypes.CFUNCTYPE(None, _P, _P, _P)
_CALLBACKS = {"dBodySetMovedCallback": ctypes.CFUNCTYPE(None, _P)}
_MAX_JOINTS = 64
_MATRIX = 12  # numbers of three rows of four
_errors: list[bytes] = []


@ctypes.CFUNCTYPE(None, _I, ctypes.c_char_p, _P)
def _note(number: int, text: bytes, _: int) -> None:
    """Note errors of the solver, which has no other way to report them."""
    if number == c_api.d_ERR_LCP:
        _errors.append(text)


class LibOde:
    """The installed libode with the functions and constants of `c_api`.

    Raises:
        RuntimeError: if there is no libode in double precision.
    """

    def __init__(self) -> None:
        self._library, reason = loaded_library()
        if self._library is None:
            raise RuntimeError(reason)
        self._kept: dict[int, Any] = {}  # what the library may point to, by address
        self._library.dSetMessageHandler(ctypes.cast(_note, _P).value)
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
        parameters = inspect.signature(ours).parameters.values()
        kinds = [_kind(name, str(parameter.annotation)) for parameter in parameters]
        positions, parts = output_positions(name, ours), result_parts(ours)
        written = [_output(name, part) for part in parts[len(parts) - len(positions) :]] if positions else []
        own = parts[0] if len(parts) > len(positions) else "None"
        for position in positions:
            kinds.insert(position, _P)
        returned = ctypes.POINTER(_D) if own == "Array" else _kind(name, own)
        address = ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value
        assert address is not None
        function = ctypes.CFUNCTYPE(returned, *kinds)(address)
        callback = _CALLBACKS.get(name)

        def call(*arguments: Any) -> Any:
            outputs = [make() for make in written]
            given = [self._pointer(callback(value) if callback and callable(value) else value) for value in arguments]
            for position, output in zip(positions, outputs, strict=True):
                given.insert(position, ctypes.addressof(output))
            found = function(*given)
            if own == "Array":
                return _array(name, found)
            results = [_value(name, output) for output in outputs]
            if own != "None":
                results.insert(0, found.decode() if isinstance(found, bytes) else found)
            return tuple(results) if len(results) > 1 else (results or [None])[0]

        return call

    def _pointer(self, value: Any) -> Any:
        """What stands for a pointer: the address of a structure, of an array or of a sequence's copy, which is kept."""
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, (tuple, list, np.ndarray)):
            value = np.ascontiguousarray(value, None if isinstance(value, np.ndarray) else np.float64)
            self._kept[value.ctypes.data] = value
            return value.ctypes.data
        if isinstance(value, ctypes.Structure):
            self._kept[ctypes.addressof(value)] = value
            return ctypes.addressof(value)
        if isinstance(value, ctypes._CFuncPtr):  # type: ignore[attr-defined]
            address = ctypes.cast(value, ctypes.c_void_p).value or 0
            self._kept[address] = value
            return address
        return value

    def has_failed(self) -> bool:
        """Whether ODE's solver has reported an internal error since the last call."""
        failed = bool(_errors)
        _errors.clear()
        return failed

    def forget(self) -> None:
        """Let go of everything that the library was given; its objects must be destroyed."""
        self._kept.clear()

    def dJointGetFeedback(self, j: int) -> Any:  # noqa: N802
        """The structure that was set."""
        address = ctypes.CFUNCTYPE(_P, _P)(("dJointGetFeedback", self._library))(j)
        return self._kept[address] if address else None

    def dConnectingJointList(self, b1: int, b2: int) -> list[int]:  # noqa: N802
        """The joints between two bodies."""
        room = (_P * _MAX_JOINTS)()
        count = ctypes.CFUNCTYPE(_I, _P, _P, _P)(("dConnectingJointList", self._library))(
            b1, b2, ctypes.addressof(room)
        )
        return list(room[:count])

    def dCollide(self, o1: int, o2: int, flags: int) -> list[dContactGeom]:  # noqa: N802
        """The contacts of two geoms."""
        room = (dContactGeom * _MAX_CONTACTS)()
        call = ctypes.CFUNCTYPE(_I, _P, _P, _I, _P, _I)(("dCollide", self._library))
        count = call(o1, o2, min(flags, _MAX_CONTACTS), ctypes.addressof(room), ctypes.sizeof(dContactGeom))
        return [dContactGeom.from_buffer_copy(contact) for contact in room[:count]]

    def dSpaceCollide(self, space: int, data: Any, callback: Callable[[Any, int, int], None]) -> None:  # noqa: N802
        """`callback(data, o1, o2)` for each pair; exceptions that it raises are raised here."""
        self._collide("dSpaceCollide", (space,), data, callback)

    def dSpaceCollide2(  # noqa: N802
        self, space1: int, space2: int, data: Any, callback: Callable[[Any, int, int], None]
    ) -> None:
        """The same of two spaces or geoms."""
        self._collide("dSpaceCollide2", (space1, space2), data, callback)

    def _collide(
        self, name: str, spaces: tuple[int, ...], data: Any, callback: Callable[[Any, int, int], None]
    ) -> None:
        raised: list[BaseException] = []

        def near(_: Any, one: int, two: int) -> None:
            try:
                if not raised:
                    callback(data, one, two)
            except BaseException as error:  # an exception cannot pass through C from a callback
                raised.append(error)

        kinds = (_P,) * len(spaces)
        ctypes.CFUNCTYPE(None, *kinds, _P, _NEAR)((name, self._library))(*spaces, None, _NEAR(near))
        if raised:
            raise raised[0]


_KINDS = {"None": None, "float": _D, "int": _I, "bool": _I, "str": ctypes.c_char_p}


def _kind(name: str, annotation: str) -> Any:
    """The C type of an argument or result of `c_api`."""
    if annotation == "int" and ("Bits" in name or name.startswith("dRand")):
        return ctypes.c_ulong
    return _KINDS.get(annotation, _P)


def _output(name: str, part: str) -> Any:
    """What makes room for an output."""
    return {"Array": _D * 16, "dMass": dMass, "float": _D, "int": _I}[part]


def _value(name: str, output: Any) -> Any:
    """An output as `c_api` returns it."""
    if isinstance(output, dMass):
        return output
    return _array(name, output) if isinstance(output, ctypes.Array) else output.value


def _array(name: str, numbers: Any) -> Any:
    """The numbers that are meant; a matrix with zeros in its fourth column, which ODE leaves to chance."""
    array = np.array(numbers[: _length(name)])
    if array.size == _MATRIX:
        array[3::4] = 0.0
    return array


def _length(name: str) -> int:
    """How many numbers of an array are meant."""
    if ("Rotation" in name and "Axis" not in name) or name.startswith(("dRF", "dRSet", "dRfromQ", "dQtoR")):
        return 12
    if "Quaternion" in name or "PlaneGetParams" in name or name.startswith(("dQ", "dRtoQ", "dDQ", "dWtoDQ")):
        return 4
    if "LastTransform" in name:
        return 16
    return 6 if "AABB" in name else 3
