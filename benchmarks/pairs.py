"""Collides batches of pairs of shapes, here and in ODE: ``python -m benchmarks.pairs [PAIR ...]``, e.g. ``box-trimesh``.

A batch is 10,000 pairs of one kind in random poses, most of which touch, many deeply; with --shallow, those that overlap are
moved along their contact normals until they are 2 cm deep to 1 cm apart, as in a simulation. Both engines are given the same,
and at most 8 contacts. They take turns, batch by batch; printed are nanoseconds a pair (median, smallest and largest batch),
the ratio to ODE's time, and how many pairs touch for each. Loops and calls are compiled on both sides. The trimesh is a
ring of 1,008 triangles (not convex), the heightfield has 40 x 40 cells of 0.25 m.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

import opendynamics as od
from benchmarks.peers import ode_c
from benchmarks.peers.ode_shapes import OdeShapes
from benchmarks.run import machine, number, spread
from opendynamics.api.reading import record_of
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.contacts import POINT
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.shapes import BOUNDS, CONTRACTS
from opendynamics.core.collide.narrowphase.dispatch import call_pair
from opendynamics.core.families import pair_address
from opendynamics.core.kernels import caller

Array = NDArray[np.float64]

LIMIT = 8
KINDS = ("sphere", "box", "capsule", "cylinder", "plane", "ray", "convex", "hull", "trimesh", "heightfield")
SHALLOW = (-0.01, 0.02)  # m
ROUNDS = 6  # in which pairs are moved
REACH = {"sphere": 0.5, "box": 0.55, "capsule": 0.5, "cylinder": 0.5, "ray": 1.0, "convex": 0.5, "hull": 0.5}

call_bounds = caller(BOUNDS)


def ring(sides: int = 28, sections: int = 18) -> tuple[Array, NDArray[np.int64]]:
    """1,008 triangles around a tube, 0.8 m thick, that runs round a circle of 1 m."""
    u, v = (axis.ravel() for axis in np.meshgrid(np.arange(sides), np.arange(sections), indexing="ij"))
    a, b = 2 * np.pi * u / sides, 2 * np.pi * v / sections
    out = 1.0 + 0.4 * np.cos(b)
    here, right = u * sections + v, (u + 1) % sides * sections + v
    above, beyond = u * sections + (v + 1) % sections, (u + 1) % sides * sections + (v + 1) % sections
    corners = np.concatenate([np.stack([here, right, beyond], 1), np.stack([here, beyond, above], 1)])
    return np.stack([out * np.cos(a), out * np.sin(a), 0.4 * np.sin(b)], axis=1), corners


def height(x: Array, z: Array) -> Array:
    """Of the hills, m."""
    return 0.4 * np.sin(0.9 * x) * np.cos(0.6 * z)


def hills() -> od.HeightfieldData:
    """A field of 10 x 10 m with 40 x 40 cells."""
    x, z = np.meshgrid(np.linspace(-5, 5, 41), np.linspace(-5, 5, 41))
    return od.HeightfieldData(height(x, z), 10.0, 10.0)


def ball_of(points: int) -> Array:
    """Corners of an octahedron, or spread evenly over a ball, 0.5 m about the origin."""
    if points == 6:
        return 0.5 * np.concatenate([np.eye(3), -np.eye(3)])
    k = np.arange(points) + 0.5
    z, turn = 1 - 2 * k / points, np.pi * (1 + 5**0.5) * k
    return 0.5 * np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)


@functools.cache
def shape(kind: str) -> od.Geom:
    """One geom of each kind."""
    return {
        "sphere": lambda: od.Sphere(0.5),
        "box": lambda: od.Box((0.8, 0.6, 0.4)),
        "capsule": lambda: od.Capsule(0.25, 0.5),
        "cylinder": lambda: od.Cylinder(0.3, 0.8),
        "plane": lambda: od.Plane((0, 0, 1), 0),
        "ray": lambda: od.Ray(2.0),
        "convex": lambda: od.Convex.hull(ball_of(6)),
        "hull": lambda: od.Convex.hull(ball_of(32)),
        "trimesh": lambda: od.Trimesh(od.MeshData(*ring())),
        "heightfield": lambda: od.Heightfield(hills()),
    }[kind]()


def turns(random: np.random.Generator, count: int) -> Array:
    """Random unit quaternions."""
    q = random.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1)[:, None]


def poses(one: str, other: str, count: int) -> tuple[Array, Array, Array, Array]:
    """Positions and quaternions of the first and the second geoms; about two in three touch."""
    random = np.random.default_rng(7)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    q1, q2 = turns(random, count), turns(random, count)
    way = turns(random, count)[:, 1:]
    way /= np.linalg.norm(way, axis=1)[:, None]
    part = random.uniform(0.2, 1.2, count)[:, None]
    here = random.uniform(-2, 2, (count, 3))
    if "heightfield" in (one, other):
        field = np.zeros((count, 3))
        x, z = random.uniform(-3, 3, (2, count))
        body = one if other == "heightfield" else other
        lift = random.uniform(-0.3, 1.0, count) * REACH.get(body, 0.5)
        place = np.stack([x, height(x, z) + lift, z], axis=1)
        return (place, q1, field, still) if other == "heightfield" else (field, still, place, q1)
    if "plane" in (one, other):
        body = one if other == "plane" else other
        here[:, 2] = random.uniform(-0.5, 1.0, count) * REACH.get(body, 1.0)
        return (here, q1, 0 * here, still) if other == "plane" else (0 * here, still, here, q1)
    if other == "trimesh":
        a, b = random.uniform(0, 2 * np.pi, (2, count))
        out = 0.4 + random.uniform(-0.3, 1.0, count) * REACH.get(one, 0.4)  # from the middle of the tube
        across = 1.0 + out * np.cos(b)
        there = np.stack([across * np.cos(a), across * np.sin(a), out * np.sin(b)], axis=1)
        return here + np.einsum("nij,nj->ni", matrices(q2), there), q1, here, q2
    return here, q1, here + part * (REACH[one] + REACH[other]) * way, q2


def shallow(one: str, other: str, batch: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
    """The poses, one of the geoms (no plane, whose position says nothing) moved out until hardly anything overlaps."""
    p1, q1, p2, q2 = batch
    p1, p2 = p1.copy(), p2.copy()
    fixed = one != "plane" and other in ("plane", "trimesh", "heightfield")
    aims = np.random.default_rng(3).uniform(*SHALLOW, len(p1))
    points, scratch = np.zeros(64, POINT), np.zeros(SCRATCH)
    for _ in range(ROUNDS):
        function, first, second, way = paired(one, other, (p1, q1, p2, q2))
        for k, aim in enumerate(aims):
            here, there = first[k:].ctypes.data, second[k:].ctypes.data
            count = _collide_one(function, here, there, len(points), points.ctypes.data, scratch.ctypes.data)
            found = points[: min(count, len(points))]
            if count and found["depth"].max() > SHALLOW[1]:
                deepest = found[found["depth"].argmax()]
                shift = way * (deepest["depth"] - aim) * deepest["normal"]
                if fixed:
                    p1[k] += shift
                else:
                    p2[k] -= shift
    return p1, q1, p2, q2


def matrices(q: Array) -> Array:
    """Matrices of unit quaternions (w, x, y, z), shape (n, 3, 3)."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def records(kind: str, positions: Array, quaternions: Array) -> Any:
    """Geom records in the poses, brought up to date."""
    geom = shape(kind)
    found = np.repeat(np.array([record_of(geom)]).reshape(-1).astype(GEOMS.dtype), len(positions))
    if kind != "plane":
        found["position"] = positions
        found["rotation"] = matrices(quaternions).reshape(-1, 9)
        _bound_all(int(CONTRACTS["bounds"][found["kind"][0]]), found.ctypes.data, found.itemsize, len(found))
    return found


