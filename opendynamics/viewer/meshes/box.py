"""Box: the unit cube, scaled to the side lengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.viewer.meshes.building.creases import flat_faces
from opendynamics.viewer.meshes.building.mesh import Mesh

KEY = ("box",)


def key(geom: Any) -> tuple[str]:
    """All boxes share one cube."""
    return KEY


def mesh(geom: Any, detail: Any) -> Mesh:
    """The cube of side 1 around the origin."""
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return flat_faces(corners, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])


def scale(geom: Any, detail: Any) -> Any:
    """The side lengths, m."""
    return geom.lengths
