"""Callbacks of triangle meshes, which filter contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.ray import Ray
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.store import Store
from opendynamics.core.bodies.shapes import ray as ray_shape

# Limit of contacts passed to callbacks.
MAX_FILTERED = 96


def let_callbacks_choose(stage: Store) -> None:
    """Make a staged ray find all hits: the first one is known only after the callbacks."""
    geoms = stage[GEOMS][:2]
    for geom in geoms[geoms["kind"] == ray_shape.KIND]:
        flags = int(geom["size"][1])
        geom["size"][1] = float(flags & ~(ray_shape.FIRST_CONTACT | ray_shape.CLOSEST_HIT))


def is_single(a: Geom, b: Geom) -> bool:
    """Whether one of the two is a ray that reports a single hit."""
    return any(isinstance(geom, Ray) and (geom.first_contact or geom.closest_hit) for geom in (a, b))


def filtered(mesh: Trimesh, other: Geom, contacts: list[Any]) -> list[Any]:
    """Contacts that the callbacks of `mesh` accept. Exceptions of callbacks propagate to the caller."""
    sides = [contact.side1 if contact.geom1 is mesh else contact.side2 for contact in contacts]
    triangles = list(dict.fromkeys(side for side in sides if side >= 0))
    wanted = set(triangles)
    if mesh.callback is not None:
        wanted = {triangle for triangle in triangles if mesh.callback(mesh, other, triangle)}
    if mesh.array_callback is not None and triangles:
        mesh.array_callback(mesh, other, triangles)
    kept = []
    for contact, side in zip(contacts, sides, strict=True):
        if side >= 0 and (side not in wanted or not _hit_counts(mesh, other, side, contact)):
            continue
        kept.append(contact)
    return kept


def _hit_counts(mesh: Trimesh, other: Geom, side: int, contact: Any) -> bool:
    if mesh.ray_callback is None or not isinstance(other, Ray):
        return True
    a, b, c = mesh.triangle(side)
    uv, *_ = np.linalg.lstsq(np.column_stack([b - a, c - a]), contact.position - a, rcond=None)
    return bool(mesh.ray_callback(mesh, other, side, float(uv[0]), float(uv[1])))
