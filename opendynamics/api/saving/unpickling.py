"""Pickles of members' attributes, and reading them without trust: names are looked up in a short list, and nothing else is
imported or called.
"""

from __future__ import annotations

import importlib
import io
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from opendynamics.api.home import FREE
from opendynamics.api.member import Member
from opendynamics.api.read_only import ReadOnlyArray
from opendynamics.api.saving.snapshot import SnapshotError
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.table import DECLARED, Table

# Packages whose classes of members are created without trust, and other classes whose instances are.
OWN = ("opendynamics.api.", "opendynamics.c_api.", "opendynamics.pyode.")
VALUES = {
    ("opendynamics.api.surface", "Surface"),
    ("opendynamics.api.geoms.mesh_data", "MeshData"),
    ("opendynamics.api.mass", "Mass"),
    ("opendynamics.api.belts", "Track"),
    ("opendynamics.api.springs", "Spring"),
    ("opendynamics.api.breaking", "Strength"),
    ("opendynamics.core.bodies.hulls.polyhedron", "Polyhedron"),
    ("opendynamics.c_api.objects.feedback", "dJointFeedback"),
    ("opendynamics.c_api.contact", "dContactGeom"),
    ("builtins", "complex"),
    ("collections", "OrderedDict"),
}


def array_from(layout: Any, shape: tuple[int, ...], data: bytes) -> Any:
    """An array in a manifest."""
    return np.frombuffer(data, np.dtype(layout)).reshape(shape).copy()


def scalar_from(layout: str, data: bytes) -> Any:
    """A NumPy number in a manifest."""
    return np.frombuffer(data, np.dtype(layout))[0]


FUNCTIONS = {(__name__, function.__name__): function for function in (array_from, scalar_from)}


class ForeignMember(pickle.PicklingError):
    """A member of a world refers to one that is not saved with that world.

    Attributes:
        member: the latter.
    """

    def __init__(self, member: Member) -> None:
        super().__init__(f"{member!r} does not belong to the world that is saved")
        self.member = member


class ManifestPickler(pickle.Pickler):
    """Writes members, and singletons of the process, as references; arrays as their bytes."""

    def __init__(self, file: io.BytesIO, numbers: dict[int, int], store: Any) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._numbers = numbers
        self._store = store

    def persistent_id(self, value: Any) -> Any:  # noqa: D102  (of pickle)
        if value is FREE or value is FREE.geoms:
            return "free", 0 if value is FREE else 1
        if value is self._store:
            return "store", 0
        if isinstance(value, Table):
            return "table", value.name
        if isinstance(value, Member):
            number = self._numbers.get(id(value))
            if number is None:
                raise ForeignMember(value)
            return "member", number
        return None

    def reducer_override(self, value: Any) -> Any:  # noqa: D102  (of pickle)
        if type(value) in (np.ndarray, ReadOnlyArray) and not value.dtype.hasobject:
            layout = value.dtype.descr if value.dtype.names else value.dtype.str
            return array_from, (layout, value.shape, value.tobytes())
        if isinstance(value, np.generic) and not value.dtype.hasobject:
            return scalar_from, (value.dtype.str, value.tobytes())
        return NotImplemented


def _referred_to(reference: Any, shells: list[Member], store: Store) -> Any:
    kind, which = reference
    if kind == "member":
        return shells[which]
    if kind == "store":
        return store
    if kind == "free":
        return (FREE, FREE.geoms)[which]
    return next(table for table in DECLARED if table.name == which)


class _Trusting(pickle.Unpickler):
    """Reads the output of `ManifestPickler`, importing any names."""

    def __init__(self, data: bytes, shells: list[Member], store: Store) -> None:
        super().__init__(io.BytesIO(data))
        self._refer: Callable[[Any], Any] = lambda reference: _referred_to(reference, shells, store)

    def persistent_load(self, reference: Any) -> Any:
        return self._refer(reference)


# The unpickler in Python, as the one in C lets a pickle set attributes of classes.
class _Careful(pickle._Unpickler):
    """Reads the output of `ManifestPickler`: creates instances of VALUES, calls FUNCTIONS, and changes nothing else."""

    dispatch: ClassVar[dict[int, Any]] = dict(pickle._Unpickler.dispatch)

    def __init__(self, data: bytes, shells: list[Member], store: Store) -> None:
        super().__init__(io.BytesIO(data))
        self._refer: Callable[[Any], Any] = lambda reference: _referred_to(reference, shells, store)

    def persistent_load(self, reference: Any) -> Any:
        return self._refer(reference)

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in FUNCTIONS:
            return FUNCTIONS[module, name]
        if (module, name) in VALUES:
            return getattr(importlib.import_module(module), name)
        raise _untrusted(module, name)

    def get_extension(self, code: int) -> Any:
        raise _untrusted("copyreg", f"extension {code}")

    def load_build(self) -> None:
        owner = self.stack[-2]  # type: ignore[attr-defined]
        if (type(owner).__module__, type(owner).__qualname__) not in VALUES:
            raise SnapshotError(f"the snapshot modifies {owner!r}, which is not allowed")
        super().load_build()  # type: ignore[misc]

    dispatch[pickle.BUILD[0]] = load_build


def members_of(data: bytes, shells: list[Member], store: Store, trust: bool) -> Any:
    """The attributes of each member, from a pickle."""
    return (_Trusting if trust else _Careful)(data, shells, store).load()


def class_of(module: str, name: str, trust: bool) -> type[Member]:
    """The class of a member, by its name."""
    if not trust and not module.startswith(OWN):
        raise _untrusted(module, name)
    found = getattr(importlib.import_module(module), name, None)
    if not (isinstance(found, type) and issubclass(found, Member)) or "." in name:
        raise SnapshotError(f"the snapshot contains a {module}.{name}, which does not exist here")
    return found


def _untrusted(module: str, name: str) -> SnapshotError:
    return SnapshotError(
        f"the snapshot holds {module}.{name}, which is read only with trust=True, where World.load or Snapshot.from_bytes reads "
        "the file: give it if you trust where the file comes from"
    )
