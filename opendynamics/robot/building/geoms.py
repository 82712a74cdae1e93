"""Geoms from shapes of links: primitives, scaled where they remain primitives, hulls, and one triangle mesh per link for the
rest.

With a transform L = R diag(s), a box remains a box; a sphere requires equal scales, a cylinder equal ones across its axis, a
capsule equal ones. Other convex shapes (cones, scaled round shapes) become convex hulls, meshes one triangle mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.geoms.box import Box as BoxGeom
from opendynamics.api.geoms.capsule import Capsule as CapsuleGeom
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.cylinder import Cylinder as CylinderGeom
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.sphere import Sphere as SphereGeom
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.rotation import quaternion_from_matrix
from opendynamics.robot.geometry import Appearance, Box, Capsule, Cylinder, Geometry, Mesh, Shape, Sphere, triangles_of

Array = npt.NDArray[np.float64]

# Scales that agree up to this count as equal.
EQUAL = 1e-9


def geoms_of(
    shapes: Sequence[Shape], frame: Array, name: str, material: str | None, visual: Sequence[Shape] = ()
) -> list[Geom]:
    """Geoms of a link's shapes, placed in the link's frame (4, 4) on its body; ValueError names the link.

    They have the colours of the file; a mesh made of several shapes has that of the first, and a shape without one has that
    of the first of the link's `visual` shapes with one, or of the body.
    """
    look = next(filter(None, map(_color_of, visual)), None)
    result: list[Geom] = []
    vertices: list[Array] = []
    triangles: list[Any] = []
    mesh_color = None
    for shape in shapes:
        transform = frame @ shape.transform
        color = _color_of(shape) or look
        options = {"name": name, "material": material, "color": color}
        geom = _primitive(shape.geometry, transform, options)
        if geom is not None:
            result.append(geom)
            continue
        mesh = triangles_of(shape.geometry)
        points = mesh.vertices @ transform[:3, :3].T + transform[:3, 3]
        if not isinstance(shape.geometry, Mesh):
            result.append(_hull(points, options))
            continue
        mirrored = np.linalg.det(transform[:3, :3]) < 0.0
        corners = mesh.triangles[:, ::-1] if mirrored else mesh.triangles
        mesh_color = mesh_color or color
        triangles.append(corners + sum(map(len, vertices)))
        vertices.append(points)
    if vertices:
        options = {"name": name, "material": material, "color": mesh_color}
        result.append(_trimesh(np.concatenate(vertices), np.concatenate(triangles), options))
    return result


def _color_of(shape: Shape) -> tuple[float, float, float] | None:
    """The colour that the file gives to a shape; None if there is none."""
    return None if shape.appearance == Appearance() else shape.appearance.color


def _primitive(geometry: Geometry, transform: Array, options: dict[str, Any]) -> Geom | None:
    """The geometry as a primitive of the engine, if its transform keeps it one."""
    linear = transform[:3, :3]
    scale = np.linalg.norm(linear, axis=0)
    product = linear.T @ linear
    if np.abs(product - np.diag(np.diag(product))).max() > EQUAL * scale.max() ** 2:
        return None
    turn = linear / scale
    if np.linalg.det(turn) < 0.0:
        turn = -turn  # primitives are their own mirror images
    place = {**options, "position": transform[:3, 3], "quaternion": quaternion_from_matrix(turn)}
    x, y, z = scale.tolist()
    round_ = abs(x - y) <= EQUAL * x
    if isinstance(geometry, Box):
        return BoxGeom(np.array(geometry.size) * scale, **place)
    if isinstance(geometry, Sphere) and round_ and abs(x - z) <= EQUAL * x:
        return SphereGeom(geometry.radius * x, **place)
    if isinstance(geometry, Cylinder) and round_:
        return CylinderGeom(geometry.radius * x, geometry.length * z, **place)
    if isinstance(geometry, Capsule) and round_ and abs(x - z) <= EQUAL * x:
        return CapsuleGeom(geometry.radius * x, geometry.length * z, **place)
    return None


def _hull(points: Array, options: dict[str, Any]) -> Geom:
    """A convex geom of points, with its frame at their centre."""
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    try:
        return Convex.hull(points - middle, position=middle, **options)
    except ValueError as error:
        raise ValueError(f"a shape of {options['name']} cannot be a convex geom: {error}") from None


def _trimesh(vertices: Array, triangles: Any, options: dict[str, Any]) -> Geom:
    from opendynamics.api.geoms.mesh_data import MeshData

    try:
        return Trimesh(MeshData(vertices, triangles, repair=True), **options)
    except ValueError as error:
        raise ValueError(f"the mesh of {options['name']} cannot be a geom: {error}") from None
