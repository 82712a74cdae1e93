"""Every reader of the library, with files that it reads and the mutations applied to them."""

import atexit
import base64
import functools
import gzip
import io
import json
import re
import shutil
import struct
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import opendynamics as od
from opendynamics import robot
from opendynamics.api.geoms.mesh_files import MeshFileError
from opendynamics.api.saving.snapshot import SnapshotError
from opendynamics.cli.commands.info import recording_facts
from opendynamics.io import build_scene, read_bench_scene
from opendynamics.io.bench_scene import BenchSceneError
from opendynamics.io.dif import DifError, read_dif, write_dif
from opendynamics.io.recorded_scene import RecordedSceneError, read_recorded_scene
from opendynamics.io.recording.chunks import RecordingError
from opendynamics.io.recording.frame import EXPORTS
from opendynamics.io.recording.playback import playback
from opendynamics.robot.projects.archive import same
from opendynamics.robot.reading.yaml_tree import parse_yaml
from opendynamics.viewer.plotting import find, plot_words
from tests.robustness.mutations import change_bytes, change_json, change_text, either, flip_bits, in_gzip, overwrite
from tests.robustness.recordings import change_recording

ROOT = Path(__file__).parents[2]
SCENES, RECORDED = ROOT / "benchmarks" / "scenes", ROOT / "tests" / "data" / "trajectories"


@dataclass(frozen=True)
class Reader:
    """A reader: `originals()` gives (suffix, bytes) of sound files, `change(rng, bytes)` a mutation of one.

    `errors` are those that it may raise, `warns` the warnings that it may give, `packed` the sort of zlib streams that its
    files hold. A checksum over the whole file makes it `sealed`.
    """

    name: str
    originals: Callable
    change: Callable
    read: Callable
    errors: tuple
    warns: tuple = ()
    packed: int = 0
    sealed: bool = False


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


# -- recordings -------------------------------------------------------------------------------------------------------


@functools.cache
def recording_originals():
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "rich.odr", Path(folder) / "plain.odr"]
        record_much(paths[0])
        world = od.World(gravity=(0, 0, -9.81))
        world.add_plane()
        world.add_body(od.Sphere(0.1), position=(0, 0, 0.2))
        with od.Recorder(world, paths[1], snapshots=0.04):
            world.advance(0.01, steps=10)
        return [(".odr", path.read_bytes()) for path in paths]


