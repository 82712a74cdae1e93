"""A convex polyhedron given by its polygons: planes, edges, and validation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

# Fractions of the extent: how far a corner may be from its face's plane or in front of another's; height of no volume.
FLAT, THIN = 1.0e-6, 1.0e-9


@dataclass(frozen=True)
class Polyhedron:
    """vertices (v, 3); polygons, each counterclockwise from outside; planes (f, 4), n·x <= d; edges (e, 4).

    A row of `edges` is vertex, vertex, the face left of the edge from the first to the second, and the face right of it.
    """

    vertices: Array
    polygons: tuple[tuple[int, ...], ...]
    planes: Array
    edges: Indices


def polyhedron(what: str, vertices: Array, polygons: list[list[int]]) -> Polyhedron:
    """The convex polyhedron with these faces; vertices that no face has are left out. `what` is for messages.

    ValueError if faces are not flat, not counterclockwise, not closed or not convex.
    """
    used = sorted({corner for polygon in polygons for corner in polygon})
    place = {corner: k for k, corner in enumerate(used)}
    points = vertices[used]
    loops = tuple(tuple(place[corner] for corner in polygon) for polygon in polygons)
    edges = _edges(what, loops)
    planes = np.array([_plane(points, loop) for loop in loops])
    _require_convex(what, points, loops, planes)
    return Polyhedron(points, loops, planes, edges)


def _plane(points: Array, loop: tuple[int, ...]) -> Array:
    """Unit normal by Newell's sum of cross products, and the level of the outermost of the face's corners."""
    corners = points[list(loop)]
    middle = corners.mean(axis=0)
    arms = corners - middle
    normal = np.cross(arms, np.roll(arms, -1, axis=0)).sum(axis=0)
    largest = abs(normal).max()
    normal = normal / (largest or 1.0)
    normal = normal / (np.linalg.norm(normal) or 1.0)
    return np.append(normal, (corners @ normal).max())


def _edges(what: str, loops: tuple[tuple[int, ...], ...]) -> Indices:
    """Rows of the edges; each has to be passed once in either direction."""
    left: dict[tuple[int, int], int] = {}
    for face, loop in enumerate(loops):
        for a, b in zip(loop, (*loop[1:], loop[0]), strict=True):
            if a == b:
                raise ValueError(f"polygon {face} of {what} repeats a point")
            if (a, b) in left:
                raise ValueError(
                    f"polygons {left[a, b]} and {face} of {what} pass an edge in the same direction; list the corners "
                    "of every polygon counterclockwise as seen from outside"
                )
            left[a, b] = face
    for (a, b), face in left.items():
        if (b, a) not in left:
            raise ValueError(f"{what} is not closed: polygon {face} has an edge without a neighbour")
    rows = [(a, b, face, left[b, a]) for (a, b), face in left.items() if a < b]
    vertices = len({corner for loop in loops for corner in loop})
    if vertices - len(rows) + len(loops) != 2:
        raise ValueError(
            f"{what} is not one closed surface: {vertices} points - {len(rows)} edges + {len(loops)} polygons is not 2"
        )
    return np.array(rows, np.int64)


def _require_convex(what: str, points: Array, loops: tuple[tuple[int, ...], ...], planes: Array) -> None:
    extent = float((points.max(axis=0) - points.min(axis=0)).max())
    heights = points @ planes[:, :3].T - planes[:, 3]
    for face, loop in enumerate(loops):
        if not 0.5 < np.linalg.norm(planes[face, :3]) < 2.0:
            raise ValueError(f"polygon {face} of {what} has no area")
        if -heights[list(loop), face].min() > FLAT * extent:
            raise ValueError(f"polygon {face} of {what} is not flat; split it into triangles")
    # A face that looks inward has all others in front of it.
    if heights.max() > FLAT * extent:
        vertex, face = (int(k) for k in np.unravel_index(np.argmax(heights), heights.shape))
        raise ValueError(
            f"{what} is not convex, or polygon {face} is listed clockwise: point {points[vertex].tolist()} lies "
            f"{heights.max():.3g} m in front of it"
        )
    if -heights.min() <= THIN * extent:
        raise ValueError(f"{what} is flat: it has no volume")
