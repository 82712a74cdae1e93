"""Speculative contacts in all configurations: broadphases, threads, callbacks, hooks, moving surfaces, sleep and limits."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import opendynamics as od
from tests.unit.scenes import state

H = 1 / 60


def rain(margin="auto", **options):
    """Bodies of every kind that fall on a plane, a box and hills, and on each other."""
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5, bounce=0.3), **options)
    world.speculative_margin = margin
    random = np.random.default_rng(4)
    world.add_geom(od.Heightfield(od.HeightfieldData(random.uniform(0, 0.3, (9, 9)), width=4, depth=4), up="z"))
    world.add_geom(od.Box((1, 1, 1)))
    world.add_plane()
    shapes = [
        lambda: od.Sphere(0.1),
        lambda: od.Box((0.3, 0.2, 0.1)),
        lambda: od.Capsule(0.08, 0.2),
        lambda: od.Cylinder(0.1, 0.2),
    ]
    for k in range(32):
        place = (*random.uniform(-0.8, 0.8, 2), random.uniform(1.0, 3.0))
        quaternion = random.normal(size=4)
        world.add_body(
            shapes[k % 4](),
            position=place,
            quaternion=quaternion / np.linalg.norm(quaternion),
            linear_velocity=random.uniform(-5, 5, 3),
            angular_velocity=random.uniform(-5, 5, 3),
            density=1000,
        )
    return world


@pytest.mark.parametrize("margin", [0.05, "auto"])
def test_reruns_and_single_steps_agree_to_the_last_bit(margin):
    worlds = [rain(margin) for _ in range(3)]
    worlds[0].advance(H, steps=60)
    worlds[1].advance(H, steps=60)
    for _ in range(60):
        worlds[2].advance(H)
    assert len({state(world).tobytes() for world in worlds}) == 1
    assert worlds[0].statistics == worlds[2].statistics
    assert worlds[0].statistics.speculative > 0


def test_all_broadphases_give_the_same_bits():
    results = set()
    for name in ("tree", "simple", "hash", "sweep_and_prune"):
        world = rain(broadphase=name)
        world.advance(H, steps=40)
        results.add(state(world).tobytes())
    assert len(results) == 1


def test_the_number_of_threads_changes_no_bit():
    results = set()
    for threads in (1, 3):
        world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.6))
        world.speculative_margin = "auto"
        world.threads = threads
        world.add_plane()
        for k in range(60):
            for level in range(4):
                world.add_body(od.Box((1, 1, 1)), position=(3.0 * k, 0.02 * level, 0.5 + 1.02 * level), density=1)
        world.advance(H, steps=12)
        results.add(state(world).tobytes())
    assert len(results) == 1


def test_callbacks_after_each_step_change_nothing():
    plain, reported = rain(), rain()
    reported.bodies[3].moved_callback = lambda body: None
    plain.advance(H, steps=30)
    reported.advance(H, steps=30)
    assert state(plain).tobytes() == state(reported).tobytes()
    reported.time_stages(H, 2)
    plain.advance(H, steps=2)
    assert state(plain).tobytes() == state(reported).tobytes()


def test_with_continuous_bodies():
    # Margins hold what they can; the sweep stops the rest.
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0))
    world.continuous = True
    world.speculative_margin = 0.02
    world.add_geom(od.Box((2, 2, 0.001), position=(0, 0, -0.0005)))
    slow = world.add_body(od.Sphere(0.005), position=(0.5, 0, 0.02), linear_velocity=(0, 0, -1))
    fast = world.add_body(od.Sphere(0.005), position=(0, 0, 0.9), linear_velocity=(0, 0, -200))
    for _ in range(10):
        world.advance(H)
        assert slow.position[2] > 0.00499
        assert fast.position[2] > 0.0049


def test_a_moving_mesh_arrives_on_a_box_and_a_kinematic_body_pushes_in_time():
    corners = 0.1 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
    world = od.World(gravity=(0, 0, -10))
    world.speculative_margin = "auto"
    world.add_geom(od.Box((4, 4, 1), position=(0, 0, -0.5)))
    mesh = world.add_body(
        od.Trimesh(corners, faces),
        mass=od.Mass.box((0.2, 0.2, 0.2), density=1000),
        position=(0, 0, 0.22),
        linear_velocity=(0, 0, -8),
    )
    for _ in range(10):
        world.advance(H)
        assert mesh.position[2] > 0.1 - 1e-6
    assert mesh.position[2] == pytest.approx(0.1, abs=1e-5)

    world = od.World(surface=od.Surface(mu=0))
    world.speculative_margin = "auto"
    pusher = world.add_body(od.Box((0.2, 1, 1)), position=(-0.5, 0, 0))
    pusher.kinematic = True
    pusher.linear_velocity = (10, 0, 0)
    ball = world.add_body(od.Sphere(0.1), mass=1)
    for _ in range(8):
        world.advance(H)
        assert ball.position[0] - pusher.position[0] > 0.2 - 1e-6
    assert ball.linear_velocity[0] == pytest.approx(10, abs=1e-6)


def test_geoms_beside_their_bodies_centre():
    # A dumbbell falls flat and onto one end.
    for tilt, least in ((0.0, 1e-6), (0.3, 5e-3)):
        world = od.World(gravity=(0, 0, -10))
        world.speculative_margin = 0.3
        world.add_plane()
        turn = od.rotation.quaternion_from_axis_angle((0, 1, 0), tilt)
        bar = world.add_body(
            mass=od.Mass.box((1, 0.2, 0.2), mass=2), position=(0, 0, 0.7), quaternion=turn, linear_velocity=(0, 0, -10)
        )
        ends = [od.Sphere(0.1), od.Sphere(0.1)]
        for end, x in zip(ends, (-0.5, 0.5), strict=True):
            end.body = bar
            end.offset_position = (x, 0, 0)
            world.space.add(end)
        for _ in range(20):
            world.advance(H)
            assert min(end.position[2] for end in ends) > 0.1 - least, tilt


def test_pairs_that_python_collides_are_left_to_it():
    calls = []

    def touching(sphere, box, most):
        calls.append((tuple(sphere.position), tuple(box.position)))
        return NotImplemented

    od.set_collider(od.Sphere, od.Box, touching)
    try:
        world = od.World(gravity=(0, 0, -10))
        world.speculative_margin = 0.5
        box = world.add_geom(od.Box((2, 2, 1), position=(0, 0, -0.5)))
        ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.3))
        world.advance(H, steps=2)
        assert world.statistics.contacts == 0
        assert len(calls) >= 2
        assert all(places[1] == tuple(box.position) for places in calls)
    finally:
        od.set_collider(od.Sphere, od.Box, None)
    world.advance(H)
    assert world.statistics.speculative == 1
    assert ball.position[2] > 0.1


def test_limits_of_contacts_hold_for_both_kinds_together():
    world = od.World(gravity=(0, 0, -10))
    world.speculative_margin = 0.1
    world.max_contacts = 3
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.55))
    world.advance(H)
    assert world.statistics.contacts == 3
    world.max_contacts = 1
    for _ in range(30):
        world.advance(H)
        assert world.statistics.contacts <= 1
    assert box.position[2] > 0.2


def test_joined_bodies_and_filtered_geoms_have_none():
    world = od.World()
    world.speculative_margin = 1.0
    first, second = (world.add_body(od.Sphere(0.1), position=(x, 0, 0)) for x in (0, 0.5))
    world.advance(H)
    assert world.statistics.speculative == 1
    joint = world.add_ball(first, second, anchor=(0.25, 0, 0))
    world.advance(H)
    assert world.statistics.speculative == 0
    joint.destroy()
    first.geoms[0].category_bits = first.geoms[0].collide_bits = 0
    world.advance(H)
    assert world.statistics.speculative == 0


def test_contact_surface_layer_is_what_gaps_close_to():
    world = od.World(gravity=(0, 0, -10))
    world.speculative_margin = "auto"
    world.contact_surface_layer = 0.01
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.2), linear_velocity=(0, 0, -10))
    world.advance(H)
    assert ball.position[2] == pytest.approx(0.09, abs=1e-5)
    world.advance(H, steps=30)
    assert ball.position[2] == pytest.approx(0.09, abs=1e-5)


def test_a_surface_that_moves_along_its_normal_carries_from_the_gap_on():
    # As a conveyor that lifts: the ball leaves with the surface's own speed at least.
    world = od.World(surface=od.Surface(mu=0, motion_normal=2.0))
    world.speculative_margin = 0.2
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.1))
    world.advance(H)
    assert ball.linear_velocity[2] == pytest.approx(2.0, rel=1e-6)


def test_worlds_without_a_margin_load_nothing_of_it():
    script = """
