"""Every reader of the library, with files that it reads and the ways in which these are changed."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import opendynamics as od
from opendynamics.io import build_scene, read_bench_scene
from opendynamics.io.bench_scene import BenchSceneError
from opendynamics.io.recorded_scene import RecordedSceneError, read_recorded_scene
from tests.robustness.mutations import change_bytes, change_json, change_text, either, in_gzip

ROOT = Path(__file__).parents[2]
SCENES, RECORDED = ROOT / "benchmarks" / "scenes", ROOT / "tests" / "data" / "trajectories"


@dataclass(frozen=True)
class Reader:
    """A reader: `originals()` gives (suffix, bytes) of sound files, `change(rng, bytes)` a mutation of one.

    `errors` are those that it may raise, `warns` the warnings that it may give, `packed` the sort of zlib streams that its
    files hold.
    """

    name: str
    originals: Callable
    change: Callable
    read: Callable
    errors: tuple
    warns: tuple = ()
    packed: int = 0


# -- benchmark scenes -------------------------------------------------------------------------------------------------

ALL_ITEMS = b"""# everything that a benchmark scene can hold
plane 0 0 1 0
hfield 5 0.5
trimesh 4 0.5
body sphere 0 0 1 1 0 0 0 10 0.1
body box 1 0 1 1 0 0 0 10 0.1 0.2 0.3
body capsule 2 0 1 1 0 0 0 10 0.1 0.4
nogeom_body 3 0 1 1 0 0 0 10 0.1
ball 0 1 0.5 0 1
hinge 1 2 1.5 0 1 0 1 0 -inf 1.0
universal 2 -1 2.5 0 1 1 0 0 0 1 0 -1 1 -1 1
"""


def bench_originals():
    ragdoll = b"\n".join(gzip.decompress((SCENES / "ragdoll20.txt.gz").read_bytes()).split(b"\n")[:12])
    return [(".txt", ALL_ITEMS), (".txt.gz", gzip.compress(ALL_ITEMS, mtime=0)), (".txt", ragdoll)]


def change_bench(rng, data):
    if data[:2] == b"\x1f\x8b":
        return in_gzip(change_text)(rng, data)
    return either(change_text, change_text, change_bytes)(rng, data)


def read_bench(path):
    world = od.World()
    try:
        build_scene(world, read_bench_scene(path))
    except BenchSceneError:
        assert not world.bodies and not world.geoms and not world.joints, "the world is not as it was"
        raise


# -- recorded scenes --------------------------------------------------------------------------------------------------


def recorded_originals():
    names = "forces", "pu_motor_into_stop", "quick_contact_approx1", "plane2d_motor", "contact_rolling_mu2"
    packed = [(RECORDED / f"{name}.json.gz").read_bytes() for name in names]
    found = [(".json.gz", gzip.compress(shortened(gzip.decompress(data)), mtime=0)) for data in packed]
    return [*found, (".json", gzip.decompress(found[0][1]))]


def shortened(data):
    """The first steps of a recorded scene."""
    recording = json.loads(data)
    recording["scene"]["world"]["steps"] = 3
    for body in recording["trajectory"]["bodies"]:
        for field, states in body.items():
            body[field] = states[:4]
    return json.dumps({word: recording[word] for word in ("scene", "trajectory")}).encode()


def change_recorded(rng, data):
    if data[:2] == b"\x1f\x8b":
        return in_gzip(change_json)(rng, data)
    return either(change_json, change_json, change_bytes)(rng, data)


def read_recorded(path):
    recorded = read_recorded_scene(path)
    if recorded.world.quickstep_iterations <= 100:
        for step in recorded.play():
            recorded.deviation(step)


ALL = [
    Reader("bench", bench_originals, change_bench, read_bench, (BenchSceneError,), packed=31),
    Reader(
        "recorded",
        recorded_originals,
        change_recorded,
        read_recorded,
        (RecordedSceneError,),
        warns=(od.FaultWarning,),
        packed=31,
    ),
]
READERS = {reader.name: reader for reader in ALL}
