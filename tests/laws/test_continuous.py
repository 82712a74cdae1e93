"""Continuous bodies do not pass through obstacles, stop exactly there, and gain no energy from it."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

H = 1e-3
RADIUS = 0.005
# The overlap of a stopped body, as a fraction of the thinner of the two shapes: see core/collide/ccd/time_of_impact.py.
SKIN = 0.005


def wall(world):
    world.add_geom(od.Box((2.0, 2.0, 0.001), position=(0, 0, -0.0005)))


def mesh(world):
    corners = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    world.add_geom(od.Trimesh(corners, [(0, 1, 2), (0, 2, 3)]))


def plane(world):
    world.add_plane()


def heightfield(world):
    field = od.HeightfieldData(np.zeros((21, 21)), width=2.0, depth=2.0, thickness=0.01)
    world.add_geom(od.Heightfield(field, up="z"))


OBSTACLES = [wall, mesh, plane, heightfield]
PYRAMID = 0.02 * np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1)])
SHAPES = {
    "box": lambda: od.Box((0.01, 0.02, 0.04)),
    "capsule": lambda: od.Capsule(0.005, 0.03),
    "cylinder": lambda: od.Cylinder(0.008, 0.03),
    "convex": lambda: od.Convex.hull(PYRAMID),
}


def shots(count, seed):
    """Where balls start above the square |x|, |y| < 0.8 and how they fly to it: at 100 to 1000 m/s, up to 80° aslant."""
    random = np.random.default_rng(seed)
    speed = 10.0 ** random.uniform(2.0, 3.0, count)
    slant, azimuth = np.radians(random.uniform(0.0, 80.0, count)), random.uniform(0.0, 2.0 * np.pi, count)
    way = np.stack([np.sin(slant) * np.cos(azimuth), np.sin(slant) * np.sin(azimuth), -np.cos(slant)], 1)
    aim = np.column_stack([random.uniform(-0.8, 0.8, (count, 2)), np.zeros(count)])
    # From 2 radii up to 1.5 steps before the surface, so that every part of a step is met.
    height = random.uniform(2.0 * RADIUS, 1.5 * speed * H * np.cos(slant) + 2.0 * RADIUS)
    return aim - way * (height / np.cos(slant))[:, None], way * speed[:, None]


def lowest_of_flight(obstacle, shape, start, velocity, continuous):
    """Lowest height that a body's centre comes to in five steps."""
    world = od.World(surface=od.Surface(mu=0, bounce=0.5))
    obstacle(world)
    body = world.add_body(shape, position=start, linear_velocity=velocity)
    body.continuous = continuous
    lowest = np.inf
    for _ in range(5):
        world.advance(H)
        lowest = min(lowest, body.position[2])
    return lowest


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_no_shot_gets_through(obstacle):
    lowest = []
    for start, velocity in zip(*shots(150, 7), strict=True):
        lowest.append(lowest_of_flight(obstacle, od.Sphere(RADIUS), start, velocity, True))
    # A heightfield and a mesh stop it with the skin of the ball, the wall with its own.
    assert min(lowest) >= RADIUS * (1 - 2 * SKIN) - 1e-9
    assert max(lowest) < 2.0 * RADIUS  # each has met it


def test_they_get_through_otherwise():
    # The purpose of the sweep: without it, a fast ball passes through the wall.
    start, velocity = (0, 0, 0.3), (0, 0, -1000)
    assert lowest_of_flight(wall, od.Sphere(RADIUS), start, velocity, False) < -3.0
    assert lowest_of_flight(wall, od.Sphere(RADIUS), start, velocity, True) > 0.99 * RADIUS


@pytest.mark.parametrize("obstacle", OBSTACLES)
@pytest.mark.parametrize("kind", SHAPES)
def test_turning_bodies_of_any_shape_are_stopped(obstacle, kind):
    for (start, velocity), turn in zip(zip(*shots(12, 3), strict=True), range(12), strict=True):
        world = od.World(surface=od.Surface(mu=0.3, bounce=0.5))
        obstacle(world)
        shape = SHAPES[kind]()
        far = start + np.array([0, 0, 0.05])
        body = world.add_body(shape, position=far, linear_velocity=velocity, angular_velocity=(100.0 * turn, 300, -200))
        body.continuous = True
        # A hit off the centre makes it spin by several turns a step: infinitesimal rotations do not follow that.
        body.finite_rotation_mode = True
        for _ in range(6):
            world.advance(H)
            assert body.position[2] > 0.0, (kind, turn)
        assert body.linear_velocity[2] > velocity[2], (kind, turn)


