"""A camera position that shows the whole world."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World
from opendynamics.scenes import Vector
from opendynamics.viewer.contents import geoms_of

# Direction of the camera from the centre of all geoms, and its distance, in radii of the sphere around them.
FROM = np.array((0.55, -0.75, 0.36))
AWAY = 3.0


def framed(world: World, spaces: Iterable[Space] = ()) -> tuple[Vector, Vector]:
    """Camera and target, m, for all finite geoms; for bodies without geoms, all bodies."""
    boxes = [geom.aabb.reshape(3, 2) for geom in geoms_of(world, spaces) if geom.shape != "ray"]
    finite = [box for box in boxes if np.isfinite(box).all()] or [
        np.stack([body.position, body.position], axis=1) for body in world.bodies
    ]
    if not finite:
        return (4.0, -5.5, 2.6), (0.0, 0.0, 0.5)
    low, high = np.min(finite, axis=0)[:, 0], np.max(finite, axis=0)[:, 1]
    middle = 0.5 * (low + high)
    radius = max(0.5 * float(np.linalg.norm(high - low)), 0.3)
    away = AWAY * radius / math.sqrt(float(FROM @ FROM))
    return _triple(middle + away * FROM), _triple(middle)


def _triple(vector: np.ndarray) -> Vector:
    x, y, z = (float(c) for c in vector)
    return x, y, z
