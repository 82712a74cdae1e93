"""A mesh of triangles, as it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int32]
Tones = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles, counterclockwise as seen from outside.

    At a visible edge, vertices exist once for either side, so that the mean of the normals of the faces around a vertex is
    the normal for shading, for round shapes and boxes alike.

    Attributes:
        vertices: m, or relative to a unit shape, shape (n, 3).
        faces: vertex indices, shape (m, 3).
        tones: for each face 0, the geom's colour, or 1, a darker shade of it, shape (m,): squares on the ground, and stripes
            on round shapes, which make rotation visible.
    """

    vertices: Floats
    faces: Indices
    tones: Tones = field(default_factory=lambda: np.zeros(0, np.uint8))

    def __post_init__(self) -> None:
        if len(self.tones) != len(self.faces):
            object.__setattr__(self, "tones", np.zeros(len(self.faces), np.uint8))

    @cached_property
    def normals(self) -> Floats:
        """Unit normals at the vertices, shape (n, 3): the mean of the faces around each, weighted by their areas."""
        a, b, c = (self.vertices[self.faces[:, k]].astype(np.float64) for k in range(3))
        across = np.cross(b - a, c - a)
        total = np.zeros((len(self.vertices), 3))
        for k in range(3):
            np.add.at(total, self.faces[:, k], across)
        lengths = np.linalg.norm(total, axis=1, keepdims=True)
        return np.asarray(total / np.where(lengths > 0.0, lengths, 1.0), dtype=np.float32)

    @cached_property
    def closed(self) -> bool:
        """Whether the faces enclose a volume, so that their backs are invisible."""
        if not len(self.faces):
            return False
        _, places = np.unique(self.vertices, axis=0, return_inverse=True)
        corners = places.reshape(-1)[self.faces].astype(np.int64)
        start, end = corners.reshape(-1), np.roll(corners, -1, axis=1).reshape(-1)
        count = int(corners.max()) + 1
        here, there = np.sort(start * count + end), np.sort(end * count + start)
        return bool(np.array_equal(here, there) and (np.diff(here) > 0).all())

    def of_tone(self, tone: int) -> Mesh:
        """The faces of one tone, with their vertices."""
        faces = self.faces[self.tones == tone]
        used, corners = np.unique(faces, return_inverse=True)
        return mesh(self.vertices[used], corners.reshape(-1, 3), np.full(len(faces), tone))


def mesh(vertices: Any, faces: Any, tones: Any = ()) -> Mesh:
    """A mesh from array-like arguments."""
    return Mesh(
        np.ascontiguousarray(vertices, np.float32).reshape(-1, 3),
        np.ascontiguousarray(faces, np.int32).reshape(-1, 3),
        np.asarray(tones, np.uint8),
    )


def join(parts: Sequence[Mesh]) -> Mesh:
    """All of them merged; vertices remain separate."""
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])[:-1]
    return mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.tones for part in parts]),
    )


NOTHING = mesh(np.zeros((0, 3)), np.zeros((0, 3)))
