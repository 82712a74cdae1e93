"""The cost of a speculative margin: ``python -m benchmarks.margin [--bodies N]``.

Bodies fall onto a plane or a heightfield and form a pile. Worlds without a margin, with one of 0.02 m and with "auto" take
turns, five steps each. Prints the medians of the ratios to the world without a margin, for three stretches of the run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

import opendynamics as od
from benchmarks.run import machine

SHAPES = {
    "boxes": lambda: od.Box((0.4, 0.3, 0.2)),
    "spheres": lambda: od.Sphere(0.18),
    "capsules": lambda: od.Capsule(0.12, 0.3),
    "cylinders": lambda: od.Cylinder(0.15, 0.3),
}
MARGINS = (0.0, 0.02, "auto")
STRETCHES = {"falling": 8, "a pile forms": 12, "at rest": 12}  # turns


def pile(count: int, kinds: Sequence[str], ground: str, margin: float | str) -> od.World:
    """A world with `count` bodies in layers of 7 by 7 above the ground."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.5), solver="pgs")
    world.speculative_margin = margin
    if ground == "plane":
        world.add_plane()
    else:
        wave = np.linspace(-9, 9, 61)
        heights = 0.2 * np.outer(np.sin(wave), np.cos(wave))
        world.add_geom(od.Heightfield(od.HeightfieldData(heights, width=12, depth=12), up="z"))
    random = np.random.default_rng(1)
    for k in range(count):
        quaternion = random.normal(size=4)
        place = (0.5 * (k % 7) - 1.75, 0.5 * (k // 7 % 7) - 1.75, 0.8 + 0.5 * (k // 49))
        shape = SHAPES[kinds[k % len(kinds)]]()
        world.add_body(shape, position=place, quaternion=quaternion / np.linalg.norm(quaternion), density=1000)
    return world


def ratios(worlds: Sequence[od.World], turns: int) -> list[float]:
    """Median of each world's time by that of the first, over some turns."""
    seconds = np.empty((turns, len(worlds)))
    for turn in range(turns):
        for k, world in enumerate(worlds):
            start = time.perf_counter()
            world.advance(1 / 60, steps=5)
            seconds[turn, k] = time.perf_counter() - start
    return np.median(seconds / seconds[:, :1], axis=0).tolist()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.margin", description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", type=int, default=150)
    options = parser.parse_args(arguments)
    for fact, value in machine().items():
        print(f"{fact + ':':<14}{value}")
    for ground in ("plane", "heightfield"):
        for kinds in (*([kind] for kind in SHAPES), list(SHAPES)):
            worlds = [pile(options.bodies, kinds, ground, margin) for margin in MARGINS]
            for world in worlds:
                world.advance(1 / 60, steps=2)
            print(f"{' + '.join(kinds)} on a {ground}:")
            for stretch, turns in STRETCHES.items():
                found = ratios(worlds, turns)
                print(f"  {stretch:<14}" + "   ".join(f"{m} x{r:.2f}" for m, r in zip(MARGINS, found, strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
