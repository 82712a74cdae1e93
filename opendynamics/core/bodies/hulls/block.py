"""Packs a convex polyhedron into the block of memory that `arrays/blocks/hulls.py` describes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.core.arrays.blocks.hulls import FILLED, HULL
from opendynamics.core.bodies.hulls.polyhedron import Polyhedron
from opendynamics.core.bodies.hulls.solid import solid

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def pack(body: Polyhedron) -> Bytes:
    """The block, read only and aligned to 8 bytes."""
    arrays = {
        "vertices_at": body.vertices.astype(np.float64),
        "columns_at": body.vertices.T.astype(np.float64),
        "planes_at": body.planes.astype(np.float64),
        "plane_columns_at": _filled(body.planes),
        "first_corners_at": _starts([len(loop) for loop in body.polygons]),
        "corners_at": np.concatenate([np.array(loop, np.int64) for loop in body.polygons]),
        "edges_at": body.edges,
        "edge_columns_at": _filled(_spans(body)),
        **_neighbours(body),
    }
    header = np.zeros(1, HULL)
    header["vertices"], header["faces"], header["edges"] = len(body.vertices), len(body.planes), len(body.edges)
    header["low"], header["high"] = body.vertices.min(axis=0), body.vertices.max(axis=0)
    volume, centroid, inertia = solid(body.vertices, body.polygons)
    header["volume"], header["centroid"], header["inertia"] = volume, centroid, inertia.reshape(9)
    header["inradius"] = max((body.planes[:, 3] - body.planes[:, :3] @ centroid).min(), 0.0)
    size = header.nbytes
    for name, array in arrays.items():
        header[name] = size
        size += array.nbytes
    block = np.zeros((size + 7) // 8, np.uint64).view(np.uint8)[:size]
    block[: header.nbytes] = header.view(np.uint8)
    for name, array in arrays.items():
        at = int(header[name][0])
        block[at : at + array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    block.flags.writeable = False
    return block


def _filled(rows: Floats) -> Floats:
    """Columns of the rows and of copies of the last one."""
    return np.concatenate([rows, np.repeat(rows[-1:], -len(rows) % FILLED, axis=0)]).T


def _spans(body: Polyhedron) -> Floats:
    """Of each edge the first vertex, the vector to the second, and one over the square of its length."""
    start, end = body.vertices[body.edges[:, 0]], body.vertices[body.edges[:, 1]]
    edge = end - start
    return np.column_stack([start, edge, 1.0 / (edge * edge).sum(axis=1)])


def _neighbours(body: Polyhedron) -> dict[str, npt.NDArray[np.int64]]:
    lists: list[list[int]] = [[] for _ in body.vertices]
    for a, b in body.edges[:, :2].tolist():
        lists[a].append(b)
        lists[b].append(a)
    joined = np.array([other for others in lists for other in others], np.int64)
    return {"first_neighbours_at": _starts([len(others) for others in lists]), "neighbours_at": joined}


def _starts(lengths: list[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
