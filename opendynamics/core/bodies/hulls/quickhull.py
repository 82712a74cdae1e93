"""The convex hull of points, as polygons.

Quickhull (Barber, Dobkin, Huhdanpaa 1996): every face keeps the points in front of it; the furthest one replaces all
faces that it sees by a fan from their rim. Faces that lie in one plane are merged into polygons at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Parts of the extent below which a point counts as on a plane: for the hull itself, and for merging triangles.
ON_PLANE = 1.0e-13
COPLANAR = 1.0e-9


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

    __slots__ = ("corners", "level", "normal", "outside")

    def __init__(self, points: Array, corners: tuple[int, int, int], candidates: Any, margin: float) -> None:
        a, b, c = points[list(corners)]
        normal = np.cross(b - a, c - a)
        length = float(np.linalg.norm(normal))
        self.corners = corners
        self.normal = normal / length if length > 0.0 else normal
        self.level = float(max(self.normal @ a, self.normal @ b, self.normal @ c))
        self.outside = candidates[points[candidates] @ self.normal > self.level + margin]


def _triangles(points: Array, extent: float) -> list[tuple[int, int, int]]:
    margin = ON_PLANE * extent
    start = _first_four(points, extent)
    rest = np.setdiff1d(np.arange(len(points)), start)
    a, b, c, d = start
    faces = [_Face(points, f, rest, margin) for f in ((a, b, c), (a, c, d), (a, d, b), (b, d, c))]
    while True:
        busy = next((face for face in faces if len(face.outside)), None)
        if busy is None:
            return [face.corners for face in faces]
        apex = int(busy.outside[np.argmax(points[busy.outside] @ busy.normal)])
        height = points[apex]
        seen = [face for face in faces if face is busy or face.normal @ height > face.level + margin]
        edges = {edge for face in seen for edge in _edges(face.corners)}
        rim = [edge for edge in edges if edge[::-1] not in edges]
        left = np.unique(np.concatenate([face.outside for face in seen]))
        left = left[left != apex]
        kept = set(map(id, seen))
        faces = [face for face in faces if id(face) not in kept]
        faces += [_Face(points, (*edge, apex), left, margin) for edge in sorted(rim)]


def _edges(corners: tuple[int, int, int]) -> tuple[tuple[int, int], ...]:
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
    if not (extent > 0.0 and length > 1e-9 * extent * np.linalg.norm(along) and abs(heights[d]) > 1e-9 * extent):
        raise FlatError("the points lie in one plane")
    return (a, c, b, d) if heights[d] > 0.0 else (a, b, c, d)


def _merged(points: Array, triangles: list[tuple[int, int, int]], margin: float) -> list[list[int]]:
    """Polygons from triangles: neighbours join as long as all their corners lie in one plane."""
    owner = {edge: k for k, corners in enumerate(triangles) for edge in _edges(corners)}
    corners = points[np.array(triangles)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(normals, axis=1)
    group = np.full(len(triangles), -1)
    polygons = []
    # The largest triangles define their plane best and begin.
    for seed in np.argsort(-sizes, kind="stable").tolist():
        if group[seed] >= 0:
            continue
        group[seed] = seed
        normal = normals[seed] / sizes[seed] if sizes[seed] > 0.0 else normals[seed]
        level = float(normal @ corners[seed, 0])
        members, open_ends = [seed], [seed]
        while open_ends:
            for a, b in _edges(triangles[open_ends.pop()]):
                other = owner[b, a]
                flat = abs(corners[other] @ normal - level).max() <= margin
                if group[other] < 0 and flat:
                    group[other] = seed
                    members.append(other)
                    open_ends.append(other)
        polygons.append(members)
    loops = [_rim(triangles, members) for members in polygons]
    return _without_straight_corners(loops)


def _rim(triangles: list[tuple[int, int, int]], members: list[int]) -> list[int]:
    """The closed way round a set of triangles."""
    edges = {edge for k in members for edge in _edges(triangles[k])}
    following = {a: b for a, b in edges if (b, a) not in edges}
    start = min(following)
    way = [start]
    while following[way[-1]] != start:
        way.append(following[way[-1]])
    return way


def _without_straight_corners(loops: list[list[int]]) -> list[list[int]]:
    """Drop vertices that only two faces share: they lie on a straight edge."""
    faces: dict[int, int] = {}
    for loop in loops:
        for corner in loop:
            faces[corner] = faces.get(corner, 0) + 1
    kept = [[corner for corner in loop if faces[corner] > 2] for loop in loops]
    return [loop for loop in kept if len(loop) > 2]
