"""A World from a recording: the same shapes, bodies and joints, as they appear and disappear."""

import numpy as np
import pytest
from numba import njit

import opendynamics as od
from opendynamics.api.joint_methods import FAMILY, joint_class
from opendynamics.scenes import SCENES, build

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
TETRAHEDRON = (
    np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float),
    [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)],
)


@njit
def egg(parameters, direction):
    x, y, z = parameters[0] * direction[0], parameters[0] * direction[1], parameters[1] * direction[2]
    length = max((x * x + y * y + z * z) ** 0.5, 1e-300)
    return parameters[0] * x / length, parameters[0] * y / length, parameters[1] * z / length


def record(world, path, change=lambda: None, frames=2, **options):
    with od.Recorder(world, path, every=0, **options) as recorder:
        for _ in range(frames - 1):
            change()
            recorder.capture()
    return od.Recording(path)


def same_geom(one, other):
    assert one.name == other.name
    # A body's place is kept to 1e-5 m and its turn to 1e-4 rad, at the end of an arm of some decimetres.
    for place, error in (("position", 4e-5), ("rotation", 1e-4)):  # of what a transform holds, not of the transform
        assert np.abs(one._fresh[place] - other._fresh[place]).max() < error
    kinds = one._record["kind"], other._record["kind"]
    assert kinds[0] == kinds[1]
    if one.shape != "ray":
        assert one._record["size"].tolist() == other._record["size"].tolist()
    assert np.isclose(one.aabb, other.aabb, atol=2e-4).all()
    assert one.enabled == other.enabled


def every_shape():
    """A world with each class of geoms, on bodies and without."""
    world = od.World(gravity=(0, 0, -9.81))
    points, triangles = TETRAHEDRON
    mesh = od.MeshData(points, triangles)
    heights = od.HeightfieldData(np.arange(12.0).reshape(3, 4), 3.0, 2.0, scale=0.1, thickness=0.5)
    tilted = (0.9, 0.1, 0.2, 0.3)
    world.add_plane(normal=(0, 1, 2), d=-1.5, name="slope")
    for k, geom in enumerate(
        (
            *(od.Sphere(0.3), od.Box((1, 2, 3)), od.Capsule(0.2, 0.7), od.Cylinder(0.4, 0.9), od.Ray(2.5)),
            *(od.Convex(points, triangles), od.Trimesh(mesh), od.Heightfield(heights, up="z")),
        )
    ):
        geom.name = f"fixed {geom.shape}"
        geom.position = (k, 1, 2)
        world.add_geom(geom)
    for k, geom in enumerate((od.Sphere(0.1), od.Box((0.1, 0.2, 0.3)), od.Trimesh(mesh), od.Convex.hull(points))):
        geom.name = f"moving {geom.shape}"
        body = world.add_body(position=(k, 5, 2), quaternion=tilted, mass=1 + k, name=f"body {k}")
        geom.body = body
        geom.offset_position, geom.offset_quaternion = (0.1, 0.2, 0.3), tilted
        world.space.add(geom)
    world.add_geom(od.GeomTransform(od.Box((1, 1, 2), position=(0, 0, 1)), position=(9, 9, 9), name="transform"))
    world.geoms[2].enabled = False
    return world


def test_every_shape(tmp_path):
    world = every_shape()
    recording = record(world, tmp_path / "run.odr")
    shown = recording.world()
    assert [geom.name for geom in shown.geoms] == [geom.name for geom in world.geoms]
    for one, other in zip(world.geoms, shown.geoms, strict=True):
        same_geom(one, other)
    fixed, moving = (next(geom for geom in shown.geoms if geom.name == f"{how} trimesh") for how in ("fixed", "moving"))
    assert fixed.mesh is moving.mesh  # kept once, shared again
    assert np.array_equal(fixed.mesh.vertices, TETRAHEDRON[0])
    field = next(geom for geom in shown.geoms if geom.shape == "heightfield")
    assert np.array_equal(field.field.heights, 0.1 * np.arange(12.0).reshape(3, 4))
    assert [body.mass for body in shown.bodies] == [body.mass for body in world.bodies]
    # A ray hits the same geoms.
    for hits in zip(
        *(w.space.cast_rays([(6.2, 1.2, 9)] * 2, [(0, 0, -1)] * 2).distance for w in (world, shown)), strict=True
    ):
        assert hits[0] == pytest.approx(hits[1], abs=1e-4)


