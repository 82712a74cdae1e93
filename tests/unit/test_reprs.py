"""A `repr` answers common questions at the prompt."""

import base64
import io
import re
import sys

import numpy as np
import pytest

import opendynamics as od


@pytest.fixture
def scene():
    world = od.World(gravity=(0, 0, -10))
    floor = world.add_plane(offset=0.25, name="floor")
    ball = world.add_body(
        od.Sphere(0.5, name="skin"), position=(0, 0, 0.7), mass=2, linear_velocity=(0, 0, -1.5), name="ball"
    )
    return world, floor, ball


def test_a_body_says_where_it_is_how_it_moves_and_what_it_weighs(scene):
    _, _, ball = scene
    assert repr(ball) == "<Body 'ball': at (0, 0, 0.7), velocity (0, 0, -1.5), 2 kg>"
    ball.orientation, ball.angular_velocity = (0, 1, 0, 0), (0, 3, 0)
    ball.enabled = False
    assert repr(ball).endswith(
        "quaternion (0, 1, 0, 0), velocity (0, 0, -1.5), angular velocity (0, 3, 0), 2 kg, asleep>"
    )
    ball.kinematic = True
    assert "kinematic" in repr(ball)
    ball.destroy()
    assert repr(ball) == "<Body 'ball': destroyed>"


def test_a_geom_says_its_sizes_and_its_place(scene):
    _, floor, ball = scene
    assert repr(floor) == "<Plane 'floor': normal (0, 0, 1), offset 0.25>"
    assert repr(ball.geoms[0]) == "<Sphere 'skin': radius 0.5, on 'ball', at (0, 0, 0.7)>"
    box = od.Box((1, 2, 3), name="zone", sensor=True)
    assert repr(box) == "<Box 'zone': lengths (1, 2, 3), at (0, 0, 0), sensor>"
    assert repr(od.Capsule(0.1, 2, name="c")).startswith("<Capsule 'c': radius 0.1, length 2,")


def test_a_joint_says_what_it_joins_and_its_coordinates(scene):
    world, _, ball = scene
    hinge = world.add_hinge(ball, None, anchor=(0, 0, 1), name="door")
    assert repr(hinge) == "<Hinge 'door': of 'ball' and the world, angle 0 rad>"
    hinge.set_axis_offset((1, 0, 0), 0.5)
    assert "angle 0.5 rad" in repr(hinge)
    assert repr(world.add_slider(None, ball, name="s")) == "<Slider 's': of the world and 'ball', position 0 m>"
    assert repr(od.Ball(world, name="free")) == "<Ball 'free': joins nothing>"
    hinge.enabled = False
    assert repr(hinge).endswith(", disabled>")


def test_every_joint_has_a_repr():
    from opendynamics.api.joint_methods import FAMILY, joint_class

    for name in FAMILY.names:
        kind = joint_class(name)
        if kind is None or kind is od.ContactJoint:
            continue
        world = od.World()
        one, two = world.add_body(mass=1), world.add_body(mass=1, position=(0, 1, 0))
        joint = kind(world, one, None if kind is od.Plane2D else two, name="probe")
        assert re.match(rf"<{kind.__name__} 'probe': of 'body 1' and ", repr(joint))


def test_a_contact_says_its_geoms_depth_and_normal(scene):
    _, floor, ball = scene
    (contact,) = od.collide(ball.geoms[0], floor)
    assert repr(contact) == "<Contact of 'skin' and 'floor' at (0, 0, 0.2), normal (0, 0, 1), depth 0.05 m>"
    assert repr(od.Contact()).startswith("<Contact of nothing and nothing at")


def test_a_world_says_what_is_in_it(scene):
    world, _, _ = scene
    assert repr(world) == "<World 'world': 1 body, 0 joints, 2 geoms, time 0 s>"
    world.destroy()
    assert repr(world) == "<World 'world': destroyed>"


def test_a_surface_says_what_it_was_given():
    assert repr(od.Surface()) == "Surface(mu=0.5)"
    surface = od.Surface(friction=0.25, restitution=0.5, cone="elliptic")
    assert repr(surface) == "Surface(mu=0.25, bounce=0.5, cone='elliptic')"
    assert eval(repr(surface), {"Surface": od.Surface}) == surface


def test_arrays_are_short(scene):
    world, _, ball = scene
    ball.position = (1 / 3, 1e-17, 2)
    assert repr(ball.position) == "array([0.333333, 0.      , 2.      ])"
    for _ in range(100):
        world.add_body(mass=1)
    assert len(repr(world.positions).splitlines()) < 10
    assert np.array_equal(ball.position, [1 / 3, 1e-17, 2])


def test_a_notebook_shows_a_picture_of_a_world(scene, monkeypatch):
    image = pytest.importorskip("PIL.Image")
    world, _, _ = scene
    page = world._repr_html_()
    data = re.search(r"base64,([^\"]+)", page)[1]
    picture = np.asarray(image.open(io.BytesIO(base64.b64decode(data))))
    assert picture.shape == (270, 480, 3) and picture.std() > 10
    assert "&lt;World &#x27;world&#x27;: 1 body" in page
    assert od.World()._repr_html_().startswith("<pre>")
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    assert world._repr_html_().startswith("<pre>")


def seen_in(page):
    """The picture on a page, shape (h, w, 3)."""
    image = pytest.importorskip("PIL.Image")
    data = re.search(r"base64,([^\"]+)", page)[1]
    return np.asarray(image.open(io.BytesIO(base64.b64decode(data)))).astype(int)


