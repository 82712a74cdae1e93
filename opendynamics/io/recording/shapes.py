"""Descriptions of geoms as plain data, and geoms from descriptions.

A description has `shape`, the file name of core/bodies/shapes, and the data of that shape: `size` as numbers, or names of
arrays, which are stored once for all geoms. Geoms of classes that only the recording program knows are
described by what can be shown: the hull of points of a support function, the box of a Python class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.geom import GEOM_CLASSES, Geom
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.heightfield_data import HeightfieldData
from opendynamics.api.geoms.mesh_data import MeshData
from opendynamics.api.geoms.support import DIRECTIONS, SupportGeom
from opendynamics.api.geoms.transform import GeomTransform
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.core.families import SHAPES

Array = npt.NDArray[Any]
Put = Callable[[Array], int]  # stores an array and returns its number
Take = Callable[[int], Array]

LEAST = 1e-6  # m: side of the box that represents a flat geom


def describe(geom: Geom, put: Put) -> dict[str, Any]:
    """The shape of a geom and its pose: on its body, or in the world if it has none."""
    record = reading.record_of(geom)
    shape = SHAPES.by_kind[int(record["kind"])].__name__.rsplit(".", 1)[-1]
    place = ("offset_position", "offset_rotation") if geom.body is not None else ("position", "rotation")
    description: dict[str, Any] = {"shape": shape}
    description |= {"position": record[place[0]].tolist(), "rotation": record[place[1]].tolist()}
    seen = geom.geom if isinstance(geom, GeomTransform) and geom.geom is not None else geom
    if count := GEOM_CLASSES[shape].size_count:
        return description | {"size": record["size"][:count].tolist()}
    if isinstance(seen, Trimesh):
        return description | {"vertices": put(seen.mesh.vertices), "triangles": put(seen.mesh.triangles)}
    if isinstance(seen, Heightfield):
        return description | _heightfield(seen.field, put)
    if isinstance(seen, Convex):
        return description | _convex(seen, put)
    if isinstance(seen, SupportGeom):
        return description | _hull(seen, put)
    return description | _bounds(geom)


def _heightfield(field: HeightfieldData, put: Put) -> dict[str, Any]:
    record, (rows, columns) = reading.grid_of(field), field.shape
    return {
        "heights": put(field.heights),
        "width": float(record["cell_x"]) * (columns - 1),
        "depth": float(record["cell_z"]) * (rows - 1),
        "thickness": float(record["thickness"]),
        "wrap": field.wrap,
    }


def _convex(geom: Convex, put: Put) -> dict[str, Any]:
    flat = [number for polygon in geom.polygons for number in (len(polygon), *polygon)]
    return {"shape": "convex", "points": put(geom.points), "polygons": put(np.array(flat, np.int64))}


def _hull(geom: SupportGeom, put: Put) -> dict[str, Any]:
    """The convex hull of points of the support function."""
    points = np.array([geom.support(direction) for direction in DIRECTIONS])
    description = {"stands_for": geom.geom_class.name}
    try:
        return _convex(Convex.hull(points), put) | description
    except ValueError:
        low, high = points.min(axis=0), points.max(axis=0)
        return description | {"shape": "box", "size": np.maximum(high - low, LEAST).tolist()}


def _bounds(geom: Geom) -> dict[str, Any]:
    """The current bounding box of the geom, fixed to its body from now on."""
    box = np.nan_to_num(geom.aabb, nan=0.0, posinf=1e3, neginf=-1e3)
    center, lengths = 0.5 * (box[0::2] + box[1::2]), np.maximum(box[1::2] - box[0::2], LEAST)
    turn = np.eye(3)
    if geom.body is not None:
        center, turn = geom.body.point_from_world(center), geom.body.rotation.T
    return {
        "shape": "box",
        "size": lengths.tolist(),
        "position": center.tolist(),
        "rotation": turn.reshape(9).tolist(),
        "stands_for": str(getattr(getattr(geom, "geom_class", None), "name", geom.shape)),
    }


# -- and back --------------------------------------------------------------------------------------------------------


def build(description: dict[str, Any], take: Take, meshes: dict[Any, Any]) -> Geom:
    """A geom of this shape, at the origin. `meshes` caches shared data."""
    shape, name = description["shape"], description.get("name")
    known = GEOM_CLASSES.get(shape)
    if known is not None and known.size_count:
        return known.of_size(description["size"], name=name)
    if shape == "convex":
        return Convex(take(description["points"]), take(description["polygons"]).tolist(), name=name)
    if shape == "trimesh":
        key = description["vertices"], description["triangles"]
        if key not in meshes:
            meshes[key] = MeshData(*map(take, key))
        return Trimesh(meshes[key], name=name)
    if shape == "heightfield":
        words = "width", "depth", "thickness", "wrap"
        field = description["heights"], *(description[word] for word in words)
        if field not in meshes:
            meshes[field] = HeightfieldData(take(description["heights"]), **{word: description[word] for word in words})
        return Heightfield(meshes[field], name=name)
    raise ValueError(
        f"the recording has a geom of the shape {shape!r}, which this version of opendynamics does not know"
    )
