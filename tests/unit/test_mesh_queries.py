"""Queries of a mesh's tree find the triangles that a search of all of them finds, also when interrupted for want of room."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pytest

import opendynamics as od
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.bodies.triangles import MESH, Surface, gather, gather_in, gather_near

Floats = npt.NDArray[np.float64]


@numba.njit
def find_in_box(kind, data, low, high, scratch, room, cursor):
    return gather(Surface(kind, data), low, high, scratch, 0, room, cursor)


@numba.njit
def find_in_oriented_box(kind, data, low, high, oriented, scratch, room, cursor):
    return gather_in(Surface(kind, data), low, high, oriented, scratch, 0, room, cursor)


@numba.njit
def find_near(kind, data, p, distance, scratch, room, cursor):
    return gather_near(Surface(kind, data), p, distance, scratch, 0, room, cursor)


def found_by(query: Any, *arguments: Any, room: int) -> list[int]:
    """Keys that a query finds, at most `room` in each call."""
    scratch, keys, cursor = np.zeros(SCRATCH, np.int64), [], 0
    while cursor >= 0:
        count, cursor = query(*arguments, scratch.ctypes.data, room, cursor)
        assert count <= room
        keys.extend(scratch[:count].tolist())
    return keys


@pytest.fixture(scope="module", params=[1, 3, 4, 5, 37, 900])
def soup(request: pytest.FixtureRequest) -> tuple[od.MeshData, Floats]:
    """A mesh of so many unconnected triangles, and their corners."""
    rng = np.random.default_rng(request.param)
    corners = rng.uniform(-1, 1, (request.param, 1, 3)) + rng.uniform(-0.2, 0.2, (request.param, 3, 3))
    return od.MeshData(corners.reshape(-1, 3), np.arange(3 * request.param).reshape(-1, 3)), corners


def queries() -> list[tuple[Floats, Floats]]:
    """Centres and half sizes of boxes, small and large ones."""
    rng = np.random.default_rng(7)
    return [(rng.uniform(-1.2, 1.2, 3), rng.uniform(0.01, 0.5, 3)) for _ in range(40)] + [
        (np.zeros(3), np.full(3, 9.0))
    ]


@pytest.mark.parametrize("room", [4, 1000])
def test_boxes(soup: tuple[od.MeshData, Floats], room: int) -> None:
    mesh, corners = soup
    low, high = corners.min(axis=1), corners.max(axis=1)
    for centre, half in queries():
        expected = np.flatnonzero(((low <= centre + half) & (high >= centre - half)).all(axis=1))
        found = found_by(find_in_box, MESH, mesh.address, tuple(centre - half), tuple(centre + half), room=room)
        assert sorted(found) == expected.tolist()
        assert found == found_by(find_in_box, MESH, mesh.address, tuple(centre - half), tuple(centre + half), room=4)


@pytest.mark.parametrize("room", [4, 1000])
def test_oriented_boxes(soup: tuple[od.MeshData, Floats], room: int) -> None:
    mesh, corners = soup
    for k, (centre, half) in enumerate(queries()):
        turn = np.linalg.qr(np.random.default_rng(k).normal(size=(3, 3)))[0]
        seen = (corners - centre) @ turn
        inside = ((seen.min(axis=1) <= half) & (seen.max(axis=1) >= -half)).all(axis=1)
        extent = np.abs(turn) @ half
        low, high = centre - extent, centre + extent
        boxes = ((corners.min(axis=1) <= high) & (corners.max(axis=1) >= low)).all(axis=1)
        oriented = tuple(centre), tuple(turn.ravel()), tuple(-half), tuple(half)
        found = found_by(find_in_oriented_box, MESH, mesh.address, tuple(low), tuple(high), oriented, room=room)
        assert len(set(found)) == len(found)
        assert set(np.flatnonzero(inside & boxes)) <= set(found) <= set(np.flatnonzero(inside))


@pytest.mark.parametrize("room", [4, 1000])
def test_spheres(soup: tuple[od.MeshData, Floats], room: int) -> None:
    mesh, corners = soup
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    for centre, half in queries():
        gap = np.maximum(np.maximum(corners.min(axis=1) - centre, centre - corners.max(axis=1)), 0)
        height = np.abs(np.einsum("ni,ni->n", normals, centre - corners[:, 0]))
        expected = np.flatnonzero((np.linalg.norm(gap, axis=1) <= half[0]) & (height <= half[0]))
        found = found_by(find_near, MESH, mesh.address, tuple(centre), float(half[0]), room=room)
        assert sorted(found) == expected.tolist()
