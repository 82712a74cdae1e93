"""Volume, centroid and inertia of a polyhedron of density 1.

The solid is the sum of the tetrahedra between a point and the triangles of its surface. For one with corners 0, a, b, c
(Tonon 2004): volume V = det(a, b, c) / 6, centroid (a + b + c) / 4, and with s = a + b + c the second moments are
integral x xᵀ = V / 20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ). The inertia is trace(M) 1 - M of their sum M.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def solid(vertices: Array, polygons: tuple[tuple[int, ...], ...]) -> tuple[float, Array, Array]:
    """Volume, centroid (3), and inertia (3, 3) about the origin of a closed surface, counterclockwise from outside."""
    fans = [(loop[0], b, c) for loop in polygons for b, c in pairwise(loop[1:])]
    # About a point inside, so that nothing cancels if the solid is far from the origin.
    middle = vertices.mean(axis=0)
    a, b, c = (vertices[list(corner)] - middle for corner in zip(*fans, strict=True))
    volumes = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6.0
    total = a + b + c
    volume = float(volumes.sum())
    first = (volumes[:, None] * total).sum(axis=0) / 4.0
    second = sum(np.einsum("n,ni,nj->ij", volumes, v, v) for v in (a, b, c, total)) / 20.0
    # Moved from the middle to the origin.
    second = second + np.outer(first, middle) + np.outer(middle, first) + volume * np.outer(middle, middle)
    return volume, first / volume + middle, np.trace(second) * np.eye(3) - second
