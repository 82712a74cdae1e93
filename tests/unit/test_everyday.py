"""Common features: impulses, belts, joints that break, rays with exclusions, names."""

import copy
import math

import numpy as np
import pytest

import opendynamics as od

G = 9.81


@pytest.fixture
def world():
    return od.World(gravity=(0, 0, -G))


# -- impulses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"at": (1, 2, 3)}, {"at_local": (0.3, 0, -1)}, {"local": True}])
def test_an_impulse_is_a_force_times_the_time_it_acts(options):
    """Compared with the force that gives the same impulse within a very short step."""
    impulse, h = np.array([1.0, -2.0, 0.5]), 1e-9
    struck, pushed = (od.World() for _ in range(2))
    for world in (struck, pushed):
        world.add_body(od.Box((1, 2, 3)), mass=2, position=(0.5, 0, 1), quaternion=(1, 2, 3, 4))
    struck.bodies[0].add_impulse(impulse, **options)
    pushed.bodies[0].add_force(impulse / h, **options)
    pushed.step(h)
    for name in ("linear_velocity", "angular_velocity"):
        assert getattr(struck.bodies[0], name) == pytest.approx(getattr(pushed.bodies[0], name), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("local", [False, True])
def test_an_angular_impulse_is_a_torque_times_the_time_it_acts(local):
    struck, pushed = (od.World() for _ in range(2))
    for world in (struck, pushed):
        world.add_body(od.Box((1, 2, 3)), mass=2, quaternion=(1, 2, 3, 4))
    struck.bodies[0].add_angular_impulse((1, 2, 3), local=local)
    pushed.bodies[0].add_torque(np.array([1, 2, 3]) / 1e-9, local=local)
    pushed.step(1e-9)
    assert struck.bodies[0].angular_velocity == pytest.approx(pushed.bodies[0].angular_velocity, rel=1e-6)


def test_an_impulse_wakes_and_leaves_kinematic_bodies_alone(world):
    body, lift = world.add_body(mass=2), world.add_body(kinematic=True)
    body.enabled = False
    body.add_impulse((0, 0, 4))
    lift.add_impulse((0, 0, 4), at=(1, 0, 0))
    assert body.enabled
    assert body.linear_velocity.tolist() == [0, 0, 2]
    assert not lift.linear_velocity.any()
    assert not lift.angular_velocity.any()
    with pytest.raises(ValueError, match=r"the impulse on .* at or at_local, not both"):
        body.add_impulse((1, 0, 0), at=(0, 0, 0), at_local=(0, 0, 0))


# -- belts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [(1.5, 0, 0), (0, -1.5, 0), (0.9, 1.2, 0)])
@pytest.mark.parametrize("options", [{}, {"solver": "pgs"}, {"substeps": 2}])
def test_a_belt_carries_what_lies_on_it(world, way, options):
    for name, value in options.items():
        setattr(world, name, value)
    belt = world.add_geom(od.Box((20, 20, 1), position=(0, 0, -0.5)))
    belt.surface_velocity = way
    box = world.add_body(od.Box((0.2, 0.3, 0.1)), mass=2, position=(0, 0, 0.05))
    world.advance(0.01, steps=100)
    assert box.linear_velocity == pytest.approx(way, abs=2e-3)
    assert abs(box.angular_velocity).max() < 1e-2
    assert belt.surface_velocity.tolist() == list(way)
    belt.surface_velocity = (0, 0, 0)
    world.advance(0.01, steps=100)
    assert box.linear_velocity == pytest.approx([0, 0, 0], abs=2e-3)


def test_friction_bounds_how_fast_a_belt_takes_something_along():
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.2))
    world.add_geom(od.Box((50, 50, 1), position=(0, 0, -0.5))).surface_velocity = (5, 0, 0)
    box = world.add_body(od.Box((0.5, 0.5, 0.1)), mass=2, position=(0, 0, 0.05))
    world.advance(0.01, steps=10)
    assert world.contact_force(box)[0] == pytest.approx(0.2 * 2 * G, rel=1e-3)
    world.advance(0.01, steps=90)
    assert box.linear_velocity[0] == pytest.approx(0.2 * G, rel=0.02)


