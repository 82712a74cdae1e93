"""Recordings as CSV, NPZ and glTF, read back by independent readers."""

import csv
import json
import struct

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes
from opendynamics.io.recording.frame import EXPORTS

trimesh = pytest.importorskip("trimesh")

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


@pytest.fixture
def car(tmp_path):
    scene = scenes.build("car")
    with od.Recorder(
        scene.world,
        tmp_path / "car.odr",
        velocities=True,
        contacts=True,
        joint_forces=True,
        channels={"speed": lambda: 1.5, "pair": lambda: [1, 2]},
    ):
        for _ in scene.play(60):
            pass
    return od.Recording(tmp_path / "car.odr")


def test_csv(car, tmp_path):
    car[::20].to_csv(tmp_path / "car.csv")
    with open(tmp_path / "car.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 4 * len(car.bodies)
    assert list(lines[0]) == [
        "frame",
        "time",
        "body",
        "x",
        "y",
        "z",
        "qw",
        "qx",
        "qy",
        "qz",
        "vx",
        "vy",
        "vz",
        "wx",
        "wy",
        "wz",
    ]
    for line in lines:
        frame, body = car[int(line["frame"])], car.bodies.index(line["body"])
        assert float(line["time"]) == pytest.approx(frame.time)
        for words, values in (("xyz", frame.positions), (("qw", "qx", "qy", "qz"), frame.quaternions)):
            assert [float(line[word]) for word in words] == pytest.approx(values[body].tolist(), abs=1e-5)


def test_csv_of_series(car, tmp_path):
    car.to_csv(tmp_path / "series.csv", what="series")
    with open(tmp_path / "series.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 61
    assert [float(line["kinetic"]) for line in lines] == pytest.approx(car.series["kinetic"].tolist(), rel=1e-8)
    assert {(line["speed"], line["pair[0]"], line["pair[1]"]) for line in lines} == {("1.5", "1", "2")}
    with pytest.raises(ValueError, match="bodies or series, not 'everything'"):
        car.to_csv(tmp_path / "other.csv", what="everything")
    assert not (tmp_path / "other.csv").exists()


def test_npz(car, tmp_path):
    car.to_npz(tmp_path / "car.data")
    with np.load(tmp_path / "car.data") as arrays:
        assert arrays["bodies"].tolist() == list(car.bodies) and arrays["joints"].tolist() == list(car.joints)
        for name in ("times", "positions", "quaternions", "linear_velocities", "angular_velocities", "joint_forces"):
            assert np.array_equal(arrays[name], getattr(car, name), equal_nan=True)
        assert np.array_equal(arrays["kinetic"], car.series["kinetic"])
        assert arrays["channel_pair"].tolist() == [[1, 2]] * 61
        of_frame = arrays["contact_frame"] == 30
        assert np.array_equal(arrays["contact_forces"][of_frame], car.contacts(30).forces)
        assert np.array_equal(arrays["contact_bodies"][of_frame], car.contacts(30).bodies)


# -- glTF ------------------------------------------------------------------------------------------------------------


def read_glb(path):
    """The JSON and the buffer of a .glb, by the specification; and all accessors, checked against their bounds."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data)) and length % 4 == 0
    size, kind = struct.unpack_from("<II", data, 12)
    assert kind == 0x4E4F534A and size % 4 == 0
    document = json.loads(data[20 : 20 + size], parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    binary_size, binary_kind = struct.unpack_from("<II", data, 20 + size)
    assert binary_kind == 0x004E4942 and 28 + size + binary_size == length
    buffer = data[28 + size :]
    assert document["asset"]["version"] == "2.0" and document["buffers"][0]["byteLength"] <= binary_size
    arrays = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        dtype = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        width = WIDTHS[accessor["type"]]
        assert view["byteOffset"] % 4 == 0 and view["byteLength"] == 4 * width * accessor["count"]
        assert view["byteOffset"] + view["byteLength"] <= document["buffers"][0]["byteLength"]
        array = np.frombuffer(buffer, dtype, width * accessor["count"], view["byteOffset"]).reshape(-1, width)
        assert np.isfinite(array).all()
        if "min" in accessor:
            assert np.array_equal(np.float32(accessor["min"]), array.min(axis=0))
            assert np.array_equal(np.float32(accessor["max"]), array.max(axis=0))
        arrays.append(array)
    return document, arrays


def check(document, arrays):
    """The specification's requirements on meshes, nodes and animations."""
    for mesh in document.get("meshes", ()):
        for primitive in mesh["primitives"]:
            positions, normals = (arrays[primitive["attributes"][name]] for name in ("POSITION", "NORMAL"))
            assert "min" in document["accessors"][primitive["attributes"]["POSITION"]]
            assert len(positions) == len(normals) and np.abs(np.linalg.norm(normals, axis=1) - 1).max() < 1e-5
            faces = arrays[primitive["indices"]]
            assert len(faces) % 3 == 0 and faces.max() < len(positions)
            assert all(
                0 <= c <= 1
                for c in document["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorFactor"]
            )
    nodes, children = document["nodes"], [child for node in document["nodes"] for child in node.get("children", ())]
    assert len(children) == len(set(children)) == len(nodes) - 1  # a tree
    assert document["scenes"][document["scene"]]["nodes"] == [k for k in range(len(nodes)) if k not in children]
    for node in nodes:
        assert np.linalg.norm(node.get("rotation", [0, 0, 0, 1])) == pytest.approx(1, abs=1e-6)
    for animation in document.get("animations", ()):
        targets = [(channel["target"]["node"], channel["target"]["path"]) for channel in animation["channels"]]
        assert len(targets) == len(set(targets))
        for sampler in animation["samplers"]:
            times = arrays[sampler["input"]][:, 0]
            assert (np.diff(times) > 0).all() and times[0] == 0 and "max" in document["accessors"][sampler["input"]]
            assert len(arrays[sampler["output"]]) == len(times)


def tracks(document, arrays, name):
    """Key frames of a node by path."""
    (animation,) = document["animations"]
    number = next(k for k, node in enumerate(document["nodes"]) if node.get("name") == name)
    found = {}
    for channel in animation["channels"]:
        if channel["target"]["node"] == number:
            sampler = animation["samplers"][channel["sampler"]]
            found[channel["target"]["path"]] = arrays[sampler["input"]][:, 0], arrays[sampler["output"]]
    return found


def test_gltf_is_sound(car, tmp_path):
    car.to_gltf(tmp_path / "car.glb", fps=1000)
    document, arrays = read_glb(tmp_path / "car.glb")
    check(document, arrays)
    names = [node.get("name") for node in document["nodes"]]
    assert set(car.bodies) <= set(names) and "ground" in names
    # Wheels share one mesh's numbers; the six boxes another's.
    spheres = {tuple(p["attributes"]["POSITION"] for p in mesh["primitives"]) for mesh in document["meshes"]}
    assert len(spheres) == 3  # plane, box, sphere
    for name in car.bodies:
        body = car.bodies.index(name)
        moves = tracks(document, arrays, name)
        if "translation" in moves:
            assert moves["translation"][0] == pytest.approx(car.times, abs=1e-6)
            assert moves["translation"][1] == pytest.approx(car.positions[:, body], abs=1e-5)
        if "rotation" in moves:
            q = moves["rotation"][1][:, [3, 0, 1, 2]]
            assert (np.abs((q * car.quaternions[:, body]).sum(axis=1)) > 1 - 1e-6).all()
            assert ((q[1:] * q[:-1]).sum(axis=1) > 0).all()  # the short way round


def test_gltf_is_read_by_trimesh(car, tmp_path):
    car.to_gltf(tmp_path / "car.glb")
    scene = trimesh.load(tmp_path / "car.glb")
    world = car.world(0)
    solid = {
        "Sphere": lambda g: 4 / 3 * np.pi * g.radius**3,
        "Box": lambda g: np.prod(g.lengths),
        "Cylinder": lambda g: np.pi * g.radius**2 * g.length,
    }
    expected = sum(solid[type(geom).__name__](geom) for geom in world.geoms if geom.shape != "plane")
    whole = trimesh.util.concatenate(
        [part for part in scene.dump() if part.extents.max() < 10]  # all but the ground
    )
    assert whole.volume == pytest.approx(expected, rel=0.03)
    # z is up here, y there.
    points = np.array([geom.aabb for geom in world.geoms if geom.shape != "plane"])
    assert whole.bounds[1][1] == pytest.approx(points[:, 5].max(), abs=1e-3)
    assert whole.bounds[:, 0] == pytest.approx([points[:, 0].min(), points[:, 1].max()], abs=5e-3)


def test_gltf_has_as_many_frames_as_were_wanted(car, tmp_path):
    for fps, most in ((30, 0.6 * 30 + 2), (5, 5)):
        car.to_gltf(tmp_path / "car.glb", fps=fps)
        document, arrays = read_glb(tmp_path / "car.glb")
        check(document, arrays)
        times, _ = tracks(document, arrays, "rear left wheel")["rotation"]
        assert 3 <= len(times) <= most and times[-1] == pytest.approx(0.6 if fps == 30 else times[-1])
    with pytest.raises(ValueError, match="frames a second of a glTF file"):
        car.to_gltf(tmp_path / "car.glb", fps=0)


def test_gltf_of_what_comes_and_goes(tmp_path):
    world = od.World(gravity=(0, 0, -9.81))
    first = world.add_body(od.Sphere(0.2, name="ball"), position=(0, 0, 1), name="first")
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.1, steps=2)
        world.add_body(od.Box((0.1, 0.2, 0.3), name="box"), position=(1, 0, 1), name="second")
        world.advance(0.1, steps=2)
        first.geoms[0].radius = 0.4
        world.advance(0.1, steps=2)
        first.geoms[0].destroy()
        first.destroy()
        world.advance(0.1, steps=2)
    od.Recording(tmp_path / "run.odr").to_gltf(tmp_path / "run.glb", fps=100)
    document, arrays = read_glb(tmp_path / "run.glb")
    check(document, arrays)
    for name, there in (("first", [1] * 7 + [0] * 2), ("second", [0] * 3 + [1] * 6)):
        assert tracks(document, arrays, name)["scale"][1][:, 0].tolist() == there
    balls = [k for k, node in enumerate(document["nodes"]) if node.get("name") == "ball"]
    (animation,) = document["animations"]
    sizes = np.zeros(9)
    for channel in animation["channels"]:
        if channel["target"]["node"] in balls:
            assert animation["samplers"][channel["sampler"]]["interpolation"] == "STEP"
            sizes += arrays[animation["samplers"][channel["sampler"]]["output"]][:, 0]
    assert sizes == pytest.approx([0.2] * 5 + [0.4] * 2 + [0, 0])


def test_gltf_of_nothing(tmp_path):
    with od.Recorder(od.World(), tmp_path / "run.odr"):
        pass
    od.Recording(tmp_path / "run.odr").to_gltf(tmp_path / "run.glb")
    data = (tmp_path / "run.glb").read_bytes()
    assert struct.unpack_from("<4sII", data) == (b"glTF", 2, len(data))
    assert len(json.loads(data[20:])["nodes"]) == 1


@pytest.mark.parametrize("kind", ["csv", "npz", "gltf"])
def test_exports_say_how_far_they_are(car, tmp_path, kind):
    shares = []
    EXPORTS[kind].export(car[::20], tmp_path / f"car.{kind}", shares.append)
    assert len(shares) > 2 and shares[0] == 0.0
    assert np.allclose(shares, np.arange(len(shares)) / len(shares))