def test_no_ball_gets_below_a_hilly_ground():
    random = np.random.default_rng(2)
    heights = random.uniform(-0.05, 0.05, (41, 41))
    x, z = np.meshgrid(np.linspace(-1, 1, 41), np.linspace(-1, 1, 41))
    cells = np.arange(40 * 41).reshape(40, 41)[:, :-1].ravel()
    triangles = np.concatenate(
        [np.stack([cells, cells + 41, cells + 1], 1), np.stack([cells + 1, cells + 41, cells + 42], 1)]
    )
    field = od.Heightfield(od.HeightfieldData(heights, width=2.0, depth=2.0), up="z")
    ground = od.Trimesh(np.stack([x, -z, heights], 2).reshape(-1, 3), triangles)
    for surface in (field, ground):
        world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.2, bounce=0.5))
        world.add_geom(surface)
        for start, velocity in zip(*shots(80, 4), strict=True):
            ball = world.add_body(od.Sphere(RADIUS), position=start + np.array([0, 0, 0.06]), linear_velocity=velocity)
            ball.continuous = True
            ball.geoms[0].category_bits, ball.geoms[0].collide_bits = 2, 1
        below = stopped = 0
        for _ in range(20):
            world.advance(H)
            stopped += world.statistics.stopped
            inside = world.positions[np.abs(world.positions[:, :2]).max(1) < 1.0]
            below += sum(field.point_depth(position) > 0.0 for position in inside)
        assert below == 0
        assert stopped >= 80


def test_a_stopped_ball_overlaps_by_the_skin_and_bounces():
    world = od.World(surface=od.Surface(mu=0, bounce=0.8))
    world.add_plane()
    ball = world.add_body(od.Sphere(RADIUS), position=(0, 0, 0.7), linear_velocity=(0, 0, -1000))
    ball.continuous = True
    world.advance(H)
    assert world.statistics.stopped == 1
    assert ball.position[2] == pytest.approx(RADIUS - SKIN * 2 * RADIUS, abs=1e-12)
    assert ball.linear_velocity.tolist() == [0, 0, -1000]
    world.advance(H)
    assert world.statistics.stopped == 0
    assert ball.linear_velocity[2] == pytest.approx(800.0, rel=1e-9)


def test_a_turned_box_stops_on_its_corner():
    # Its lowest corner is as deep as the skin takes away from three faces, along the vertical diagonal.
    world = od.World()
    world.add_plane()
    q = np.array(
        [np.cos(0.5 * np.arccos(3**-0.5)), *(np.sin(0.5 * np.arccos(3**-0.5)) * np.array([1, -1, 0]) / 2**0.5)]
    )
    box = world.add_body(od.Box((0.02, 0.02, 0.02)), position=(0, 0, 0.5), quaternion=q, linear_velocity=(0, 0, -900))
    box.continuous = True
    world.advance(H)
    corners = 0.01 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) @ box.rotation.T
    assert corners[:, 2].min() == pytest.approx(-0.01 * 3**0.5, rel=1e-6)  # it does stand on a corner
    assert (corners[:, 2] + box.position[2]).min() == pytest.approx(-SKIN * 0.02, abs=1e-12)


def test_two_balls_head_on_exchange_their_velocities():
    world = od.World(surface=od.Surface(mu=0, bounce=1.0))
    left = world.add_body(od.Sphere(RADIUS), position=(-0.21, 0, 0), linear_velocity=(700, 0, 0))
    right = world.add_body(od.Sphere(RADIUS), position=(0.3, 0, 0), linear_velocity=(-400, 0, 0))
    left.continuous = right.continuous = True
    world.advance(H)
    # 0.5 m between them pass in 0.5/1100 s.
    meeting = -0.21 + RADIUS + 700 * 0.5 / 1100
    assert left.position[0] + RADIUS == pytest.approx(meeting, abs=1e-4)
    assert right.position[0] - left.position[0] == pytest.approx(2 * RADIUS * (1 - SKIN), abs=1e-12)
    world.advance(H)
    assert left.linear_velocity[0] == pytest.approx(-400, rel=1e-9)
    assert right.linear_velocity[0] == pytest.approx(700, rel=1e-9)