@numba.njit
def _bound_all(function, first, size, count):  # type: ignore[no-untyped-def]
    for k in range(count):
        call_bounds(function, first + k * size)


@numba.njit
def _collide_all(function, first, second, size, count, limit, points, scratch):  # type: ignore[no-untyped-def]
    touching = 0
    for k in range(count):
        touching += call_pair(function, first + k * size, second + k * size, limit, points, scratch) > 0
    return touching


@numba.njit
def _collide_one(function, first, second, limit, points, scratch):  # type: ignore[no-untyped-def]
    return call_pair(function, first, second, limit, points, scratch)


def paired(one: str, other: str, batch: tuple[Array, Array, Array, Array]) -> tuple[int, Any, Any, float]:
    """The pair's function (0: there is none), both geoms' records in its order, and -1.0 if that is not the order given."""
    p1, q1, p2, q2 = batch
    first, second = records(one, p1, q1), records(other, p2, q2)
    kinds = int(first["kind"][0]), int(second["kind"][0])
    function = pair_address(*kinds)
    if function:
        return function, first, second, 1.0
    return pair_address(*kinds[::-1]), second, first, -1.0


def ours(one: str, other: str, batch: tuple[Array, Array, Array, Array]) -> Callable[[], int] | None:
    """Collides the batch and returns how many pairs touch; None: there is no collider for this pair."""
    function, first, second, _ = paired(one, other, batch)
    if not function:
        return None
    points, scratch = np.zeros(64, POINT), np.zeros(SCRATCH)

    def run() -> int:
        here, there, room = first.ctypes.data, second.ctypes.data, points.ctypes.data
        return _collide_all(function, here, there, first.itemsize, len(first), LIMIT, room, scratch.ctypes.data)

    return run


