"""Contact points within the touching features, and depths of deep penetration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most, samples
from opendynamics.api.contact import collide
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.rotation import matrix_from_quaternion

TITLE = "Contact points and depths"
TEXT = """
A capsule across a cylinder touches it where the axes cross, in any orientation of the pair. Parallel capsules and
cylinders that are shifted along their axes touch within their common length: the figure is how far the furthest contact
is outside it. Deep penetration of two boxes, or a box and a capsule, has the depth of the minimum translation: the figure
is the largest relative error of the depth, compared with all axes of the separating axis test, computed independently of
the engine. 2000 poses each.
"""
POSES = 2000
CAPSULE, CYLINDER = (0.1, 0.8), (0.12, 0.9)
LENGTHS = (1.0, 0.7, 0.5)

Array = npt.NDArray[np.float64]
# A contact as (position, depth), of two shapes as (name, sizes, position, quaternion).
Found = list[tuple[Array, float]]
Placed = tuple[str, Sequence[float], Array, Array]


def found_here(a: Placed, b: Placed) -> Found:
    """The contacts of opendynamics."""
    kinds: dict[str, Callable[..., Geom]] = {
        "box": lambda *lengths: Box(lengths),
        "capsule": Capsule,
        "cylinder": Cylinder,
    }
    geoms = []
    for name, sizes, position, quaternion in (a, b):
        geom = kinds[name](*sizes)
        geom.position, geom.quaternion = position, quaternion
        geoms.append(geom)
    return [(contact.position, contact.depth) for contact in collide(geoms[0], geoms[1], max_contacts=16)]


def found_by_c_names(ode: Any, a: Placed, b: Placed) -> Found:
    """The contacts of ODE, by libode or the C names."""
    makers = {"box": ode.dCreateBox, "capsule": ode.dCreateCapsule, "cylinder": ode.dCreateCylinder}
    geoms = []
    for name, sizes, position, quaternion in (a, b):
        geom = makers[name](0, *sizes)
        ode.dGeomSetPosition(geom, *position)
        ode.dGeomSetQuaternion(geom, np.asarray(quaternion))
        geoms.append(geom)
    found = [(np.array(contact.pos[:3]), float(contact.depth)) for contact in ode.dCollide(geoms[0], geoms[1], 16)]
    for geom in geoms:
        ode.dGeomDestroy(geom)
    return found


def product(a: Array, b: Array) -> Array:
    """The rotation b, then a, as quaternions (w, x, y, z)."""
    w, v, x, u = a[0], a[1:], b[0], b[1:]
    return np.concatenate([[w * x - v @ u], w * u + x * v + np.cross(v, u)])


def any_turn(rng: np.random.Generator) -> Array:
    turn = rng.normal(size=4)
    return np.asarray(turn / np.linalg.norm(turn))


def off_the_crossing(find: Callable[[Placed, Placed], Found]) -> float:
    """How far, m, the contact of a capsule across a cylinder is at most from where they cross; 1 if there is none."""
    rng, worst = np.random.default_rng(1), 0.0
    along_x, along_y = np.array([0.5**0.5, 0.0, 0.5**0.5, 0.0]), np.array([0.5**0.5, 0.5**0.5, 0.0, 0.0])
    for _ in range(samples(POSES)):
        world, spot = any_turn(rng), rng.uniform(-0.3, 0.3, 2)
        turn, height = matrix_from_quaternion(world), CAPSULE[0] + CYLINDER[0] - 1e-3
        capsule = ("capsule", CAPSULE, turn @ (spot[0], spot[1], height), product(world, along_x))
        found = find(capsule, ("cylinder", CYLINDER, np.zeros(3), product(world, along_y)))
        crossing = turn @ (0.0, spot[1], CYLINDER[0] - 5e-4)
        worst = max([worst, *(float(np.linalg.norm(place - crossing)) for place, _ in found)] if found else [1.0])
    return worst


def beyond_the_stretch(find: Callable[[Placed, Placed], Found]) -> float:
    """How far, m, contacts of a capsule beside a cylinder, shifted along it, are at most beyond their common stretch."""
    rng, worst = np.random.default_rng(2), 0.0
    for _ in range(samples(POSES)):
        world, shift = any_turn(rng), rng.uniform(-0.8, 0.8)
        turn = matrix_from_quaternion(world)
        place = turn @ (CAPSULE[0] + CYLINDER[0] - 1e-3, 0.0, shift)
        found = find(("capsule", CAPSULE, place, world), ("cylinder", CYLINDER, np.zeros(3), world))
        low = max(-0.5 * CYLINDER[1], shift - 0.5 * CAPSULE[1])
        high = min(0.5 * CYLINDER[1], shift + 0.5 * CAPSULE[1])
        along = [float(turn[:, 2] @ place) for place, _ in found]
        worst = max([worst, *(max(low - s, s - high) for s in along)] if found else [1.0])
    return worst


def min_translation(lengths: Sequence[Array], offset: Array, radius: float) -> float:
    """The least overlap of two sums of half vectors along all their faces' normals, and the radius around them."""
    halves = np.array([half for half in lengths if np.linalg.norm(half) > 0.0])
    normals = np.array([np.cross(u, v) for k, u in enumerate(halves) for v in halves[:k]])
    size = np.linalg.norm(normals, axis=1)
    normals = normals[size > 1e-9] / size[size > 1e-9, None]
    return float((abs(normals @ halves.T).sum(axis=1) - abs(normals @ offset)).min()) + radius


def error_of_depth(find: Callable[[Placed, Placed], Found], other: str) -> float:
    """Largest relative error of the depth of a box and a box, or a capsule, whose axis is deep in it."""
    rng, worst = np.random.default_rng(3), 0.0
    for _ in range(samples(POSES)):
        turns = any_turn(rng), any_turn(rng)
        frames = [matrix_from_quaternion(turn) for turn in turns]
        offset = rng.uniform(-0.2, 0.2, 3)
        sizes = LENGTHS if other == "box" else CAPSULE
        halves = [0.5 * length * axis for length, axis in zip(LENGTHS, frames[0].T, strict=True)]
        if other == "box":
            halves += [0.5 * length * axis for length, axis in zip(LENGTHS, frames[1].T, strict=True)]
        else:
            halves += [0.5 * CAPSULE[1] * frames[1][:, 2]]
        truth = min_translation(halves, offset, 0.0 if other == "box" else CAPSULE[0])
        found = find(("box", LENGTHS, np.zeros(3), turns[0]), (other, sizes, offset, turns[1]))
        depth = max((depth for _, depth in found), default=0.0)
        worst = max(worst, abs(depth / truth - 1.0))
    return worst


def measure() -> list[Row]:
    """Largest errors."""
    library = LibOde() if LibOde.available() else None

    def row(what: str, measured: Callable[[Callable[[Placed, Placed], Found]], float], most: float) -> Row:
        odes = None if library is None else measured(lambda a, b: found_by_c_names(library, a, b))
        return at_most(what, measured(found_here), most, odes)

    return [
        row("capsule across a cylinder: distance from the crossing, m", off_the_crossing, 1e-9),
        row("capsule parallel to a cylinder: contact beyond the common length, m", beyond_the_stretch, 1e-9),
        row("depth of box in box, relative error", lambda find: error_of_depth(find, "box"), 1e-9),
        row("depth of capsule in box, relative error", lambda find: error_of_depth(find, "capsule"), 1e-9),
    ]
