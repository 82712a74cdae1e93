"""Shapes drawn in a frame, with their colours, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks

Array: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = tuple[float, ...]

DS_NONE, DS_WOOD, DS_CHECKERED, DS_GROUND, DS_SKY = range(5)
DS_POLYFILL, DS_WIREFRAME = 0, 1


@dataclass(frozen=True)
class Drawn:
    """A drawn shape.

    Attributes:
        shape: "box", "sphere", "capsule", "cylinder", "convex", "triangles" or "line".
        position: m, in the world, shape (3,).
        rotation: shape (3, 3).
        sizes: lengths, m: sides; radius; radius and length; for a line, a mesh and a hull the coordinates of the points.
        faces: of a hull, in ODE's format.
        colour: red, green, blue and alpha, 0 to 1.
        texture: DS_NONE, DS_WOOD and so on.
    """

    shape: str
    position: Array
    rotation: Array
    sizes: Numbers
    faces: tuple[int, ...]
    colour: Numbers
    texture: int


@dataclass
class Canvas:
    """Current colour and texture, and the shapes drawn since the start of the frame (`frame`)."""

    frame: list[Drawn] = field(default_factory=list)
    colour: Numbers = (1.0, 1.0, 1.0, 1.0)
    texture: int = DS_NONE
    mode: int = DS_POLYFILL

    def draw(self, shape: str, pos: Any, R: Any, sizes: Any, faces: Any = ()) -> None:
        """Add a shape; TypeError and ValueError for invalid vectors, matrices or sizes."""
        position = np.array(checks.vector(f"the position of a {shape}", list(pos)[:3]))
        matrix = checks.array(f"the rotation of a {shape}", R)
        if matrix.size not in (9, 12):
            raise ValueError(f"the rotation of a {shape} must have 12 numbers, 3x4 by rows, not {matrix.size}")
        numbers = checks.array(f"the sizes of a {shape}", sizes).ravel()
        if shape in ("box", "sphere", "capsule", "cylinder") and not (numbers > 0.0).all():
            raise ValueError(f"the sizes of a {shape} must be above 0, not {numbers.tolist()}")
        turned = np.array(matrix.reshape(3, -1)[:, :3])
        self.frame.append(
            Drawn(shape, position, turned, tuple(numbers.tolist()), tuple(faces), self.colour, self.texture)
        )


CANVAS = Canvas()
