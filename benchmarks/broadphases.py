"""Times every broadphase, and ODE's spaces for comparison, on the boxes of moving scenes.

``python -m benchmarks.broadphases [--scenes NAME ...]``: a scene is run once and the geoms' boxes of every step are
kept. All broadphases are then given the same boxes step by step, in turns, each with tables of its own. ODE gets
boxes of the same size in the same places; it may find a few pairs more or less, because boxes that just touch are
rounded there. Prints the median and the mean time per step, and the ratio of the median to that of ``hash``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

import opendynamics as od
from benchmarks.peers import ode_c
from benchmarks.run import SCENES, machine, number, scene_of
from opendynamics.api import reading
from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS, PAIRS
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.store import Store
from opendynamics.core.compile.loading import load_entry
from opendynamics.core.families import BROADPHASES
from opendynamics.io import build_scene

Boxes = NDArray[np.float64]
RECORDED = ("ragdoll20", "wall20", "heap200", "heap1000", "heap4000")
MADE = ("sizes2000", "cube10000", "slab10000", "slab100000")


def recorded(name: str, folder: Path, settle: int, steps: int) -> Iterator[Any]:
    """The geoms' records of a benchmark scene after each of some steps."""
    world = od.World()
    build_scene(world, scene_of(name, folder))
    world.solver, world.quickstep_order = "pgs", "ode"
    world.advance(0.01, settle)
    for _ in range(steps):
        world.advance(0.01)
        rows = reading.used_rows(world, GEOM_ORDER)
        yield reading.table_of(world, GEOMS)[rows].copy()


def made(name: str, steps: int) -> Iterator[Any]:
    """Geoms that fly straight: `sizesN` of sizes over four decades, `cubeN` and `slabN` balls of one size."""
    kind, count = name.rstrip("0123456789"), int(name.lstrip("abceilsuz"))
    random = np.random.default_rng(1)
    half = np.full((count, 1), 0.5)
    spread = np.full(3, 1.6 * count ** (1 / 3))
    if kind == "sizes":
        half = 10 ** random.uniform(-2, 2, (count, 1))
        spread = np.full(3, 200.0 * count ** (1 / 3))
    elif kind == "slab":
        spread = np.array([1.6 * count**0.5, 1.6 * count**0.5, 2.0])
    centre = random.uniform(-0.5, 0.5, (count, 3)) * spread
    velocity = random.normal(0.0, 1.0, (count, 3))
    records = np.zeros(count, GEOMS.dtype)
    records["flags"], records["category"], records["collide"] = 3, 1, 1
    for _ in range(steps):
        centre += 0.01 * velocity
        records["bounds"][:, 0::2], records["bounds"][:, 1::2] = centre - half, centre + half
        yield records.copy()


def ours(name: str, first: Any) -> Callable[[Any], tuple[float, int]]:
    """One step of a broadphase: the seconds it takes, and how many pairs it finds."""
    store = Store()
    member = BROADPHASES[name]
    parameters = getattr(member, "PARAMETERS", ())
    if name == "quad_tree":
        bounds = first["bounds"][np.isfinite(first["bounds"]).all(axis=1)]
        low, high = bounds[:, 0::2].min(axis=0), bounds[:, 1::2].max(axis=0)
        parameters = (*(low + high) / 2, *(high - low) / 2, 6)
    store[CHOICES]["parameters"][0, : len(parameters)] = parameters
    load_entry(member.find_pairs)
    store.use(GEOMS, len(first))
    store.use(GEOM_ORDER, len(first))
    store[GEOM_ORDER][: len(first)] = np.arange(len(first))

    def run(records: Any) -> tuple[float, int]:
        store[GEOMS][: len(first)] = records
        seconds = 0.0
        while True:
            start = time.perf_counter()
            done = member.find_pairs(store.tables)
            seconds = time.perf_counter() - start
            if done:
                return seconds, store.used(PAIRS)
            store.make_missing_room()

    return run


@numba.cfunc(types.void(types.CPointer(types.int64), types.int64, types.int64))
def _count(data, geom1, geom2):  # type: ignore[no-untyped-def]
    data[0] += 1


