"""Plane: a checkered square of finite size, close to the viewed point."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.geoms.geom import Array
from opendynamics.viewer.meshes.building.mesh import Mesh
from opendynamics.viewer.meshes.building.mesh import mesh as make_mesh

# Squares along a side of the board.
SQUARES = 80


def key(geom: Any) -> tuple[str]:
    """All planes share one board."""
    return ("plane",)


def mesh(geom: Any, detail: Any) -> Mesh:
    """The board of side 1 around the origin, facing z; its squares alternate between the two tones."""
    line = np.linspace(-0.5, 0.5, SQUARES + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    number = np.arange((SQUARES + 1) ** 2).reshape(SQUARES + 1, SQUARES + 1)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    faces = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)
    square = np.add.outer(np.arange(SQUARES), np.arange(SQUARES)) % 2
    return make_mesh(np.stack([x, y, np.zeros_like(x)], axis=2), faces, np.repeat(square.reshape(-1), 2))


def scale(geom: Any, detail: Any) -> Any:
    """The drawn size, m."""
    return detail.size, detail.size, 1.0


def place(geom: Any, detail: Any) -> tuple[Array, Array]:
    """The board's centre: the corner of an infinite board that is nearest to `detail.around`; its z is the normal."""
    normal, d = geom.normal, geom.offset
    turn = turned_up(normal)
    pitch = 2.0 * detail.size / SQUARES
    near = np.round(turn[:, :2].T @ np.asarray(detail.around) / pitch) * pitch
    return turn[:, :2] @ near + d * normal, turn


def turned_up(normal: Array) -> Array:
    """The smallest rotation that takes z to a unit vector n; about x if n is -z. With c = n_z and v = z × n, Rodrigues'
    formula for a rotation from one vector to another is R = 1 + [v] + [v]² / (1 + c).
    """
    x, y, c = normal
    if c <= -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    v = np.array([[0.0, 0.0, x], [0.0, 0.0, y], [-x, -y, 0.0]])
    return np.asarray(np.eye(3) + v + v @ v / (1.0 + c))
