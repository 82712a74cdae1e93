"""Fallback colliders for pairs of shapes without their own file, chosen by traits instead of kinds."""

from __future__ import annotations

from opendynamics.core.bodies.shapes import CONVEX, HALF_SPACE, MESH, POINT_CORE, RAY, TRIANGLES

# Traits of the first and of the second shape, and the module in this package whose `collide` takes them in this order. The
# first line that fits counts.
RULES = (
    (POINT_CORE, TRIANGLES, "mesh.sphere_mesh"),
    (CONVEX, TRIANGLES, "mesh.convex_mesh"),
    (RAY, TRIANGLES, "mesh.ray_mesh"),
    (MESH, TRIANGLES, "mesh.mesh_mesh"),
    (CONVEX, HALF_SPACE, "convex.support_plane"),
    (CONVEX, RAY, "convex.support_ray"),
    (CONVEX, CONVEX, "convex.convex_convex"),
)


def fallback(kind_a: int, traits_a: int, kind_b: int, traits_b: int) -> str | None:
    """The module for shapes of two kinds in this order; None if there is none. Of two alike, the lower kind comes first."""
    for first, second, module in RULES:
        if traits_a & first and traits_b & second:
            alike = traits_b & first and traits_a & second
            return module if not alike or kind_a <= kind_b else None
    return None
