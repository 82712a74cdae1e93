"""Polygons as triangles: fans for convex ones, ear clipping (Meisters 1975) for others."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Ear clipping takes n² steps, in the worst case n³: a larger polygon is treated as convex.
MAX_CORNERS = 1000


def triangulated(points: Array, polygons: Iterable[list[int]]) -> npt.NDArray[np.int64]:
    """Triangles (n, 3) of polygons in space given by vertex indices; those with fewer than three vertices have none."""
    result: list[tuple[int, int, int]] = []
    for polygon in polygons:
        corners = [k for n, k in enumerate(polygon) if k != polygon[n - 1]]
        if len(corners) < 3:
            continue
        if len(corners) == 3:
            result.append((corners[0], corners[1], corners[2]))
        else:
            result.extend(_clipped(points, corners))
    return np.array(result, np.int64).reshape(-1, 3)


def _clipped(points: Array, corners: list[int]) -> list[tuple[int, int, int]]:
    ring = points[corners]
    # Newell's normal: exact for planar polygons, convex or not.
    normal = np.cross(ring - ring[0], np.roll(ring, -1, axis=0) - ring[0]).sum(axis=0)
    fan = [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    if not normal.any() or len(corners) > MAX_CORNERS:
        return fan
    drop = int(np.argmax(np.abs(normal)))
    flat = np.delete(ring, drop, axis=1) * ((1, 1) if (normal[drop] > 0) == (drop != 1) else (-1, 1))
    xy: list[tuple[float, float]] = [(float(x), float(y)) for x, y in flat]
    size = len(xy)
    if all(_turn(xy[k - 1], xy[k], xy[(k + 1) % size]) >= 0 for k in range(size)):
        return fan
    return _ears(xy, corners)


def _ears(xy: list[tuple[float, float]], corners: list[int]) -> list[tuple[int, int, int]]:
    left = list(range(len(corners)))
    result = []
    while len(left) > 3:
        for n in range(len(left)):
            a, b, c = left[n - 1], left[n], left[(n + 1) % len(left)]
            if _turn(xy[a], xy[b], xy[c]) > 0 and not any(
                _inside(xy[k], xy[a], xy[b], xy[c]) for k in left if k not in (a, b, c)
            ):
                break
        else:
            n = len(left) - 1  # a self-intersecting polygon: any choice will do
            a, b, c = left[n - 1], left[n], left[0]
        result.append((corners[a], corners[b], corners[c]))
        del left[n]
    result.append((corners[left[0]], corners[left[1]], corners[left[2]]))
    return result


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _inside(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return p not in (a, b, c) and _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0
