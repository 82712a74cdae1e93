"""Which triangles of a mesh share edges and corners, and whether they close a volume. Reads and writes NumPy arrays.

Corners at the same place are one vertex, so that files without indices (STL) have neighbours, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from opendynamics.core.bodies.triangles.mesh import ALONG, TRIANGLE

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Links:
    """vertices (V, 3): each place once; triangles: TRIANGLE records; the vertices next to v are
    rings[ring_starts[v]:ring_starts[v + 1]].

    open_edges: directed edges (pairs of vertices) without exactly one triangle on the other side.
    """

    vertices: Floats
    corners: Integers
    triangles: npt.NDArray[np.void]
    ring_starts: Integers
    rings: npt.NDArray[np.int32]
    open_edges: Integers


def weld(vertices: Floats, corners: Integers) -> tuple[Floats, Integers]:
    """Vertices each place once, in the order in which they first come, and the corners' numbers among them."""
    _, first, number = np.unique(vertices + 0.0, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    used = np.ascontiguousarray(vertices[first[order]] + 0.0)
    return used, rank[number.reshape(-1)][corners]


def link(vertices: Floats, corners: Integers) -> Links:
    """Neighbours of triangles whose vertices are welded and whose corners differ."""
    count = len(corners)
    triangles = np.zeros(count, TRIANGLE)
    triangles["corners"] = corners
    # Edge 3 t + k runs from corner k of triangle t to the next; opposite[] is the corner that is not on it.
    start = corners.reshape(-1)
    end = np.roll(corners, -1, axis=1).reshape(-1)
    opposite = np.roll(corners, -2, axis=1).reshape(-1)
    here, there = start * len(vertices) + end, end * len(vertices) + start
    across, neighbours, open_edges = _across(here, there, opposite)
    triangles["across"], triangles["neighbours"] = across.reshape(count, 3), neighbours.reshape(count, 3)
    triangles["places"] = vertices[corners].reshape(count, 9)
    triangles["normal"] = normals = _normals(vertices[corners])
    triangles["ridges"] = _ridges(vertices, start, across, normals).reshape(count, 3) @ np.array([1, 2, 4], np.int32)
    pairs = np.unique(np.concatenate([here, there]))
    around, ring = pairs // len(vertices), pairs % len(vertices)
    starts = np.searchsorted(around, np.arange(len(vertices) + 1)).astype(np.int64)
    edges = np.column_stack([start[open_edges], end[open_edges]])
    return Links(vertices, corners, triangles, starts, ring.astype(np.int32), edges)


def _normals(places: Floats) -> Floats:
    """Unit normals of triangles (n, 3, 3); scaled first, so that neither tiny nor huge ones are lost."""
    normals = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    normals /= np.abs(normals).max(axis=1)[:, None]
    return normals / np.linalg.norm(normals, axis=1)[:, None]


def _ridges(vertices: Floats, start: Integers, across: Integers, normals: Floats) -> npt.NDArray[np.int32]:
    """For each edge whether the corner across lies below the triangle, or is its own, the edge being open."""
    edge = vertices[across] - vertices[start]
    height = np.einsum("ni,ni->n", np.repeat(normals, 3, axis=0), edge)
    own = np.roll(start.reshape(-1, 3), -2, axis=1).reshape(-1) == across
    return (own | (height < -ALONG * np.abs(edge).sum(axis=1))).astype(np.int32)


def _across(here: Integers, there: Integers, opposite: Integers) -> tuple[Integers, Integers, Integers]:
    """For each edge the neighbour's opposite corner and the neighbour (its own without a single one), and edges without."""
    order = np.argsort(here, kind="stable")
    sorted_keys = here[order]
    low, high = np.searchsorted(sorted_keys, there, "left"), np.searchsorted(sorted_keys, there, "right")
    own_low, own_high = np.searchsorted(sorted_keys, here, "left"), np.searchsorted(sorted_keys, here, "right")
    paired = (high - low == 1) & (own_high - own_low == 1)
    neighbour = order[np.minimum(low, len(order) - 1)]
    own = np.arange(len(order)) // 3
    return (
        np.where(paired, opposite[neighbour], opposite),
        np.where(paired, neighbour // 3, own),
        np.flatnonzero(~paired),
    )


def moments(vertices: Floats, corners: Integers) -> tuple[float, Floats, Floats]:
    """Volume, centre and inertia tensor about the origin at density 1 of the volume that a closed mesh bounds.

    Each triangle spans a tetrahedron with the mean corner o (for accuracy far from the origin). With its corners
    a, b, c from there and d = a·(b x c): volume d / 6, first moment d (a + b + c) / 24, and second moments
    d (aaᵀ + bbᵀ + ccᵀ + (a + b + c)(a + b + c)ᵀ) / 120 (the exact quadrature of a quadratic on a simplex).
    """
    middle = vertices.mean(axis=0)
    a, b, c = (vertices[corners[:, k]] - middle for k in range(3))
    d = np.einsum("ni,ni->n", a, np.cross(b, c))
    volume = float(d.sum() / 6.0)
    total = a + b + c
    first = np.einsum("n,ni->i", d, total) / 24.0
    second = sum(np.einsum("n,ni,nj->ij", d, v, v) for v in (a, b, c, total)) / 120.0
    if volume == 0.0:
        return 0.0, middle, np.zeros((3, 3))
    centre = first / volume
    # Second moments about the origin of the mesh: about `middle`, moved by it.
    second = second + np.outer(first, middle) + np.outer(middle, first) + volume * np.outer(middle, middle)
    return volume, centre + middle, np.trace(second) * np.eye(3) - second
