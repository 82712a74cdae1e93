"""Reading and writing scenes: the file formats of the engine, one module each.

The module of a format converts text to a plain description and back; `build` creates worlds from descriptions. None of them
accesses a world's arrays.
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
