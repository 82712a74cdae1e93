"""Rays a second against spaces of primitive shapes: ``python -m benchmarks.rays [--rays N]``.

A camera's rays (all from one point, close together) and rays that start anywhere, against a plane and N shapes of five
kinds; the best of some rounds. Checking the arrays and copying the results is included.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

import opendynamics as od
from benchmarks.run import machine, number


def shapes(count: int) -> od.Space:
    """A plane and shapes of five kinds, spread so that about a third of all rays meets one."""
    random = np.random.default_rng(0)
    spread = 3.0 * count ** (1 / 3)
    cube = 0.5 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    geoms: list[od.Geom] = [od.Plane((0, 0, 1), -spread)]
    for k in range(count):
        place = {"position": random.uniform(-0.5, 0.5, 3) * spread, "quaternion": random.normal(size=4)}
        make = (
            lambda place: od.Sphere(0.5, **place),
            lambda place: od.Box((1, 0.7, 0.5), **place),
            lambda place: od.Capsule(0.3, 0.8, **place),
            lambda place: od.Cylinder(0.4, 0.8, **place),
            lambda place: od.Convex.hull(cube, **place),
        )[k % 5]
        geoms.append(make(place))
    return od.TreeSpace(geoms)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rays", description=__doc__.splitlines()[0])
    parser.add_argument("--rays", type=int, default=200_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    for fact, value in machine().items():
        print(f"{fact + ':':<14}{value}")
    random = np.random.default_rng(1)
    side = int(options.rays**0.5)
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, side), np.linspace(-0.5, 0.5, side))
    for count in (10, 100, 300, 1000, 10_000):
        space = shapes(count)
        half = 1.5 * count ** (1 / 3)
        camera = np.array([0.0, -3.0 * half, 0.0]), np.stack([x, np.ones_like(x), y], axis=-1).reshape(-1, 3)
        anywhere = random.uniform(-half, half, (options.rays, 3)), random.normal(size=(options.rays, 3))
        for name, rays in (("camera", camera), ("anywhere", anywhere)):
            for label, ask in (("nearest", space.cast_rays), ("any", space.test_rays)):
                ask(*rays)
                best = np.inf
                for _ in range(options.repeat):
                    start = time.perf_counter()
                    found = ask(*rays)
                    best = min(best, time.perf_counter() - start)
                part = float(np.mean(found.hit if isinstance(found, od.RayHits) else found))
                speed = len(rays[1]) / best / 1e6
                print(f"{count:>7} shapes  {name:<9}{label:<9}{number(speed):>8} million rays/s, {part:.0%} meet one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