def red(picture):
    return ((picture[..., 0] > 120) & (picture[..., 0] > picture[..., 1] + 60)).mean()


def test_a_notebook_shows_pictures_of_bodies_geoms_meshes_and_recordings(tmp_path):
    world = od.World()
    world.add_body(od.Sphere(0.2), position=(-8, 0, 0), color="blue", name="far")
    ball = world.add_body(od.Sphere(0.2), position=(8, 0, 0), color="red", name="near")
    with od.Recorder(world, tmp_path / "a.odr"):
        world.advance(0.01)
    whole = red(seen_in(world._repr_html_()))
    for thing in (ball, ball.geoms[0]):
        page = thing._repr_html_()
        assert red(seen_in(page)) > max(20 * whole, 0.1) and "near" in page
    with od.Recording(tmp_path / "a.odr") as recording:
        page = recording._repr_html_()
        assert seen_in(page).shape == (270, 480, 3) and abs(red(seen_in(page)) - whole) < 0.001 and "2 frames" in page
    assert recording._repr_html_().startswith("<pre>")
    assert red(seen_in(od.Box((1, 1, 1), color="red")._repr_html_())) > 0.1
    mesh = od.MeshData([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    assert seen_in(mesh._repr_html_()).std() > 5
    assert world.add_plane()._repr_html_().startswith("<pre>")
    assert world.add_body()._repr_html_().startswith("<pre>")
    ball.destroy()
    assert "destroyed" in ball._repr_html_()


def test_groups_batches_and_surfaces_say_what_they_hold(scene):
    world, _, ball = scene
    group = od.JointGroup()
    assert repr(group) == "<JointGroup with 0 joints>"
    world.add_hinge(ball, None, group=group)
    assert repr(group) == "<JointGroup with 1 joint>"
    assert repr(od.Batch([world, od.World()], threads=2)) == "<Batch of 2 worlds, 2 threads>"
    assert repr(od.Batch([world], threads=1)) == "<Batch of 1 world, 1 thread>"
    assert repr(od.SimpleSpace([od.Sphere(1)], name="zone")) == "<SimpleSpace 'zone' with 1 member>"
    world.surfaces["ice"] = od.Surface(mu=0.1)
    world.surfaces["rubber", "ice"] = od.Surface(mu=0.2)
    default = repr(world.surfaces.default)
    assert repr(world.surfaces) == (
        f"<Surfaces: default {default}; 'ice': Surface(mu=0.1); 'ice', 'rubber': Surface(mu=0.2)>"
    )


def test_contacts_of_geoms_without_a_name_name_their_bodies():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    ball = world.add_body(od.Sphere(1), position=(0, 0, 1), name="ball")
    world.contact_events  # noqa: B018
    world.advance(0.01)
    assert repr(world.contact_events.begin) == "[<TouchingPair of 'geom 1' on 'ball' and 'floor' at 0.01 s>]"
    assert repr(ball.contacts[0]).startswith("<Contact of 'geom 1' on 'ball' and 'floor' at")
    ball.destroy()
    world.advance(0.01)
    assert repr(world.contact_events.end) == "[<TouchingPair of 'geom 1' and 'floor' at 0.02 s>]"


def test_rays_and_touching_pairs_are_short(scene):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    world.add_body(od.Sphere(1, name="ball"), position=(0, 0, 1))
    hits = world.cast_rays([(0, 0, 5), (9, 0, 5), (0, 0, 9)], [(0, 0, -1), (0, 0, -1), (0, 0, 1)])
    assert repr(hits) == "<RayHits: 2 hits, the nearest at 3 m>"
    assert repr(world.cast_rays([(0, 0, 5)], (0, 0, 1))) == "<RayHits: 0 hits>"
    world.contact_events  # noqa: B018
    world.advance(0.01)
    assert repr(world.contact_events.begin) == "[<TouchingPair of 'ball' and 'floor' at 0.01 s>]"


def test_what_drives_robots_names_the_robot():
    joint = od.robot.Joint("root", "free", 0, None, None, np.array([0.0, 0.0, 1.0]))
    model = od.robot.Model(
        "box", [od.robot.Link("root", 0, -1, joint, np.zeros(3), np.eye(3), 1.0, np.zeros(3), np.eye(3))]
    )
    assert repr(model) == "<Model 'box': 1 link, 0 joints, free root>" and repr(model.links) == "<1 link: root>"
    assert repr(od.robot.forward_kinematics(model.state())) == "<Kinematics of 'box': 1 link>"
    control = od.robot.HoldPose(100.0, 10.0)
    assert repr(control) == "<HoldPose without a robot>"
    with pytest.raises(
        AttributeError, match=r"HoldPose 'the HoldPose' has no attribute 'stifness'; did you mean 'stiffness'"
    ):
        control.stifness  # noqa: B018
    robot = od.robot.Simulator(time_step=0.01).add_robot(model, controller=control)
    assert repr(robot) == "<Robot 'box': 1 body, 0 joints in world>"
    assert repr(control) == "<HoldPose of 'box'>" and repr(control.io) == "<RobotIO of 'box' at 0 s>"
    assert repr(od.robot.PDControl(robot, 1.0, 0.1, step=0.01)) == "<PDControl of 'box', step 0.01 s>"
    assert repr(od.Renderer(robot.world, (64, 48))) == "<Renderer of 'world': 64 x 48 pixels>"