def measure(one: str, other: str, count: int, rounds: int, is_shallow: bool) -> str | None:
    """One line of the table."""
    batch = poses(one, other, count)
    if ours(one, other, batch) is None:
        return None
    batch = shallow(one, other, batch) if is_shallow else batch
    run = ours(one, other, batch)
    assert run is not None
    ways: dict[str, Callable[[], int]] = {"here": run}
    if ode_c.OdePeer.available()[0]:
        peer = OdeShapes()
        ways["ODE"] = peer.batch(shape(one), shape(other), batch, LIMIT)
    times: dict[str, list[float]] = {way: [] for way in ways}
    touching = {}
    for _ in range(rounds + 1):
        for way, collide in ways.items():
            start = time.perf_counter()
            touching[way] = collide()
            times[way].append(1e9 * (time.perf_counter() - start) / count)
    parts = [f"{one + '-' + other:<22}"]
    for way, values in times.items():
        parts.append(f"{spread(values[1:]):>26} {touching[way] / count:>5.0%}")
    if "ODE" in times:
        ratio = [a / b for a, b in zip(times["here"][1:], times["ODE"][1:], strict=True)]
        parts.append(f"{number(statistics.median(ratio)):>10} ({number(min(ratio))}-{number(max(ratio))})")
    return "".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairs", description=__doc__.splitlines()[0])
    parser.add_argument("pairs", nargs="*", metavar="PAIR", help="like box-trimesh, or one kind for all of its pairs")
    parser.add_argument("--count", type=int, default=10_000, help="pairs in a batch")
    parser.add_argument("--shallow", action="store_true", help="pairs that hardly overlap")
    parser.add_argument("--rounds", type=int, default=7, help="batches timed")
    options = parser.parse_args(arguments)
    for fact, value in machine().items():
        print(f"{fact + ':':<14}{value}")
    print(f"{'pair':<22}{'here, ns':>26} touch{'ODE, ns':>26} touch{'ratio':>10}")
    for one, other in combinations_with_replacement(KINDS, 2):
        asked = {f"{one}-{other}", f"{other}-{one}", one, other}
        if options.pairs and not asked & set(options.pairs):
            continue
        line = measure(one, other, options.count, options.rounds, options.shallow)
        if line is not None:
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