def test_data_is_kept_once(tmp_path):
    points = np.random.default_rng(1).normal(size=(3000, 3))
    triangles = np.arange(3000).reshape(-1, 3)
    sizes = []
    for count in (1, 20):
        world, mesh = od.World(), od.MeshData(points, triangles)
        for k in range(count):
            world.add_geom(od.Trimesh(mesh, position=(k, 0, 0)))
        record(world, tmp_path / f"{count}.odr")
        sizes.append((tmp_path / f"{count}.odr").stat().st_size)
    assert sizes[0] > 60_000 and sizes[1] < 1.1 * sizes[0]


def test_classes_of_ones_own(tmp_path):
    world = od.World()
    eggs = od.SupportClass("egg", egg)
    blobs = od.GeomClass("blob", bounds=lambda g: (1, 2, 3, 5, 7, 10), collider=lambda a, b, n: [])
    world.add_geom(eggs((0.2, 0.5), radius=0.1, position=(1, 2, 3), name="the egg"))
    world.add_geom(blobs(name="the blob"))
    shown = record(world, tmp_path / "run.odr").world()
    hull, box = shown.geoms
    assert isinstance(hull, od.Convex) and hull.name == "the egg"
    assert hull.aabb == pytest.approx(world.geoms[0].aabb, abs=0.02)
    assert isinstance(box, od.Box) and box.aabb.tolist() == [1, 2, 3, 5, 7, 10]


@pytest.mark.parametrize("kind", [name for name in FAMILY.names if joint_class(name) and name not in ("contact",)])
def test_every_joint(tmp_path, kind):
    world = od.World(gravity=(0, 0, -9.81))
    one = world.add_body(position=(0, 0, 1), mass=1, angular_velocity=(0.1, 0.2, 0.3), name="one")
    two = world.add_body(position=(1, 0.2, 1), mass=2, name="two")
    joint = joint_class(kind)(world, one, None if kind == "plane2d" else two, name="it")
    for word, place in (("anchor", (0.5, 0, 1)), ("axis", (0.1, 1, 0)), ("stops", (-0.5, 1.0))):
        if isinstance(getattr(type(joint), word, None), property) and getattr(type(joint), word).fset:
            setattr(joint, word, place)
    measured = [
        name for name in ("angle", "rate", "position", "anchor", "anchor2", "axis") if hasattr(type(joint), name)
    ]
    truth = []
    with od.Recorder(world, tmp_path / "run.odr", velocities=True):
        for _ in range(20):
            world.step(0.01)
            truth.append([np.array(getattr(joint, name)) for name in measured])
    recording = od.Recording(tmp_path / "run.odr")
    assert recording.joints == ("it",)
    shown = recording.world()
    for frame in (20, 3, 11):
        recording.put(shown, frame)
        (other,) = shown.joints
        assert type(other) is type(joint) and [b and b.name for b in other.bodies] == [
            b and b.name for b in joint.bodies
        ]
        for name, value in zip(measured, truth[frame - 1], strict=True):
            assert np.array(getattr(other, name)) == pytest.approx(value, abs=1e-3), name


