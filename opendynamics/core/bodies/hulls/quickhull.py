"""The convex hull of points, as polygons.

Quickhull (Barber, Dobkin, Huhdanpaa 1996): every face keeps the points in front of it; the furthest one replaces all
faces that it sees by a fan from their horizon. Faces that lie in one plane are merged into polygons at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Edge = tuple[int, int]

# Distances, relative to the extent, below which a point counts as on a plane: for the hull itself, and for merging triangles.
# A point that is further than d in front of a face makes faces at least d high, whose planes are rounded by 1e-16 / d:
# a margin above the root of the machine's precision is also above what rounding does to the planes.
ON_PLANE = 5.0e-8
COPLANAR = 1.0e-7

# Height, relative to the extent, below which points have no volume.
THIN = 1.0e-9


class FlatError(ValueError):
    """The points lie in one plane, line or point, so that their hull has no volume."""


def hull_polygons(points: Array) -> list[list[int]]:
    """The faces of the hull of `points` (n, 3), each as indices counterclockwise from outside.

    Points inside the hull, inside its faces or on its edges are in no face. FlatError if there is no volume.
    """
    extent = float((points.max(axis=0) - points.min(axis=0)).max())
    triangles = _triangles(points - points.mean(axis=0), extent)
    return _merged(points - points.mean(axis=0), triangles, COPLANAR * extent)


class _Face:
    """A triangle, its plane, and the points in front of it."""

    __slots__ = ("corners", "level", "normal", "outside", "replaced")

    def __init__(self, points: Array, corners: tuple[int, int, int], candidates: Any, margin: float) -> None:
        a, b, c = points[list(corners)]
        normal = np.cross(b - a, c - a)
        length = float(np.linalg.norm(normal))
        self.corners = corners
        self.normal = normal / length if length > 0.0 else normal
        self.level = float(max(self.normal @ a, self.normal @ b, self.normal @ c))
        self.outside = candidates[points[candidates] @ self.normal > self.level + margin]
        self.replaced = False


Owner = dict[Edge, _Face]


def _triangles(points: Array, extent: float) -> list[tuple[int, int, int]]:
    margin = ON_PLANE * extent
    start = _first_four(points, extent)
    rest = np.setdiff1d(np.arange(len(points)), start)
    a, b, c, d = start
    faces = [_Face(points, f, rest, margin) for f in ((a, b, c), (a, c, d), (a, d, b), (b, d, c))]
    owner = {edge: face for face in faces for edge in _edges(face.corners)}
    on_hull = np.zeros(len(points), bool)
    for busy in faces:  # which grows
        outside = busy.outside[~on_hull[busy.outside]]
        if busy.replaced or not len(outside):
            continue
        apex = int(outside[np.argmax(points[outside] @ busy.normal)])
        on_hull[apex] = True
        seen, horizon = _seen_from(points[apex], busy, owner, margin)
        left = np.unique(np.concatenate([face.outside for face in seen]))
        left = left[~on_hull[left]]
        for face in seen:
            face.replaced = True
        for edge in sorted(horizon):
            face = _Face(points, (*edge, apex), left, margin)
            faces.append(face)
            owner.update(dict.fromkeys(_edges(face.corners), face))
    return [face.corners for face in faces if not face.replaced]


def _seen_from(apex: Array, nearest: _Face, owner: Owner, margin: float) -> tuple[list[_Face], list[Edge]]:
    """The faces that a point sees, one patch without holes, and its horizon, which is a simple loop whatever rounding says."""
    seen = _connected(nearest, owner, lambda face: bool(face.normal @ apex - face.level > margin))
    horizon = _border(seen, owner)
    if not _is_loop(horizon):
        patch = set(map(id, seen))
        faces = {id(face): face for face in owner.values() if not face.replaced}
        hidden = [face for key, face in faces.items() if key not in patch]
        furthest = min(hidden, key=lambda face: float(face.normal @ apex - face.level))
        rest = set(map(id, _connected(furthest, owner, lambda face: id(face) not in patch)))
        seen = [face for key, face in faces.items() if key not in rest]
        horizon = _border(seen, owner)
    return seen, horizon


def _connected(start: _Face, owner: Owner, belongs: Callable[[_Face], bool]) -> list[_Face]:
    """The faces that `start` is connected to, over edges, by faces that belong."""
    found, reached = [start], {id(start)}
    for face in found:  # which grows
        for a, b in _edges(face.corners):
            other = owner[b, a]
            if id(other) not in reached and belongs(other):
                reached.add(id(other))
                found.append(other)
    return found


def _border(faces: list[_Face], owner: Owner) -> list[Edge]:
    """The edges of a patch of faces at which others begin."""
    patch = set(map(id, faces))
    return [(a, b) for face in faces for a, b in _edges(face.corners) if id(owner[b, a]) not in patch]


def _is_loop(edges: list[Edge]) -> bool:
    """Whether edges, each from corner to corner, are one simple loop."""
    following = dict(edges)
    corner, count = following[edges[0][0]], 1
    while corner != edges[0][0] and count <= len(edges):
        corner, count = following[corner], count + 1
    return count == len(edges) == len(following)


def _edges(corners: tuple[int, int, int]) -> tuple[Edge, ...]:
    a, b, c = corners
    return (a, b), (b, c), (c, a)


def _first_four(points: Array, extent: float) -> tuple[int, int, int, int]:
    """Four points far from each other, as a tetrahedron whose faces abc, acd, adb, bdc look outward."""
    a = int(np.argmin(points[:, 0]))
    b = int(np.argmax(((points - points[a]) ** 2).sum(axis=1)))
    along = points[b] - points[a]
    across = np.cross(points - points[a], along)
    c = int(np.argmax((across**2).sum(axis=1)))
    normal = np.cross(along, points[c] - points[a])
    length = float(np.linalg.norm(normal))
    heights = (points - points[a]) @ (normal / length if length > 0.0 else normal)
    d = int(np.argmax(abs(heights)))
    if not (extent > 0.0 and length > THIN * extent * np.linalg.norm(along) and abs(heights[d]) > THIN * extent):
        raise FlatError("the points lie in one plane")
    return (a, c, b, d) if heights[d] > 0.0 else (a, b, c, d)


def _merged(points: Array, triangles: list[tuple[int, int, int]], margin: float) -> list[list[int]]:
    """Polygons from triangles: neighbours join as long as all their corners lie in one plane."""
    owner = {edge: k for k, corners in enumerate(triangles) for edge in _edges(corners)}
    corners = points[np.array(triangles)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(normals, axis=1)
    merged = np.zeros(len(triangles), bool)
    loops = []
    # The largest triangles define their plane best and begin.
    for seed in np.argsort(-sizes, kind="stable").tolist():
        if merged[seed]:
            continue
        normal = normals[seed] / sizes[seed] if sizes[seed] > 0.0 else normals[seed]
        distances = abs(corners @ normal - normal @ corners[seed, 0]).max(axis=1)
        # A polygon whose border touches itself is tried again within less of a distance, down to the triangle alone.
        for allowed in (margin, 0.1 * margin, 0.01 * margin, -1.0):
            members = _joined(seed, triangles, owner, ~merged & (distances <= allowed))
            loop = _boundary(triangles, members)
            if loop:
                break
        merged[members] = True
        loops.append(loop)
    return _without_straight_corners(loops)


def _joined(
    seed: int, triangles: list[tuple[int, int, int]], owner: dict[tuple[int, int], int], free: Any
) -> list[int]:
    """The triangles that `seed` is connected to, over edges, by free ones."""
    members, ends, free[seed] = [seed], [seed], False
    while ends:
        for a, b in _edges(triangles[ends.pop()]):
            other = owner[b, a]
            if free[other]:
                free[other] = False
                members.append(other)
                ends.append(other)
    return members


def _boundary(triangles: list[tuple[int, int, int]], members: list[int]) -> list[int]:
    """The corners around a set of triangles, counterclockwise; none if it is not surrounded by one simple loop."""
    edges = {edge for k in members for edge in _edges(triangles[k])}
    border = [(a, b) for a, b in edges if (b, a) not in edges]
    following = dict(border)
    start = min(following)
    loop = [start]
    while following[loop[-1]] != start and len(loop) <= len(border):
        loop.append(following[loop[-1]])
    return loop if len(loop) == len(border) == len(following) else []


def _without_straight_corners(loops: list[list[int]]) -> list[list[int]]:
    """Drop vertices that only two faces share: they lie on a straight edge."""
    faces: dict[int, int] = {}
    for loop in loops:
        for corner in loop:
            faces[corner] = faces.get(corner, 0) + 1
    kept = [[corner for corner in loop if faces[corner] > 2] for loop in loops]
    return [loop for loop in kept if len(loop) > 2]