def test_a_belt_on_a_body_is_pushed_back(world):
    """A crawler on the ground: its tracks drive it, whichever of the two geoms comes first."""
    for plane_first in (True, False):
        world = od.World(gravity=(0, 0, -G))
        if plane_first:
            world.add_geom(od.Box((50, 50, 1), position=(0, 0, -0.5)))
        track = od.Box((1, 0.5, 0.2))
        crawler = world.add_body(track, mass=10, position=(0, 0, 0.1))
        if not plane_first:
            world.add_geom(od.Box((50, 50, 1), position=(0, 0, -0.5)))
        track.surface_velocity = (-1, 0, 0)
        world.advance(0.01, steps=100)
        assert crawler.linear_velocity[0] == pytest.approx(1.0, abs=1e-2)


def test_two_belts_that_run_alike_do_not_slide(world):
    world.add_geom(od.Box((9, 9, 1), position=(0, 0, -0.5))).surface_velocity = (1, 0, 0)
    shape = od.Box((0.5, 0.5, 0.1))
    box = world.add_body(shape, mass=2, position=(0, 0, 0.05))
    shape.surface_velocity = (1, 0, 0)
    world.advance(0.01, steps=50)
    assert box.linear_velocity == pytest.approx([0, 0, 0], abs=1e-6)


def test_belts_are_saved_hashed_and_stepped_in_batches(world):
    belt = world.add_geom(od.Box((9, 9, 1), position=(0, 0, -0.5)))
    world.add_body(od.Box((0.5, 0.5, 0.1)), mass=2, position=(0, 0, 0.05))
    before = world.state_hash()
    belt.surface_velocity = (1, 0, 0)
    assert world.state_hash() != before
    twin, third = copy.deepcopy(world), od.World.load(od.Snapshot.from_bytes(world.save().to_bytes()))
    world.advance(0.01, steps=30)
    twin.advance(0.01, steps=30)
    od.Batch([third]).advance(0.01, steps=30)
    assert world.bodies[0].linear_velocity[0] > 0.5
    assert world.state_hash() == twin.state_hash() == third.state_hash()


# -- joints that break ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["advance", "step"])
def test_a_joint_breaks_under_too_large_a_force(world, step):
    load = world.add_body(mass=2, position=(0, 0, 0))
    joint = world.add_ball(load, None, anchor=(0, 0, 1))
    joint.break_force = 1.01 * 2 * G
    for _ in range(10):
        getattr(world, step)(0.01)
    assert (joint.enabled, joint.broken) == (True, False)
    load.add_force((0, 0, -1))
    getattr(world, step)(0.01)
    assert (joint.enabled, joint.broken) == (False, True)
    height = load.position[2]
    for _ in range(10):
        getattr(world, step)(0.01)
    assert load.position[2] < height - 0.03
    joint.enabled = True
    assert not joint.broken


def test_a_joint_breaks_under_too_large_a_torque(world):
    """The torque is that at the anchor: a hinge bears none about its axis, a fixed joint all of it."""
    for kind, breaks in (("hinge", False), ("fixed", True)):
        world = od.World(gravity=(0, 0, -G))
        rod = world.add_body(od.Box((1, 0.1, 0.1)), mass=2, position=(0.5, 0, 0))
        place = {"anchor": (0, 0, 0), "axis": (0, 1, 0)} if kind == "hinge" else {}
        joint = getattr(world, f"add_{kind}")(rod, None, **place)
        joint.break_torque = 1.0
        rod.add_torque((0, 3, 0))
        world.advance(0.01)
        assert joint.broken == breaks, kind


def test_strengths_are_saved_and_end_with_the_joint(world):
    load = world.add_body(mass=2)
    joint = world.add_ball(load, None, anchor=(0, 0, 1))
    assert (joint.break_force, joint.break_torque) == (math.inf, math.inf)
    joint.break_force, joint.break_torque = 5.0, 70.0
    twin = copy.deepcopy(world)
    assert (twin.joints[0].break_force, twin.joints[0].break_torque) == (5.0, 70.0)
    snapshot = world.save()
    world.advance(0.01)
    assert joint.broken
    world.restore(snapshot)
    assert not joint.broken
    od.Batch([twin]).advance(0.01)
    assert twin.joints[0].broken
    joint.destroy()
    world.advance(0.01)
    with pytest.raises(ValueError, match=r"the break force of .* greater than 0"):
        world.add_ball(load, None).break_force = -1


# -- rays, names ---------------------------------------------------------------------------------------------------


