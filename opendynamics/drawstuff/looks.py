"""Looks of drawn shapes in the live view: colours, and textures as patterns of coloured parts.

drawstuff multiplies the colour by a picture. Here a wooden box is four planks along its longest side, a checkered box eight
blocks, in two tones of the colour; other shapes with a texture have the mean of both tones.
"""

from __future__ import annotations

import itertools

import numpy as np

from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.mesh_data import MeshData
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.drawstuff.canvas import DS_CHECKERED, DS_GROUND, DS_NONE, DS_SKY, DS_WOOD, Array, Drawn

LINE = 0.005  # m, radius of a line
PLANKS = 4

# Both tones of a texture, as factors of the colour.
TONES = {
    DS_NONE: ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0)),
    DS_WOOD: ((0.87, 0.66, 0.44), (0.74, 0.53, 0.33)),
    DS_CHECKERED: ((1.0, 1.0, 1.0), (0.45, 0.45, 0.45)),
    DS_GROUND: ((0.52, 0.62, 0.40), (0.42, 0.52, 0.32)),
    DS_SKY: ((0.66, 0.80, 0.96), (0.86, 0.92, 0.99)),
}

Tone = int | None  # 0 or 1; None: the mean


def parts_of(drawn: Drawn) -> list[tuple[Geom, Tone]]:
    """The geoms that represent a shape, in its frame, and the tone of each."""
    if drawn.shape == "box" and drawn.texture in (DS_WOOD, DS_CHECKERED):
        lengths = np.array(drawn.sizes)
        counts = np.full(3, 2)
        if drawn.texture == DS_WOOD:
            counts = np.ones(3, np.int64)
            counts[np.argsort(lengths, kind="stable")[1]] = PLANKS
        size = lengths / counts
        return [
            (Box(size, position=(np.array(place) + 0.5) * size - 0.5 * lengths), sum(place) % 2)
            for place in itertools.product(*map(range, counts))
        ]
    return [(shape_of(drawn), None)]


def colour_of(drawn: Drawn, tone: Tone) -> Array:
    """Red, green and blue of a part, 0 to 1."""
    tones = np.array(TONES[drawn.texture])
    chosen = tones.mean(axis=0) if tone is None else tones[tone]
    colour: Array = np.clip(np.array(drawn.colour[:3]) * chosen, 0.0, 1.0)
    return colour


def shape_of(drawn: Drawn) -> Geom:
    """A geom of the shape."""
    sizes = drawn.sizes
    if drawn.shape == "box":
        return Box(sizes)
    if drawn.shape == "sphere":
        return Sphere(sizes[0])
    if drawn.shape == "capsule":
        return Capsule(*sizes)
    if drawn.shape == "cylinder":
        return Cylinder(*sizes)
    if drawn.shape == "line":
        return Capsule(LINE, max(float(np.linalg.norm(np.subtract(sizes[3:], sizes[:3]))), LINE))
    points = np.reshape(sizes, (-1, 3))
    if drawn.shape == "convex":
        return Convex(points, drawn.faces)
    corners = np.arange(len(points)).reshape(-1, 3)
    return Trimesh(MeshData(points, corners, repair=True))