def record_much(path):
    """A recording with everything that one can hold: sorts of geoms and joints, bodies that come and go, some spans."""
    world = od.World(gravity=(0, 0, -9.81), name="much")
    world.add_plane()
    block = od.MeshData([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    world.add_geom(od.Trimesh(block, position=(5, 0, 0)))
    world.add_geom(od.Heightfield([[0.0, 0.1], [0.2, 0.0]], width=4, depth=4, thickness=1, up="z", position=(-5, 0, 0)))
    points = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    shapes = [
        od.Sphere(0.1),
        od.Box((0.2, 0.2, 0.2)),
        od.Capsule(0.1, 0.2),
        od.Convex.hull(points),
        od.Cylinder(0.1, 0.2),
    ]
    bodies = [world.add_body(shape, position=(0.5 * k, 0, 0.15)) for k, shape in enumerate(shapes)]
    hinge = world.add_hinge(bodies[0], bodies[1], anchor=(0.25, 0, 0.15), axis=(0, 1, 0), stops=(-1, 1), name="hinge")
    world.add_slider(bodies[2], None, axis=(0, 0, 1))
    everything = {"velocities": True, "contacts": True, "joint_forces": True}
    channels = {"angle": lambda: hinge.angle, "at": lambda: bodies[0].position}
    with od.Recorder(
        world, path, channels=channels, about={"note": "much", "camera": [1, 2, 3]}, **everything
    ) as recorder:
        world.advance(0.01, steps=12)
        bodies[3].destroy()
        world.add_body(od.Sphere(0.05), position=(0, 2, 1), angular_velocity=(9, 8, 7), name="late")
        world.advance(0.01, steps=6)
        recorder.flush()
        world.advance(0.01, steps=5)


def read_recording(path):
    """All queries that a recording offers."""
    with od.Recording(path) as recording:
        repr(recording)
        recording_facts(recording)
        if not len(recording):
            return
        for _ in recording.times, recording.series, recording.channels, recording.bodies, recording.joints:
            pass
        for number in sorted({0, len(recording) // 2, len(recording) - 1}):
            frame = recording[number]
            for _ in frame.states, frame.enabled, frame.present:
                pass
            if recording.header["contacts"]:
                repr(frame.contacts)
            if recording.header["joint_forces"]:
                repr(frame.joint_forces)
            recording.show(number)
        for name in ("a.csv", "a.npz", "a.glb"):
            EXPORTS[{"csv": "csv", "npz": "npz", "glb": "gltf"}[name[2:]]].export(recording, path.parent / name)
        for word in plot_words(recording)[:40]:
            if not word.startswith("stages") and ("velocity" not in word or recording.header["velocities"]):
                find(recording, word)
        playback(recording)
        for time in recording.snapshot_times[:2]:
            recording.resume(time)


# -- exported worlds ----------------------------------------------------------------------------------------------------


def dif_originals():
    world = od.World(gravity=(0, 0, -9.81), like="ode")
    world.add_plane()
    points = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    mesh = od.MeshData([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    world.add_geom(od.Heightfield([[0.0, 0.1], [0.2, 0.0]], width=4, depth=4, thickness=1))
    shapes = od.Convex.hull(points), od.Ray(1), od.GeomTransform(od.Box((1, 1, 1))), od.Trimesh(mesh)
    bodies = [
        world.add_body(shape, position=(k, 0, 1), mass=od.Mass.sphere(1, mass=1)) for k, shape in enumerate(shapes)
    ]
    world.add_hinge(bodies[0], bodies[1], axis=(0, 1, 0)).servo(0.1, stiffness=1.0)
    for kind in ("hinge2", "universal", "pu", "amotor", "transmission", "dball"):
        getattr(world, f"add_{kind}")(bodies[1], bodies[2])
    world.add_contact(od.Contact((0, 0, 0), (0, 0, 1), 0.1), od.Surface(0.5, bounce=0.1), bodies[3])
    file = io.StringIO()
    write_dif(world, file, "a_")
    odes = gzip.decompress((ROOT / "tests" / "data" / "dif" / "libode.dif.gz").read_bytes())
    return [(".dif", file.getvalue().encode()), (".dif", odes), (".dif.gz", gzip.compress(odes, mtime=0))]


# -- snapshots --------------------------------------------------------------------------------------------------------


def snapshot_originals():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    bodies = [world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * k)) for k in range(3)]
    world.add_hinge(bodies[2], None, anchor=(0, 0, 0.6), axis=(0, 1, 0))
    world.advance(0.01, steps=3)
    return [(".snapshot", world.save().to_bytes())]


# -- projects of Choreonoid -------------------------------------------------------------------------------------------

MODELS = ROOT / "tests" / "data" / "models"


def project_originals():
    with tarfile.open(ROOT / "tests" / "data" / "projects" / "projects.tar.xz") as archive:
        names = "CustomizedSpringModel", "ClosedLinkSample", "extra/Ball", "extra/ConveyorSample"
        return [(".cnoid", archive.extractfile(f"projects/{name}.cnoid").read()) for name in names]


@functools.cache
def share():
    """A folder with the models and the table of materials that the projects name."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    with tarfile.open(ROOT / "tests" / "data" / "projects" / "projects.tar.xz") as archive:
        archive.extract("share/default/materials.yaml", folder, filter="data")
    (folder / "share" / "model").symlink_to(MODELS)
    return folder / "share"


def read_project(path):
    """Everything that can be done with a project, but for running it for long."""
    project = robot.load_project(path, variables={"SHARE": share()}, roots=[MODELS])
    again = parse_yaml(project.text(), path, robot.Limits())
    assert same(project.root, again), "the project is not written back as it was"
    sim = project.build()
    assert sim.settings == project.simulator_item().settings
    project.simulator_item().settings = sim.settings
    robot.SimulatorSettings.restored(project.simulator_item().data)


# -- mesh files -------------------------------------------------------------------------------------------------------

MESHES = ("obj", "stl", "ply", "off", "glb", "gltf", "dae") if find_spec("trimesh") and find_spec("collada") else ()


def mesh_originals(kind):
    """A block and a wedge, in each of the forms that a format has."""
    import trimesh

    block = trimesh.creation.box((1.0, 2.0, 3.0))
    if kind == "gltf":
        files = trimesh.Scene(block).export(file_type="gltf", merge_buffers=True)
        document = json.loads(files["model.gltf"])
        for buffer in document["buffers"]:
            buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(files[buffer["uri"]]).decode()
        return [(".gltf", json.dumps(document).encode())]
    forms = {"stl": ("stl", "stl_ascii"), "glb": ("glb",)}.get(kind, (kind,))
    found = [block.export(file_type=form) for form in forms]
    if kind == "ply":
        found.append(block.export(file_type="ply", encoding="ascii"))
    return [(f".{kind}", data.encode() if isinstance(data, str) else data) for data in found]


def change_mesh(rng, data):
    if data[:4] == b"glTF":
        return change_glb(rng, data)
    if data[:1] == b"{":
        return either(change_json, change_json, change_bytes)(rng, data)
    if b"<COLLADA" in data and rng.random() < 0.1:
        return endless_collada(rng, data)
    texts = (change_text, change_text) if data.isascii() else (change_head,)
    return either(*texts, change_bytes)(rng, data)


def change_head(rng, data):
    """A change of the first bytes, where binary files have their counts."""
    length = rng.choice((12, 84, 400))
    return either(change_text, overwrite, flip_bits)(rng, data[:length]) + data[length:]


def change_glb(rng, data):
    if rng.random() < 0.3:
        return change_bytes(rng, data)
    (length,) = struct.unpack_from("<I", data, 12)
    text = change_json(rng, data[20 : 20 + length])
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    return struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest


def endless_collada(rng, data):
    """Nodes that show one another twice, and entities that do the same."""
    depth = rng.choice((3, 20, 40))
    if rng.random() < 0.5:
        entities = "".join(f'<!ENTITY e{k} "&e{k + 1};&e{k + 1};">' for k in range(depth))
        head, _, rest = data.partition(b"<COLLADA")
        named = re.sub(rb"<unit[^>]*>", rb"<title>&e0;</title>", b"<COLLADA" + rest)
        return head + f'<!DOCTYPE a [{entities}<!ENTITY e{depth} "lol">]>'.encode() + named
    twice = '<instance_node url="#n{0}"/>' * 2
    nodes = "".join(f'<node id="n{k}">{twice.format(k + 1)}</node>' for k in range(depth))
    shown = re.search(rb"<instance_geometry.*?</instance_geometry>", data, re.DOTALL)
    nodes += f'<node id="n{depth}">'.encode().decode() + (shown[0].decode() if shown else "") + "</node>"
    library = f"<library_nodes>{nodes}</library_nodes>".encode()
    where = data.index(b"<library_visual_scenes")
    data = data[:where] + library + data[where:]
    return data.replace(b"</visual_scene>", b'<node id="top"><instance_node url="#n0"/></node></visual_scene>')


ALL = [
    Reader("bench", bench_originals, change_bench, read_bench, (BenchSceneError,), warns=(od.UnitsWarning,), packed=31),
    Reader("dif", dif_originals, change_bench, read_dif, (DifError,), warns=(UserWarning,), packed=31),
    Reader(
        "recorded",
        recorded_originals,
        change_recorded,
        read_recorded,
        (RecordedSceneError,),
        warns=(od.FaultWarning, UserWarning),  # an ERP of 14 makes no sense, but may be played
        packed=31,
    ),
    Reader(
        "recording",
        recording_originals,
        change_recording,
        read_recording,
        (RecordingError,),
        warns=(od.RecordingWarning,),
        packed=15,
    ),
]
ALL.append(Reader("snapshot", snapshot_originals, change_bytes, od.World.load, (SnapshotError,), sealed=True))
ALL += [
    Reader(f"mesh {kind}", partial(mesh_originals, kind), change_mesh, od.MeshData.load, (MeshFileError,))
    for kind in MESHES
]
if find_spec("yaml"):
    change_project = either(change_text, change_text, change_bytes)
    errors, warns = (robot.ModelError,), (robot.ModelWarning,)
    ALL.append(Reader("project", project_originals, change_project, read_project, errors, warns))
READERS = {reader.name: reader for reader in ALL}
