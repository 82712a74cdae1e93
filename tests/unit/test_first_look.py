"""Reasonable programs without a `SetupWarning` or `UnitsWarning`. Warnings are errors here."""

import copy
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot, scenes
from opendynamics.api.first_look import look_first
from opendynamics.robot.robot import Robot
from opendynamics.scenes import SCENES

MODELS = Path(__file__).parents[1] / "data" / "models"
INCOMPLETE = {"JACO2", "Labo1", "Labo1v2"}  # their meshes are not here
ROBOTS = [path for path in sorted(MODELS.rglob("*.body")) if path.stem not in INCOMPLETE]
DOWN = (0.0, 0.0, -9.81)
HALF = math.sqrt(0.5)


def grounded(**options):
    world = od.World(gravity=DOWN, **options)
    world.add_plane()
    return world


def box(world, *position, **options):
    return world.add_body(od.Box((1, 1, 1)), position=position, mass=1, **options)


@pytest.mark.parametrize("name", SCENES.names)
def test_scenes_are_set_up_well(name):
    look_first(scenes.build(name).world)


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_robots_stand_on_the_ground(path):
    """Feet are judged by their shapes, wherever the frames and centres of their links are."""
    pytest.importorskip("yaml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        model = od.load_robot(path)
    world = od.World(gravity=DOWN)
    Robot(world, model)
    world.add_plane(offset=min((geom.aabb[4] for geom in world.space.geoms()), default=0.0))
    look_first(world)


# -- where bodies start ------------------------------------------------------------------------------------------------


def resting(world):
    world.add_body(od.Sphere(0.1), position=(0, 0, 0.1), mass=1)
    world.add_body(od.Capsule(0.1, 0.5), position=(2, 0, 0.35), mass=1)


def stack(world):
    for k in range(5):
        box(world, 0, 0, 0.5 + k)


def sunk_by_less_than_half(world):
    box(world, 0, 0, 0.2)
    world.add_body(od.Box((1, 1, 1), position=(0, 0, 0.4)), mass=od.Mass.sphere(0.1, mass=1), position=(4, 0, 0))


def kinematic_lift(world):
    box(world, 0, 0, -1, kinematic=True)


def post(world):
    world.add_fixed(box(world, 0, 0, -0.3))


def without_collision(world):
    ghost = box(world, 0, 0, -1)
    ghost.geoms[0].category_bits = ghost.geoms[0].collide_bits = 0
    box(world, 3, 0, -1).geoms[0].enabled = False
    world.add_body(od.Sphere(1, sensor=True), mass=1)
    world.add_body(mass=1)
    world.add_body(od.Sphere(1), mass=1).destroy()


def filtered(world):
    box(world, 0, 0, -1)
    world.contact_filter = lambda a, b: False


def joined_in_one_place(world):
    world.add_hinge(box(world, 0, 0, 2), box(world, 0, 0, 2), axis=(0, 1, 0))


def ball_in_a_ring(world):
    """Bearings share their centre."""
    ring = [od.Sphere(0.1, position=(math.cos(a), math.sin(a), 0)) for a in np.arange(8) * math.pi / 4]
    world.add_body(*ring, position=(0, 0, 2), mass=1)
    world.add_body(od.Sphere(0.1), position=world.bodies[-1].position, mass=1)


def without_shapes(world):
    for _ in range(3):
        world.add_body(mass=1)


def walls(world):
    """A room has planes on all sides, among them a ceiling."""
    for normal, offset in [((1, 0, 0), -5), ((-1, 0, 0), -5), ((0, 0, -1), -5)]:
        world.add_plane(normal=normal, offset=offset)
    box(world, 0, 0, 1)


PLACES = [
    resting, stack, sunk_by_less_than_half, kinematic_lift, post, without_collision, filtered, joined_in_one_place,
    ball_in_a_ring, without_shapes, walls,
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_places_that_are_meant(place):
    world = grounded()
    place(world)
    look_first(world)


def swung_aside(world):
    bob = world.add_body(od.Sphere(0.1), position=(0, 0, 2), mass=1)
    world.add_ball(bob, None, anchor=(0, 0, 3))
    bob.position, bob.rotation = (-math.sin(0.5), 0, 3 - math.cos(0.5)), od.rotation.from_axis_angle((0, 1, 0), 0.5)


def lamp_on_a_spring(world):
    lamp = world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=2)
    world.add_ball(lamp, None, anchor=(0, 0, 1), stiffness=800, damping=80)
    lamp.position = (0, 0, 2)


def door_ajar_by_a_hair(world):
    door = world.add_body(od.Box((1, 0.1, 1)), position=(0.5, 0, 1), mass=1)
    world.add_hinge(door, None, anchor=(0, 0, 1), axis=(0, 0, 1))
    door.position = (0.51, 0, 1)


def joints_that_hold_nothing(world):
    for one in (
        lambda joint: joint.destroy(),
        lambda joint: joint.attach(None, None),
        lambda joint: setattr(joint, "enabled", False),
    ):
        one(world.add_hinge(box(world, 0, 0, 1), None, anchor=(0, 0, 3), axis=(0, 1, 0)))
        world.bodies[-1].position = (3 * len(world.bodies), 0, 1)
    world.add_ball(box(world, 0, 9, 1), None, anchor=(0, 9, 3))
    world.bodies[-1].destroy()


JOINED = [swung_aside, lamp_on_a_spring, door_ajar_by_a_hair, joints_that_hold_nothing]


@pytest.mark.parametrize("join", JOINED, ids=lambda join: join.__name__)
def test_joints_that_are_meant(join):
    world = grounded()
    join(world)
    look_first(world)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("kind", ["ball", "hinge", "universal"])
def test_joints_of_bodies_that_were_moved(kind, order):
    world = grounded()
    bob = world.add_body(od.Sphere(0.1), position=(0, 0, 2), mass=1, name="bob")
    axes = {"ball": {}, "hinge": {"axis": (0, 1, 0)}, "universal": {"axis1": (1, 0, 0), "axis2": (0, 1, 0)}}[kind]
    getattr(world, f"add_{kind}")(*(bob, None)[::order], anchor=(0, 0, 3), **axes)
    bob.position = (-0.3, 0, 2.05)
    with pytest.warns(od.SetupWarning, match=r"joint 0 of .*bob.* starts with its anchors 0.304 m apart") as caught:
        look_first(world)
    assert len(caught) == 1


def terrain(world, triangle):
    return world.add_geom(od.Trimesh([(-9, -9, 0), (9, -9, 0), (0, 9, 0)], [triangle]))


def test_meshes_that_are_meant():
    """Facing up below a body; down below none; a floor above one; a closed mesh from inside."""
    world = od.World(gravity=DOWN)
    terrain(world, (0, 1, 2))
    terrain(world, (0, 2, 1)).position = (90, 0, 0)
    terrain(world, (0, 2, 1)).position = (0, 0, 5)
    corners = [(0, 0, 0), (40, 0, 0), (0, 40, 0), (0, 0, 40)]
    world.add_geom(od.Trimesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], position=(-60, 0, 0)))
    box(world, 0, 0, 1)
    box(world, -50, 5, 5)
    look_first(world)


