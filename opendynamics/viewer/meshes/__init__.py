"""Shapes as triangles. One file of this family is one class of geoms, named as its `shape`.

A convex shape needs no file: it is then drawn by its support function (`building/supported.py`). Reads geoms, changes
nothing. Many geoms share one mesh: a sphere of any radius is the unit sphere, scaled. A vertex v of the mesh of a geom lies in
the world at

    x = p + R (s * v)        s: scale, one for each axis; p, R: place

A member has

* `key(geom)`: what the mesh depends on; geoms with equal keys share it. A key is hashable and keeps alive what it names;
* `mesh(geom, detail)`: the shared mesh of all with this key;
* `scale(geom, detail)`: s, shape (3,); left out where it is 1;
* `place(geom, detail)`: p (3,) and R (3, 3); left out where they are the geom's own;

and says `FIXED = False` if these can change while the geom's record in the tables stays as it is.
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
    """How finely shapes are drawn, and how much of those that never end.

    Attributes:
        resolution: edges around a circle.
        size: side of the square that is drawn of a plane, m.
        around: the square is centred below this point, m.
    """

    resolution: int = 24
    size: float = 80.0
    around: tuple[float, float, float] = (0.0, 0.0, 0.0)


DEFAULT = Detail()


@cache
def _member(shape: str) -> ModuleType:
    """The file of a shape; without one, a convex shape is drawn by its support function. Asked for every geom, often."""
    return MESHES[shape] if shape in MESHES.names else supported


_ONE = np.ones(3)
_ONE.flags.writeable = False


def key_of(geom: Geom) -> Hashable:
    """What the geom's mesh depends on: geoms with equal keys share it."""
    key: Hashable = _member(geom.shape).key(geom)
    return key


def mesh_of(geom: Geom, detail: Detail = DEFAULT) -> Mesh:
    """The mesh of all geoms with this geom's key, not scaled yet. It has no faces if there is nothing to see."""
    mesh: Mesh = _member(geom.shape).mesh(geom, detail)
    return mesh


def scale_of(geom: Geom, detail: Detail = DEFAULT) -> Array:
    """By how much the mesh is larger along its axes for this geom, shape (3,)."""
    member = _member(geom.shape)
    return np.asarray(member.scale(geom, detail)) if hasattr(member, "scale") else _ONE


def place_of(geom: Geom, detail: Detail = DEFAULT) -> tuple[Array, Array]:
    """Where the scaled mesh is in the world: position (3,), m, and rotation (3, 3)."""
    member = _member(geom.shape)
    if hasattr(member, "place"):
        position, rotation = member.place(geom, detail)
        return np.asarray(position), np.asarray(rotation)
    record = reading.record_of(geom)  # that of a transform has the pose of the geom held
    return np.array(record["position"]), np.array(record["rotation"].reshape(3, 3))


def is_fixed(geom: Geom) -> bool:
    """Whether the geom looks the same as long as its record in the tables does."""
    return bool(getattr(_member(geom.shape), "FIXED", True))


def follows_record(geom: Geom) -> bool:
    """Whether the mesh is where the geom's record says, so that a body carries it along."""
    return not hasattr(_member(geom.shape), "place")
