"""Seconds of processor time a picture: ``python -m benchmarks.pictures [SCENE ...] [--size WxH] [--repeat N]``.

Registered scenes at the moment that is worth a picture, by one thread, in the qualities of `opendynamics render`; the best
of some rounds, in which scenes and qualities take turns. Loading kernels is not included; what Python does is.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

import opendynamics as od
from benchmarks.run import machine, number
from opendynamics import scenes
from opendynamics.viewer.pictures.renderer import QUALITY, effort_of

SCENES = ("wall", "bridge", "dominoes", "terrain")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", default=SCENES, metavar="SCENE")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args(arguments)
    size = tuple(int(side) for side in options.size.split("x"))
    for fact, value in machine().items():
        print(f"{fact + ':':<14}{value}")
    cases = []
    for name in options.scenes:
        scene = scenes.build(name)
        scene.run(max(1, round(scene.moment / scene.h)))
        camera = od.Camera(scene.camera, scene.target)
        for quality in QUALITY:
            settings = {**effort_of(quality), "threads": 1}
            od.Renderer(scene.world, (32, 18), **settings).render(camera)  # loads the modules needed
            cases.append((name, quality, od.Renderer(scene.world, size, **settings), camera))
    best = np.full(len(cases), np.inf)
    for _ in range(options.repeat):
        for k, (_, _, renderer, camera) in enumerate(cases):
            start = time.process_time()
            renderer.render(camera)
            best[k] = min(best[k], time.process_time() - start)
    for (name, quality, _, _), seconds in zip(cases, best.tolist(), strict=True):
        print(f"{name:<12}{quality:<8}{number(seconds):>8} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