# -- gravity -----------------------------------------------------------------------------------------------------------


def floating(**options):
    """A ball at rest above a floor, without gravity."""
    world = od.World()
    world.add_plane()
    return world, world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=1, **options)


def pushed():
    world, ball = floating()
    ball.add_force((1, 0, 0))
    return world


def driven():
    world, ball = floating()
    world.add_hinge(ball, None, axis=(0, 0, 1)).motor(1.0, max_torque=1.0)
    return world


def in_space():
    world = od.World()
    world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=1)
    return world


def in_the_floor():
    world, ball = floating()
    ball.position = (0, 0, 0.05)
    return world


def beside_a_wall():
    world = od.World(gravity=DOWN)
    world.add_geom(od.Box((9, 9, 1)))
    world.add_plane(normal=(1, 0, 0), offset=-2)
    box(world, 0, 0, 1)
    return world


def on_a_slope():
    world = od.World(gravity=(9.8, 0, -0.4))
    world.add_plane()
    box(world, 0, 0, 0.5)
    return world


WEIGHTLESS = {
    "moving": lambda: floating(linear_velocity=(0, 0, -1))[0],
    "turning": lambda: floating(angular_velocity=(0, 0, 1))[0],
    "kinematic": lambda: floating(kinematic=True)[0],
    "pushed": pushed,
    "driven": driven,
    "in space": in_space,
    "in the floor": in_the_floor,
    "beside a wall": beside_a_wall,
    "on a slope": on_a_slope,
}


@pytest.mark.parametrize("name", WEIGHTLESS)
def test_gravity_that_is_meant(name):
    world = WEIGHTLESS[name]()
    world.advance(0.01)


# -- materials ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mentioned", "used"),
    [("ice", "wood"), ("wheel1", "wheel2"), ("wheel", "wheel3"), ("foot_l", "foot_r"), ("ice", "ice"), (None, "ice")],
)
def test_materials_without_a_surface_of_their_own(mentioned, used):
    world = grounded()
    world.surfaces[mentioned] = od.Surface(mu=0.1)
    world.add_body(od.Sphere(0.1, material=used), position=(0, 0, 1), mass=1)
    look_first(world)


# -- once --------------------------------------------------------------------------------------------------------------