def ode(kind: str, first: Any) -> Callable[[Any], tuple[float, int]]:
    """The same with one of ODE's spaces. Boxes without bounds are planes."""
    lib, _ = ode_c.loaded_library()
    space = lib.dHashSpaceCreate(0) if kind == "hash" else lib.dSweepAndPruneSpaceCreate(0, 36)
    lib.dGeomBoxSetLengths.argtypes = lib.dGeomSetPosition.argtypes
    bodies = {}
    world = lib.dWorldCreate()
    geoms = []
    for record in first[::-1]:
        if np.isfinite(record["bounds"]).all():
            geom = lib.dCreateBox(space, 1.0, 1.0, 1.0)
        else:
            geom = lib.dCreatePlane(space, *record["size"])
        geoms.insert(0, geom)
        if record["owner"]:
            body = bodies.setdefault(int(record["owner"]), lib.dBodyCreate(world))
            lib.dGeomSetBody(geom, body)
            lib.dGeomSetOffsetPosition.argtypes = lib.dGeomSetPosition.argtypes
            lib.dGeomSetOffsetPosition(geom, 0.0, 0.0, 0.0)
    pairs = np.zeros(1, np.int64)

    def run(records: Any) -> tuple[float, int]:
        for record, geom in zip(records, geoms, strict=True):
            bounds = record["bounds"]
            if np.isfinite(bounds).all():
                lib.dGeomBoxSetLengths(geom, *(bounds[1::2] - bounds[0::2]).tolist())
                place = ((bounds[1::2] + bounds[0::2]) / 2).tolist()
                (lib.dGeomSetOffsetPosition if record["owner"] else lib.dGeomSetPosition)(geom, *place)
        pairs[0] = 0
        start = time.perf_counter()
        lib.dSpaceCollide(space, pairs.ctypes.data, _count.address)
        return time.perf_counter() - start, int(pairs[0])

    return run


def measure(name: str, frames: Sequence[Any], runs: dict[str, Callable[[Any], tuple[float, int]]]) -> None:
    """Show all frames to everyone in turns; print a line each."""
    times: dict[str, list[float]] = {broadphase: [] for broadphase in runs}
    found = {}
    for records in frames:
        for broadphase, run in runs.items():
            seconds, found[broadphase] = run(records)
            times[broadphase].append(seconds)
    half = len(frames) // 4  # the first ones make room and build
    middle = {broadphase: float(np.median(values[half:])) for broadphase, values in times.items()}
    base = middle["hash"]
    print(f"{name:<12}{len(frames[0]):>7} geoms {found['hash']:>7} pairs")
    for broadphase, value in middle.items():
        note = "" if found[broadphase] == found["hash"] else f"  {found[broadphase]} pairs"
        mean = float(np.mean(times[broadphase][half:]))
        print(
            f"    {broadphase:<18}{number(1e6 * value):>10} us{number(1e6 * mean):>10} us mean{value / base:>9.2f}{note}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.broadphases", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", nargs="+", default=[*RECORDED, *MADE])
    parser.add_argument("--scene-dir", type=Path, default=SCENES)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--settle", type=int, default=100)
    options = parser.parse_args(arguments)
    for fact, value in machine().items():
        print(f"{fact + ':':<14}{value}")
    for name in options.scenes:
        try:
            known = name in RECORDED
            steps = (
                recorded(name, options.scene_dir, options.settle, options.steps) if known else made(name, options.steps)
            )
            frames = list(steps)
        except FileNotFoundError as error:
            print(error)
            continue
        members = [member for member in BROADPHASES.names if member != "simple" or len(frames[0]) < 5000]
        runs = {member: ours(member, frames[0]) for member in sorted(members, key=lambda member: member != "hash")}
        if ode_c.OdePeer.available()[0] and len(frames[0]) <= 20_000:
            runs |= {"ODE hash": ode("hash", frames[0]), "ODE SAP": ode("sap", frames[0])}
        measure(name, frames, runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
