"""Geom of a user-defined class: only its axis-aligned box is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.geoms.geom import Array
from opendynamics.viewer.meshes import box
from opendynamics.viewer.meshes.building.mesh import Mesh

# The class's function may return different boxes.
FIXED = False


def key(geom: Any) -> tuple[str]:
    """The cube of boxes."""
    return box.KEY


def mesh(geom: Any, detail: Any) -> Mesh:
    """The cube of side 1 around the origin."""
    return box.mesh(geom, detail)


def scale(geom: Any, detail: Any) -> Array:
    """The sides of the box, m; `detail.size` where it is infinite."""
    low, high = _ends(geom, detail)
    return high - low


def place(geom: Any, detail: Any) -> tuple[Array, Array]:
    """The middle of the box, along the world's axes."""
    low, high = _ends(geom, detail)
    return 0.5 * (low + high), np.eye(3)


def _ends(geom: Any, detail: Any) -> tuple[Array, Array]:
    bounds, around = geom.aabb, np.asarray(detail.around)
    reach = 0.5 * detail.size
    low, high = bounds[0::2], bounds[1::2]
    low = np.where(np.isneginf(low), np.minimum(around, high) - reach, low)
    high = np.where(np.isposinf(high), np.maximum(around, low) + reach, high)
    return low, high