DEFAULTS = [("auto_disable", True), ("continuous", True), ("linear_damping", 0.1), ("angular_damping", 0.1)]


@pytest.mark.parametrize(("name", "value"), DEFAULTS)
def test_defaults_of_new_bodies_that_no_body_has(name, value):
    world = grounded()
    box(world, 0, 0, 2)
    setattr(world, name, value)
    with pytest.warns(
        od.SetupWarning, match=f"{name} of world is {value}, but no body has this value.*body.{name} = {value}"
    ):
        world.advance(0.01)
    assert not getattr(world.bodies[0], name)


@pytest.mark.parametrize(("name", "value"), DEFAULTS)
def test_defaults_of_new_bodies_that_some_bodies_have(name, value):
    world = grounded()
    box(world, 0, 0, 2)
    setattr(world, name, value)
    box(world, 0, 0, 4)
    world.advance(0.01)
    world = grounded()
    box(world, 0, 0, 2)
    setattr(world, name, value)
    setattr(world.bodies[0], name, value)
    world.advance(0.01)


def test_worlds_are_looked_at_before_their_first_step_alone():
    world = grounded()
    resting(world)
    world.advance(0.01)
    world.gravity = (0, 0, 9.81)
    box(world, 5, 0, -1)
    box(world, 5, 0, -1)
    world.advance(0.01)


def test_worlds_that_are_loaded_copied_or_recorded_do_not_warn_again(tmp_path):
    world = grounded()
    box(world, 0, 0, 0)
    with pytest.warns(od.SetupWarning), od.Recorder(world, tmp_path / "sunk.odr"):
        world.advance(0.01)
    snapshot = world.save()
    od.World.load(od.Snapshot.from_bytes(snapshot.to_bytes())).advance(0.01)
    copy.deepcopy(world).advance(0.01)
    world.restore(snapshot)
    world.advance(0.01)
    world.reset()
    world.advance(0.01)
    for _ in od.Recording(tmp_path / "sunk.odr"):
        pass


def test_worlds_of_a_batch_are_looked_at():
    world = grounded()
    box(world, 0, 0, 0)
    with pytest.warns(od.SetupWarning, match="starts 0.5 m deep"):
        od.Batch([world]).advance(0.01)


def test_worlds_like_ode_are_not_looked_at():
    world = od.World(gravity=(0, 0, 9.81), like="ode")
    world.add_plane()
    box(world, 0, 0, -1)
    box(world, 0, 0, -1)
    world.advance(0.01)


# -- units -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "quaternion",
    [
        (0, 1, 0, 0),  # half turns about x and y
        (0, 0, 1, 0),
        (HALF, 0, 0, HALF),  # about z; in the other order about x
        (0.5, 0.5, 0.5, 0.5),
        (0, 1, 0, 1),  # not of length one: an axis that was written down
        (0, 0.6, 0.48, 0.64),
        np.array((0, 0, 0, 1)),  # of a file or a computation
    ],
    ids=str,
)
def test_quaternions_that_are_meant(quaternion):
    world = od.World()
    body = world.add_body(od.Box((1, 1, 1), quaternion=quaternion), quaternion=quaternion, mass=1)
    body.quaternion = body.geoms[0].quaternion = body.geoms[0].offset_quaternion = quaternion


def test_quaternions_of_all_bodies_are_computed():
    world = od.World()
    world.add_body(mass=1)
    world.quaternions = np.array([(0, 0, 0, 1)])


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 0, -1), (1, 0, -1), (0, 1, 1), (0.6, 0, -0.8)])
def test_rays_go_anywhere(direction):
    ray = od.Ray(1.0, direction=direction)
    ray.set((0, 0, 0), direction)
    assert np.allclose(ray.direction, np.array(direction) / np.linalg.norm(direction))


def test_angles_that_are_computed():
    for angle in (0, 3, 6, 12, 90.0, 91.3, 10 * math.pi):
        od.rotation.from_axis_angle((0, 0, 1), angle)
        od.rotation.from_euler(angle, 0, -angle)


def test_long_steps_of_what_touches_nothing():
    world = od.World()
    world.add_body(od.Sphere(1), mass=1, linear_velocity=(1, 0, 0))
    world.advance(2.0)


def test_servos_that_only_brake_or_are_off():
    world = od.World()
    hinge = world.add_hinge(world.add_body(mass=1), None)
    hinge.servo(stiffness=0, damping=2.0)
    hinge.servo(stiffness=0, damping=0)


@pytest.mark.parametrize("degrees", [3.0, 40.0, 179.0])
def test_cameras_with_long_and_with_short_lenses(degrees):
    assert od.Camera((1, 1, 1), field_of_view=degrees).field_of_view == degrees
