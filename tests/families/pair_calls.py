"""Calls pairs of shapes directly: geoms as small descriptions, contacts as NumPy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.report import FLOATS, PAIR_KERNELS, SHAPE_KINDS
from opendynamics.core.arrays.store import Store
from opendynamics.core.bodies.hulls.block import pack
from opendynamics.core.bodies.hulls.polyhedron import polyhedron
from opendynamics.core.bodies.hulls.quickhull import hull_polygons
from opendynamics.core.collide.listed_pairs import NOT_COLLIDED, collide_listed
from opendynamics.core.collide.narrowphase.dispatch import NO_COLLIDER
from opendynamics.core.families import SHAPES, pair_address

# In place of the collider that calls Python: no code is here.
NO_ADDRESS = 1


@dataclass(frozen=True)
class Shape:
    """A shape of the family, by file name, with its size numbers, placed in the world.

    A convex polyhedron has the numbers of its corners for sizes, three each: `hull_block` makes it of them.
    """

    name: str
    size: tuple[float, ...]
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotation: tuple[tuple[float, ...], ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@cache
def hull_of(corners):
    """The convex polyhedron around corners given as a flat tuple of numbers."""
    points = np.reshape(corners, (-1, 3))
    return polyhedron("the hull", points, hull_polygons(points))


@cache
def hull_block(corners):
    """Its block, which stays where it is."""
    return pack(hull_of(corners))


@dataclass(frozen=True)
class Contacts:
    """Contacts of one pair of shapes: arrays with a row a contact, normals into the first shape."""

    position: np.ndarray
    normal: np.ndarray
    depth: np.ndarray

    def __len__(self):
        return len(self.depth)


def rotation_of(quaternion):
    """Rotation matrix of a quaternion (w, x, y, z) of any length."""
    w, x, y, z = np.asarray(quaternion) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def collide(a, b, limit=16):
    """Contacts of two shapes."""
    return collide_many([(a, b)], limit)[0]


def collide_many(pairs, limit=16, *, like_ode=False):
    """Contacts of many pairs of shapes, in one compiled call; on request ODE's, where ODE's are not exact."""
    pairs = list(pairs)
    store = store_of(pairs, limit, like_ode=like_ode)
    store[GEOMS]["body"][:] = 1  # pairs without a body are left out
    starts, ends, left_out = (np.zeros(len(pairs), np.int64) for _ in range(3))
    geoms = np.arange(2 * len(pairs)).reshape(-1, 2)
    count = collide_listed(store.tables, geoms, 0, limit, NO_ADDRESS, starts, ends, left_out)
    assert count >= 0 and NOT_COLLIDED not in ends, "a pair's kernel is missing"
    points = store[POINTS][:count].copy()
    parts = [points[low:high] for low, high in zip(starts, ends, strict=True)]
    return [Contacts(part["position"], part["normal"], part["depth"]) for part in parts]


def store_of(pairs, limit, *, like_ode=False):
    """A Store with two geoms for every pair, all pairs listed."""
    store = Store()
    store.share(PAIR_KERNELS, np.zeros_like(store[PAIR_KERNELS]))
    store.use(GEOMS, 2 * len(pairs))
    store.use(PAIRS, len(pairs))
    store.make_room(POINTS, limit * (len(pairs) + 1))
    store.make_room(FLOATS, SCRATCH)
    shapes = [shape for pair in pairs for shape in pair]
    geoms = store[GEOMS]
    kinds = [SHAPES[shape.name].KIND for shape in shapes]
    geoms["kind"][: len(shapes)] = kinds
    geoms["position"][: len(shapes)] = [shape.position for shape in shapes]
    geoms["rotation"][: len(shapes)] = [np.asarray(shape.rotation).ravel() for shape in shapes]
    geoms["size"][: len(shapes)] = [(*shape.size, 0.0, 0.0, 0.0, 0.0)[:4] for shape in shapes]
    geoms["data"][: len(shapes)] = [
        hull_block(shape.size).ctypes.data if shape.name == "convex" else 0 for shape in shapes
    ]
    store[PAIRS]["a"][: len(pairs)] = range(0, 2 * len(pairs), 2)
    store[PAIRS]["b"][: len(pairs)] = range(1, 2 * len(pairs), 2)
    for a, b in product(set(kinds), repeat=2):
        store[PAIR_KERNELS][a * SHAPE_KINDS + b] = pair_address(a, b, like_ode) or NO_COLLIDER
    return store
