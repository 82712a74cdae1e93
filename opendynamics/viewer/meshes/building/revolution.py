"""Surfaces of revolution about z: a profile of radii r(t) and heights z(t) swept through the angle a,

x = r cos a,  y = r sin a,  z
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.viewer.meshes.building.mesh import Mesh, mesh

# Sectors of alternating tones around round shapes.
SECTORS = 4


def segments_of(resolution: int) -> int:
    """Edges around a circle: at least `resolution` and a multiple of 4, so that circles reach their extent on x and y."""
    return 4 * max(2, -(-resolution // 4))


def revolve(radii: Any, heights: Any, segments: int) -> Mesh:
    """The surface of a profile, given from bottom to top with the outside on its right; radius 0 is one vertex."""
    r, z = np.asarray(radii, np.float64), np.asarray(heights, np.float64)
    angles = 2.0 * np.pi * np.arange(segments) / segments
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    grid = np.concatenate([r[:, None, None] * ring, np.broadcast_to(z[:, None, None], (len(r), segments, 1))], axis=2)
    number = np.arange(len(r) * segments).reshape(len(r), segments)
    number[r == 0.0] = number[r == 0.0][:, :1]
    beside = np.roll(number, -1, axis=1)
    a, b, c, d = number[:-1], beside[:-1], beside[1:], number[1:]
    faces = np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)])
    sector = np.broadcast_to(np.arange(segments) * SECTORS // segments % 2, faces.shape[:2]).reshape(-1)
    corners = faces.reshape(-1, 3)
    # At a pole one of the two triangles of each quad is degenerate.
    kept = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    used, corners = np.unique(corners[kept], return_inverse=True)
    return mesh(grid.reshape(-1, 3)[used], corners, sector[kept])