def test_what_comes_first_stops_it_and_shields_what_is_behind():
    world = od.World(surface=od.Surface(mu=0))
    world.add_geom(od.Box((0.001, 1, 1), position=(0.2, 0, 0)))
    world.add_geom(od.Box((0.001, 1, 1), position=(0.1, 0, 0)))
    ball = world.add_body(od.Sphere(RADIUS), position=(0, 0, 0), linear_velocity=(1000, 0, 0))
    behind = world.add_body(od.Sphere(RADIUS), position=(-0.1, 0, 0), linear_velocity=(1000, 0, 0))
    ball.continuous = behind.continuous = True
    world.advance(H)
    assert world.statistics.stopped == 2
    assert ball.position[0] == pytest.approx(0.0995 - RADIUS, abs=1e-5)
    assert behind.position[0] == pytest.approx(ball.position[0] - 2 * RADIUS, abs=1e-4)  # on the stopped one


def test_moving_obstacles_and_compound_bodies_are_met():
    # A door that swings through a step meets a ball that is faster than it; the ball is the offset part of a body.
    world = od.World(surface=od.Surface(mu=0))
    door = world.add_body(od.Box((0.002, 1.0, 1.0)), mass=1.0, linear_velocity=(-50, 0, 0), kinematic=True)
    shapes = od.Sphere(RADIUS, position=(0.02, 0, 0)), od.Sphere(RADIUS, position=(-0.02, 0, 0))
    dumbbell = world.add_body(*shapes, position=(-0.3, 0, 0), linear_velocity=(600, 0, 0))
    dumbbell.continuous = door.continuous = True  # a kinematic body is not stopped
    world.advance(H)
    # They come nearer at 650 m/s; the front ball's surface is 0.3 - 0.02 - 0.005 - 0.001 before the door's.
    meeting = (0.3 - 0.026) / 650
    assert dumbbell.position[0] == pytest.approx(-0.3 + 600 * meeting, abs=1e-4)
    assert door.position[0] == pytest.approx(-0.05)