@pytest.mark.parametrize("name", SCENES.names)
def test_registered_scenes(tmp_path, name):
    scene = build(name)
    with od.Recorder(scene.world, tmp_path / "run.odr", velocities=True):
        for _ in scene.play(20):
            pass
    recording = od.Recording(tmp_path / "run.odr")
    shown = recording.show(20)
    assert [body.name for body in shown.bodies] == [body.name for body in scene.world.bodies]
    assert np.abs(shown.positions - scene.world.positions).max() < 1.1e-5
    assert shown.kinetic_energy == pytest.approx(scene.world.kinetic_energy, rel=2e-3, abs=1e-3)
    for one, other in zip(scene.world.geoms, shown.geoms, strict=True):
        if one.shape not in ("custom", "support"):  # of which only the looks are kept
            same_geom(one, other)
    assert recording.show(0) is shown


def test_bodies_geoms_and_joints_come_and_go(tmp_path):
    world = od.World(gravity=(0, 0, -9.81))
    random = np.random.default_rng(5)
    truth = []

    def look():
        places = {body.name: body.position for body in world.bodies}
        carriers = {geom.name: geom.body and geom.body.name for geom in world.geoms}
        truth.append(
            (places, carriers, {joint.name: tuple(b and b.name for b in joint.bodies) for joint in world.joints})
        )

    def change(k):
        for body in world.bodies:
            if random.random() < 0.15:
                for geom in body.geoms:
                    geom.destroy()
                body.destroy()
        for joint in world.joints:
            if random.random() < 0.2 or joint.bodies == (None, None):
                joint.destroy()
        if random.random() < 0.6:
            world.add_body(od.Sphere(0.1, name=f"ball {k}"), position=random.normal(size=3), name=f"body {k}")
        if random.random() < 0.4 and len(world.bodies) > 1:
            world.add_hinge(world.bodies[0], world.bodies[-1], name=f"hinge {k}")
        world.step(0.01)

    with od.Recorder(world, tmp_path / "run.odr") as recorder:
        look()
        for k in range(120):
            change(k)
            look()
            if k % 25 == 0:
                recorder.flush()
    recording = od.Recording(tmp_path / "run.odr")
    assert len(recording) == 121 and len(recording.bodies) > 40
    shown = recording.world()
    for frame in (*range(121), 60, 0, 120, 7):
        recording.put(shown, frame)
        places, carriers, ties = truth[frame]
        assert {body.name for body in shown.bodies} == set(places)
        for body in shown.bodies:
            assert np.abs(body.position - places[body.name]).max() < 1.1e-5
        assert {geom.name: geom.body and geom.body.name for geom in shown.geoms} == carriers
        assert {joint.name: tuple(b and b.name for b in joint.bodies) for joint in shown.joints} == ties
        reported = dict(zip(recording.bodies, recording[frame].positions, strict=True))
        assert all((name in places) == bool(np.isfinite(place[0])) for name, place in reported.items())
        assert recording[frame].present.sum() == len(places)


