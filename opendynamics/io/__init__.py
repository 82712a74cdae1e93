"""Reading and writing scenes: every file format the engine knows, one module each.

A format's own module turns text into a plain description and back; `build` makes worlds of descriptions. None of them
touches a world's arrays.
"""

from opendynamics.io.bench_scene import (
    BallItem,
    BenchScene,
    BenchSceneError,
    BodyItem,
    HingeItem,
    Plane,
    Terrain,
    UniversalItem,
    parse_bench_scene,
    read_bench_scene,
)
from opendynamics.io.build import build_scene
from opendynamics.io.dif import DifError, read_dif, write_dif
from opendynamics.io.recorded_scene import RecordedScene, RecordedSceneError, read_recorded_scene

__all__ = [
    "BallItem",
    "BenchScene",
    "BenchSceneError",
    "BodyItem",
    "DifError",
    "HingeItem",
    "Plane",
    "RecordedScene",
    "RecordedSceneError",
    "Terrain",
    "UniversalItem",
    "build_scene",
    "parse_bench_scene",
    "read_bench_scene",
    "read_dif",
    "read_recorded_scene",
    "write_dif",
]