def test_a_mesh_that_flies_at_a_box_is_stopped():
    corners = 0.01 * np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
    world = od.World(surface=od.Surface(mu=0))
    world.add_geom(od.Box((0.001, 1, 1)))
    shape = od.Trimesh(corners, [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
    body = world.add_body(shape, position=(-0.5, 0, 0), linear_velocity=(800, 0, 0))
    body.continuous = True
    world.advance(H)
    # The least width is that of the box.
    assert body.position[0] == pytest.approx(-0.0105 + SKIN * 0.001, abs=1e-12)


def test_far_from_the_origin_and_at_any_speed():
    world = od.World(surface=od.Surface(mu=0))
    world.add_geom(od.Heightfield(od.HeightfieldData(np.zeros((5, 5)), 4.0, 4.0, wrap=True), up="z"))
    ball = world.add_body(od.Sphere(RADIUS), position=(1e4, -1e4, 0.5), linear_velocity=(3e5, 0, -700))
    faster = world.add_body(od.Sphere(RADIUS), position=(0, 0, 5.0), linear_velocity=(1e7, 1e7, -1e4))
    ball.continuous = faster.continuous = True
    world.advance(H)
    assert world.statistics.stopped == 2
    for body in (ball, faster):
        assert body.position[2] == pytest.approx(RADIUS * (1 - 2 * SKIN), abs=1e-9)


def test_a_ray_on_a_slow_body_does_not_make_it_fast():
    world = od.World()
    world.add_geom(od.Box((1, 1, 1), position=(0, 0, -0.5 - RADIUS)))
    body = world.add_body(od.Sphere(RADIUS), od.Ray(1.0), mass=1.0, position=(0, 0, 1e-4))
    body.linear_velocity = (0, 0, -0.5)
    body.continuous = True
    world.advance(H)
    assert world.statistics.stopped == 0
    assert body.position[2] == pytest.approx(-4e-4, abs=1e-15)


@pytest.mark.parametrize("bounce", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_energy_never_grows(obstacle, bounce):
    # Without restitution lost, no gravity: a step in which a ball bounces counts its fall as a rise, by m g v h.
    world = od.World(gravity=(0, 0, -10 if bounce < 1.0 else 0), erp=0.0, surface=od.Surface(mu=0, bounce=bounce))
    obstacle(world)
    for start, velocity in zip(*shots(5, 11), strict=True):
        world.add_body(od.Sphere(RADIUS), mass=1, position=start, linear_velocity=velocity).continuous = True
    energy = world.kinetic_energy + world.potential_energy
    for _ in range(30):
        world.advance(H)
        after = world.kinetic_energy + world.potential_energy
        assert after <= energy + 1e-12 * energy
        energy = after


def test_slow_bodies_move_to_the_last_bit_as_without():
    def run(continuous):
        world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5, bounce=0.3))
        world.add_plane()
        for k in range(6):
            shape = od.Box((0.2, 0.2, 0.2)) if k % 2 else od.Sphere(0.1)
            body = world.add_body(shape, position=(0.05 * k, 0, 0.15 + 0.25 * k), angular_velocity=(0, k, 1))
            body.continuous = continuous
        world.advance(5e-3, steps=300)
        return world.positions.tobytes() + world.quaternions.tobytes() + world.linear_velocities.tobytes()

    assert run(True) == run(False)


@pytest.mark.parametrize("obstacle", [mesh, heightfield, plane, wall])
def test_a_ball_that_slides_fast_is_not_held_up(obstacle):
    # 10 steps of 0.1 m along the surface and over its seams, pressed down by gravity.
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0))
    obstacle(world)
    ball = world.add_body(od.Sphere(RADIUS), position=(-0.6, 0.013, RADIUS), linear_velocity=(100, 0, 0))
    ball.continuous = True
    world.advance(H, steps=10)
    assert ball.position[0] == pytest.approx(0.4, abs=1e-9)
    assert ball.linear_velocity[0] == pytest.approx(100.0, rel=1e-12)


def storm(broadphase, callbacks=False, timed=False):
    random = np.random.default_rng(5)
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.2, bounce=0.9), broadphase=broadphase)
    world.continuous = True
    for axis in range(3):
        for side in (-1, 1):
            normal = np.zeros(3)
            normal[axis] = side
            world.add_plane(normal, -0.3)
    for _ in range(30):
        ball = world.add_body(od.Sphere(RADIUS), position=random.uniform(-0.28, 0.28, 3))
        ball.linear_velocity = 300.0 * random.normal(size=3)
    if callbacks:
        world.bodies[3].moved_callback = lambda body: None
    if timed:
        world.time_stages(H, steps=60)
    else:
        world.advance(H, steps=60)
    assert np.abs(world.positions).max() < 0.3
    return world.positions.tobytes() + world.linear_velocities.tobytes()


def test_the_broadphase_and_the_way_of_stepping_change_nothing():
    expected = storm("simple")
    assert expected == storm("simple")
    assert expected == storm("tree") == storm("hash")
    assert expected == storm("simple", callbacks=True)
    assert expected == storm("simple", timed=True)


def test_the_default_is_for_new_bodies_and_only_truth_values_do():
    world = od.World()
    assert not world.continuous
    before = od.Body(world)
    world.continuous = True
    assert od.Body(world).continuous
    assert not before.continuous
    for value in ("yes", None, 0.5):
        with pytest.raises(TypeError, match="continuous"):
            before.continuous = value
        with pytest.raises(TypeError, match="continuous"):
            world.continuous = value
    assert not before.continuous
    assert world.continuous


def test_step_does_not_sweep():
    world = od.World()
    world.add_geom(od.Box((0.001, 1, 1)))
    ball = world.add_body(od.Sphere(RADIUS), position=(-0.5, 0, 0), linear_velocity=(1000, 0, 0))
    ball.continuous = True
    world.advance(1e-6)
    world.step(H)
    assert ball.position[0] > 0.4