import sys
import opendynamics as od

world = od.World(gravity=(0, 0, -10))
world.add_plane()
world.add_body(od.Sphere(0.1), position=(0, 0, 0.2))
stages = "opendynamics.core.collide.speculative.near_contacts"
world.advance(0.01)
assert stages not in sys.modules
world.speculative_margin = 0.1
world.advance(0.01)
assert stages in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("kind", ["sphere", "box", "cylinder"])
@pytest.mark.parametrize("scale", [1e-3, 1e2])
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_small_and_large_bodies_far_from_the_origin(kind, scale, far):
    shapes = {
        "sphere": lambda: od.Sphere(0.1 * scale),
        "box": lambda: od.Box((0.2 * scale, 0.3 * scale, 0.2 * scale)),
        "cylinder": lambda: od.Cylinder(0.1 * scale, 0.2 * scale),
    }
    world = od.World(gravity=(0, 0, -10))
    world.speculative_margin = "auto"
    world.cfm = 0.0  # or large ones would give way
    world.add_geom(od.Box((4 * scale, 4 * scale, scale), position=(far, far, -0.5 * scale)))
    body = world.add_body(
        shapes[kind](), position=(far, far, 1.1 * scale), linear_velocity=(0, 0, -10 * scale), density=1000
    )
    for _ in range(12):
        world.advance(H)
        assert body.position[2] > 0.1 * scale - 2e-7 * max(scale, 1.0)
    assert abs(body.linear_velocity[2]) < 0.1 * scale
