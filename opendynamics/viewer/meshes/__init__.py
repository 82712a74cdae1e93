"""Shapes as triangles. One file of this family is one class of geoms, named by its `shape`.

A convex shape needs no file: it is then drawn by its support function (`building/supported.py`). Reads geoms, changes
nothing. Many geoms share one mesh: a sphere of any radius is the scaled unit sphere. A vertex v of the mesh of a geom is in
the world at

    x = p + R (s * v)        s: scale, one for each axis; p, R: pose

A member has

* `key(geom)`: the data that the mesh depends on; geoms with equal keys share it. A key is hashable and keeps its objects alive;
* `mesh(geom, detail)`: the shared mesh of all with this key;
* `scale(geom, detail)`: s, shape (3,); omitted if it is 1;
* `place(geom, detail)`: p (3,) and R (3, 3); omitted if they are the geom's own;

and has `FIXED = False` if these can change while the geom's record in the tables is unchanged.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

import numpy as np

from opendynamics.api import reading
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.core.families import Family
from opendynamics.viewer.meshes.building import supported
from opendynamics.viewer.meshes.building.mesh import Mesh, join

__all__ = [
    "MESHES",
    "Detail",
    "Mesh",
    "follows_record",
    "is_fixed",
    "join",
    "key_of",
    "mesh_of",
    "place_of",
    "scale_of",
]

MESHES = Family("opendynamics.viewer.meshes", noun="mesh")


@dataclass(frozen=True)
class Detail:
    """Level of detail, and the drawn part of infinite shapes.

    Attributes:
        resolution: edges around a circle.
        size: side of the drawn square of a plane, m.
        around: the square is centred below this point, m.
    """

    resolution: int = 24
    size: float = 80.0
    around: tuple[float, float, float] = (0.0, 0.0, 0.0)


DEFAULT = Detail()


@cache
def _member(shape: str) -> ModuleType:
    """The file of a shape; without one, a convex shape is drawn by its support function. Called for every geom, often."""
    return MESHES[shape] if shape in MESHES.names else supported


_ONE = np.ones(3)
_ONE.flags.writeable = False


def key_of(geom: Geom) -> Hashable:
    """The data that the geom's mesh depends on: geoms with equal keys share it."""
    key: Hashable = _member(geom.shape).key(geom)
    return key


def mesh_of(geom: Geom, detail: Detail = DEFAULT) -> Mesh:
    """The unscaled mesh of all geoms with this geom's key. It has no faces if nothing is visible."""
    mesh: Mesh = _member(geom.shape).mesh(geom, detail)
    return mesh


def scale_of(geom: Geom, detail: Detail = DEFAULT) -> Array:
    """Scale of the mesh along its axes for this geom, shape (3,)."""
    member = _member(geom.shape)
    return np.asarray(member.scale(geom, detail)) if hasattr(member, "scale") else _ONE


def place_of(geom: Geom, detail: Detail = DEFAULT) -> tuple[Array, Array]:
    """Pose of the scaled mesh in the world: position (3,), m, and rotation (3, 3)."""
    member = _member(geom.shape)
    if hasattr(member, "place"):
        position, rotation = member.place(geom, detail)
        return np.asarray(position), np.asarray(rotation)
    record = reading.record_of(geom)  # that of a transform has the pose of the encapsulated geom
    return np.array(record["position"]), np.array(record["rotation"].reshape(3, 3))


def is_fixed(geom: Geom) -> bool:
    """Whether the geom looks the same as long as its record in the tables does."""
    return bool(getattr(_member(geom.shape), "FIXED", True))


def follows_record(geom: Geom) -> bool:
    """Whether the mesh has the pose of the geom's record, so that it moves with the body."""
    return not hasattr(_member(geom.shape), "place")