def test_sleeping_bodies_sleep(tmp_path):
    """Also where the frame shown before has another structure, or bodies with other properties."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    one, two = (world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5 + k), mass=1.0) for k in range(2))
    hinge = world.add_hinge(one, two)
    pad = world.add_geom(od.Box((1, 1, 1), position=(0.9, 0, 0.5)))

    def change():
        pad.destroy()
        hinge.destroy()
        two.kinematic = True
        one.enabled = two.enabled = False

    recording = record(world, tmp_path / "run.odr", change)
    shown = recording.world()
    for frame in (1, 0, 1):
        recording.put(shown, frame)
        assert [body.enabled for body in shown.bodies] == recording[frame].enabled.tolist() == [frame == 0] * 2
        assert shown.bodies[1].kinematic == (frame == 1)


def test_geoms_of_other_frames_do_not_wake_bodies(tmp_path):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    body = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), mass=1.0)
    body.enabled = False

    def change():
        world.add_geom(od.Box((1, 1, 1), position=(0.9, 0, 0.5)))  # wakes the body
        body.enabled = False

    recording = record(world, tmp_path / "run.odr", change)
    shown = recording.world()
    recording.put(shown, 1)
    shown.advance(0.01)
    assert not shown.bodies[0].enabled


def test_respawned_at_once(tmp_path):
    """A new body in the rows of an old one is another body, though its geom looks the same."""
    world = od.World()
    old = world.add_body(od.Sphere(0.1, name="shape"), name="old")

    def respawn():
        old.geoms[0].destroy()
        old.destroy()
        new = world.add_body(od.Sphere(0.1, name="shape"), name="new")
        assert new._row == 1

    recording = record(world, tmp_path / "run.odr", respawn)
    assert recording.bodies == ("old", "new")
    assert [body.name for body in recording.show(0).bodies] == ["old"]
    assert [geom.body.name for geom in recording.show(1).geoms] == ["new"]


def test_changed_shapes(tmp_path):
    world = od.World()
    ball, wall = world.add_body(od.Sphere(0.1), name="ball"), world.add_geom(od.Box((1, 1, 1)))

    def change():
        ball.geoms[0].radius = 0.7
        ball.mass = 9
        ball.kinematic = True
        wall.position = (1, 2, 3)

    recording = record(world, tmp_path / "run.odr", change)
    shown = recording.world()
    assert shown.geoms[0].radius == 0.1 and shown.bodies[0].mass != 9 and not shown.bodies[0].kinematic
    recording.put(shown, 1)
    assert {geom.shape: geom for geom in shown.geoms}["sphere"].radius == 0.7
    assert {geom.shape: geom for geom in shown.geoms}["box"].position.tolist() == [1, 2, 3]
    assert shown.bodies[0].mass == 9 and shown.bodies[0].kinematic
    recording.put(shown, 0)
    assert shown.bodies[0].mass != 9 and not shown.bodies[0].kinematic


CHANGES = {
    "shape enabled": lambda world: setattr(world.geoms[1], "enabled", not world.geoms[1].enabled),
    "offset": lambda world: setattr(world.bodies[0].geoms[0], "offset_position", (0.3, 0.2, 0.1)),
    "offset turned": lambda world: setattr(world.bodies[0].geoms[0], "offset_quaternion", (0.6, 0.8, 0, 0)),
    "offset cleared": lambda world: world.bodies[1].geoms[0].clear_offset(),
    "left its body": lambda world: setattr(world.bodies[0].geoms[0], "body", None),
    "moved to another": lambda world: setattr(world.bodies[0].geoms[0], "body", world.bodies[1]),
    "wall turned": lambda world: setattr(find(world, "fixed box"), "quaternion", (0, 1, 0, 0)),
    "plane": lambda world: setattr(find(world, "slope"), "d", 3.0),
    "lengths": lambda world: setattr(find(world, "fixed box"), "lengths", (3, 2, 1)),
    "mesh": lambda world: setattr(
        find(world, "fixed trimesh"), "mesh", od.MeshData(2 * TETRAHEDRON[0], TETRAHEDRON[1])
    ),
    "convex": lambda world: find(world, "fixed convex").reshape(3 * TETRAHEDRON[0], TETRAHEDRON[1]),
    "heights": lambda world: find(world, "fixed heightfield").field.update(np.ones((3, 4))),
    "field": lambda world: setattr(find(world, "fixed heightfield"), "field", od.HeightfieldData(np.eye(5), 2, 2)),
    "held": lambda world: setattr(find(world, "transform").geom, "lengths", (2, 3, 1)),
    "held moved": lambda world: setattr(find(world, "transform").geom, "position", (2, 3, 1)),
    "transform moved": lambda world: setattr(find(world, "transform"), "position", (2, 3, 1)),
    "destroyed": lambda world: find(world, "fixed sphere").destroy(),
    "body destroyed": lambda world: world.bodies[2].destroy(),
    "new wall": lambda world: world.add_geom(od.Box((1, 1, 1), name="new")),
}


def find(world, name):
    return next(geom for geom in world.geoms if geom.name == name)


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_of_a_geom_is_seen(tmp_path, what):
    """A moment later, when nothing else happens that would make the recorder look."""
    world = every_shape()
    with od.Recorder(world, tmp_path / "run.odr", every=0) as recorder:
        recorder.capture()
        before = {geom.name for geom in world.geoms}
        CHANGES[what](world)
        recorder.capture()
        recorder.capture()
    recording = od.Recording(tmp_path / "run.odr")
    shown, boxes = recording.world(), {}
    assert {geom.name for geom in shown.geoms} == before
    for frame in (1, 2, 3, 0, 3):
        recording.put(shown, frame)
        boxes[frame] = {geom.name: geom.aabb.tolist() for geom in shown.geoms}
    assert boxes[0] == boxes[1] and boxes[2] == boxes[3]
    assert len(recording._changes) == 2  # one structure at first, one when it changed
    assert {geom.name for geom in shown.geoms} == {geom.name for geom in world.geoms}
    for geom in world.geoms:
        same_geom(geom, next(other for other in shown.geoms if other.name == geom.name))
    if what == "heights":
        assert (find(shown, "fixed heightfield").field.heights == find(world, "fixed heightfield").field.heights).all()


def test_worlds_of_others_are_refused(tmp_path):
    recording = record(od.World(), tmp_path / "run.odr")
    with pytest.raises(ValueError, match=r"was not made by this recording; make one with recording\.world\(\)"):
        recording.put(od.World(name="mine"), 0)
    with pytest.raises(IndexError, match="no frame 2"):
        recording.world(2)


def test_odes_loop(tmp_path):
    """Floors in a user's own space, and contacts that the user makes."""
    world, space, contacts = od.World(gravity=(0, 0, -9.81)), od.HashSpace(), od.JointGroup()
    floor = od.Plane(name="floor", space=space)
    wall = od.Box((1, 1, 1), position=(9, 0, 0), name="wall", space=space)
    ball = world.add_body(od.Sphere(0.5, name="ball"), position=(0, 0, 0.499), space=space, name="ball")
    other = od.World().add_body(od.Sphere(0.5), position=(0, 99, 9), space=space)

    def near(a, b):
        for contact in od.collide(a, b):
            world.add_contact(contact, group=contacts)

    def step():
        contacts.empty()
        space.collide(near)
        world.step(0.01)

    options = {"contacts": True, "every": 0}
    with (
        od.Recorder(world, tmp_path / "all.odr", spaces=[space], **options) as all_,
        od.Recorder(world, tmp_path / "own.odr", **options) as own,
    ):
        for _ in range(20):
            step()
        for recorder in (all_, own):
            recorder.capture()
        wall.position = (7, 0, 0)
        step()
        for recorder in (all_, own):
            recorder.capture()
        floor.destroy()
        all_.capture()
    recording = od.Recording(tmp_path / "all.odr")
    places = [{geom.name: geom.position.tolist() for geom in recording.show(frame).geoms} for frame in range(4)]
    assert [set(names) for names in places] == [{"floor", "wall", "ball"}] * 3 + [{"wall", "ball"}]
    assert [names["wall"][0] for names in places] == [9, 9, 7, 7]
    assert {geom.name for geom in od.Recording(tmp_path / "own.odr").show(0).geoms} == {"ball"}
    assert recording.series["contacts"].tolist() == [0, 1, 1, 1]
    assert recording.series["deepest"][1] == pytest.approx(0.5 - ball.position[2], abs=1e-3)
    reported = recording.contacts(1)
    assert reported.forces[0] == pytest.approx([0, 0, 9.81 * ball.mass], rel=1e-3)
    assert reported.bodies.tolist() in ([[0, -1]], [[-1, 0]]) and abs(reported.normals[0, 2]) == 1
    assert other.alive
    with pytest.raises(TypeError, match="the spaces of a recorder must be spaces, not 3"):
        od.Recorder(world, tmp_path / "no.odr", spaces=[3])