def test_rays_leave_out_what_is_excluded(world):
    robot = world.add_body(od.Sphere(0.5), od.Box((0.2, 0.2, 2)), mass=1)
    post = world.add_geom(od.Cylinder(0.1, 2, position=(2, 0, 0)))
    wall = world.add_geom(od.Box((1, 5, 5), position=(4, 0, 0)))
    eye, ahead = (-1, 0, 0), (1, 0, 0)
    assert world.cast_rays(eye, ahead).geom_of(0).body is robot
    assert world.cast_rays(eye, ahead, exclude=robot).geom_of(0) is post
    assert world.cast_rays(eye, ahead, exclude=[robot, post]).geom_of(0) is wall
    assert world.cast_rays(eye, ahead, exclude=(robot, post, wall)).geom_of(0) is None
    assert world.cast_rays(eye, ahead).geom_of(0).body is robot
    assert world.space.test_rays(eye, ahead, exclude=robot, max_distance=2.5).tolist() == [False]
    assert world.cast_rays(eye, ahead, exclude=robot, max_distance=3.5).geom_of(0) is post
    with pytest.raises(TypeError, match="exclude takes bodies, geoms and robots, one or several, not 'robot'"):
        world.cast_rays(eye, ahead, exclude="robot")


def test_things_are_found_by_name(world):
    arm = world.add_body(od.Sphere(0.1, name="shell"), name="arm")
    hinge = world.add_hinge(arm, None, name="elbow")
    floor = world.add_plane(name="floor")
    assert [world.find(name) for name in ("arm", "elbow", "floor", "shell")] == [arm, hinge, floor, arm.geoms[0]]
    with pytest.raises(KeyError, match="nothing in world is called 'elbw'; did you mean 'elbow'"):
        world.find("elbw")
    with pytest.raises(TypeError, match="find takes the name"):
        world.find(3)


# -- what stands still, and shapes between two points --------------------------------------------------------------


def test_a_static_geom_is_placed_when_it_is_added(world):
    turn = od.rotation.from_roll_pitch_yaw(0.1, 0.2, 0.3)
    wall = world.add_geom(od.Box((1, 2, 3)), position=(4, 5, 6), rotation=turn, color="red", name="wall")
    assert (wall.position.tolist(), wall.color, wall.name) == ([4, 5, 6], (1, 0, 0), "wall")
    assert wall.rotation == pytest.approx(turn)
    assert world.find("wall") is wall and wall.body is None and wall in world.space
    turned = world.add_geom(od.Box((1, 1, 1), position=(1, 2, 3)), orientation=(0, 0, 0, 2))
    assert turned.position.tolist() == [1, 2, 3] and turned.quaternion == pytest.approx([0, 0, 0, 1])


@pytest.mark.parametrize(
    "options", [{"position": (0, 0, math.nan)}, {"rotation": 2 * np.eye(3)}, {"name": 3}, {"color": "blurple"}]
)
def test_a_static_geom_with_a_wrong_place_is_not_added(world, options):
    wall = od.Box((1, 1, 1))
    with pytest.raises((ValueError, TypeError)):
        world.add_geom(wall, **{"position": (0, 0, 1)} | options)
    assert wall.space is None and not wall.position.any()
    plane = od.Plane()
    with pytest.raises(ValueError, match="give the normal and offset"):
        world.add_geom(plane, position=(0, 0, 1))
    assert plane.space is None


@pytest.mark.parametrize("kind", [od.Capsule, od.Cylinder])
@pytest.mark.parametrize("end", [(1, 2, 5), (-1, 2, 3.5), (1, 2, -3)])
def test_a_shape_between_two_points(world, kind, end):
    """On a body at (10, 0, 0): its ends are points of the surface, or a radius within it."""
    start = np.array((1.0, 2.0, 3.0))
    rod = kind.between(start, end, 0.1, material="rubber", name="rod")
    assert rod.length == pytest.approx(np.linalg.norm(np.array(end) - start))
    assert (rod.radius, rod.material, rod.name) == (0.1, "rubber", "rod")
    body = world.add_body(rod, position=(10, 0, 0))
    for point in (start, end):
        assert rod.point_depth(np.add(point, (10, 0, 0))) == pytest.approx(0.1 if kind is od.Capsule else 0, abs=1e-9)
    assert body.position == pytest.approx((start + end) / 2 + (10, 0, 0))
