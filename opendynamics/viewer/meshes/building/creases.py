"""Visible edges: polygons as flat faces, and meshes whose vertices are split at sharp edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.core.bodies.triangles.adjacency import weld
from opendynamics.viewer.meshes.building.mesh import Mesh, mesh

Integers = npt.NDArray[np.int64]

# Faces that meet at a larger angle, rad, have a visible edge between them.
SHARP = np.radians(35.0)


def flat_faces(points: Any, polygons: Iterable[Sequence[int]]) -> Mesh:
    """Convex polygons, each with its own vertices."""
    vertices: list[Any] = []
    faces: list[tuple[int, int, int]] = []
    for polygon in polygons:
        first = len(vertices)
        vertices.extend(points[corner] for corner in polygon)
        faces.extend((first, first + k, first + k + 1) for k in range(1, len(polygon) - 1))
    return mesh(vertices, faces)


def part_at_edges(points: Any, triangles: Any, sharp: float = SHARP) -> Mesh:
    """Triangles whose vertices are shared where the surface is smooth, and split at edges sharper than `sharp` rad."""
    places, corners = weld(np.asarray(points, np.float64), np.asarray(triangles, np.int64))
    a, b, c = (places[corners[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    one, other = _joined_corners(corners, normals, float(np.cos(sharp)))
    group = _connected(corners.size, one, other)
    first, number = np.unique(group, return_inverse=True)
    return mesh(places[corners.reshape(-1)[first]], number)


def _joined_corners(corners: Integers, normals: Any, least: float) -> tuple[Integers, Integers]:
    """Pairs of corners (3 * triangle + corner) at the same end of an edge whose two sides are smooth."""
    start, end = corners.reshape(-1), np.roll(corners, -1, axis=1).reshape(-1)
    count = int(corners.max()) + 1
    here, there = start * count + end, end * count + start
    order = np.argsort(here, kind="stable")
    at = np.minimum(np.searchsorted(here[order], there), len(order) - 1)
    mine = np.flatnonzero(here[order[at]] == there)
    across = order[at[mine]]
    smooth = np.einsum("ni,ni->n", normals[mine // 3], normals[across // 3]) >= least
    mine, across = mine[smooth], across[smooth]
    after = 3 * (across // 3) + (across + 1) % 3
    return mine, after  # the edge begins in `mine`, where its other side ends


def _connected(count: int, one: Integers, other: Integers) -> Integers:
    """The lowest index of each connected component of `count` elements."""
    label = np.arange(count)
    while True:
        before = label.copy()
        least = np.minimum(label[one], label[other])
        np.minimum.at(label, one, least)
        np.minimum.at(label, other, least)
        if np.array_equal(label, before):
            return label
