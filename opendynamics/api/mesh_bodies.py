"""Meshes as convex parts: approximate convex decomposition by CoACD (Wei and others, 2022), and bodies of them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.mesh_data import MeshData
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.mass import Mass
from opendynamics.api.suggestions import explain_function

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.world import World


@explain_function
def convex_parts(
    vertices: Any, triangles: Any, *, threshold: float = 0.05, max_parts: int | None = None
) -> list[Convex]:
    """Convex geoms that together approximate the solid bounded by a closed mesh. Needs the extra `mesh`.

    Args:
        vertices: m, shape (n, 3).
        triangles: vertex indices, counterclockwise as seen from outside, shape (m, 3).
        threshold: how concave a part may stay, 0.01 (many parts) to 1 (one hull).
        max_parts: maximum number of parts; no limit unless given.
    """
    data = MeshData(vertices, triangles)
    limit = checks.finite("the threshold of a decomposition", threshold)
    if not 0.01 <= limit <= 1.0:
        raise ValueError(f"the threshold of a decomposition must lie between 0.01 and 1, not {threshold}")
    limit_of_coacd = -1 if max_parts is None else checks.count("max_parts", max_parts, 1)
    coacd = _coacd()
    coacd.set_log_level("error")
    mesh = coacd.Mesh(np.asarray(data.vertices, np.float64), np.asarray(data.triangles, np.int32))
    parts = coacd.run_coacd(mesh, threshold=limit, max_convex_hull=limit_of_coacd, seed=0)
    return [Convex.hull(points) for points, _ in parts]


def add_mesh_body(
    world: World,
    vertices: Any,
    triangles: Any,
    *,
    convex_decomposition: bool = True,
    threshold: float = 0.05,
    max_parts: int | None = None,
    density: float | None = None,
    mass: float | None = None,
    **options: Any,
) -> Body:
    """The body of `World.add_mesh_body`."""
    data = MeshData(vertices, triangles)
    if mass is None and density is None:
        density = 1000.0
    total = Mass.trimesh(data, density=density, mass=mass)
    if checks.flag("convex_decomposition", convex_decomposition):
        return world.add_body(
            *convex_parts(vertices, triangles, threshold=threshold, max_parts=max_parts), mass=total, **options
        )
    return world.add_body(Trimesh(data), mass=total, **options)


def _coacd() -> Any:
    try:
        return importlib.import_module("coacd")
    except ImportError:
        raise ImportError(
            "convex decomposition needs the coacd package: pip install 'opendynamics[mesh]'; or pass "
            "convex_decomposition=False for the mesh itself",
            name="coacd",
        ) from None
