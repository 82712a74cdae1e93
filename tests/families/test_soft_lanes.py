"""The solver "soft" in lanes: contacts and ball joints give the same results as sequentially."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_LINKS, ISLANDS, SLOTS
from tests.unit.scenes import state

G, H = 9.81, 1 / 60
MANY = 40  # enough to be coloured
SPACING = 3.0


def on_platform(count, surface, build):
    """`count` groups of bodies on one moving platform, which makes them one island; each of `build(world, x, y)`."""
    world = od.World(gravity=(0.7, 0.2, -G), solver="soft", surface=surface, name=f"{count}")
    world.soft_substeps = 4  # of a few bodies as of many
    world.add_body(od.Box((400, 400, 1)), position=(0, 0, -0.5), kinematic=True, linear_velocity=(0.3, -0.1, 0.02))
    groups = [build(world, SPACING * (k % 10), SPACING * (k // 10)) for k in range(count)]
    return world, groups


def differences(surface, build, steps):
    """How far the motion in lanes strays from that alone: positions relative to the place, and velocities."""
    alone, (one,) = on_platform(1, surface, build)
    many, groups = on_platform(MANY, surface, build)
    worst, fastest = 0.0, 0.0
    for _ in range(steps):
        alone.advance(H)
        many.advance(H)
        for k, group in enumerate(groups):
            place = np.array([SPACING * (k % 10), SPACING * (k // 10), 0.0])
            for body, other in zip(group, one, strict=True):
                worst = max(worst, abs(body.position - place - other.position).max())
                worst = max(worst, abs(body.linear_velocity - other.linear_velocity).max())
                worst = max(worst, abs(body.angular_velocity - other.angular_velocity).max())
                fastest = max(fastest, abs(other.linear_velocity).max())
    assert fastest > 0.3
    return worst


def sliding_box(world, x, y):
    return [
        world.add_body(
            od.Box((1, 0.8, 0.5)),
            position=(x, y, 0.27),
            linear_velocity=(1.5, 0.4, -0.5),
            angular_velocity=(0, 0, 1.0),
            mass=3.0,
        )
    ]


SURFACES = {
    "pyramid": od.Surface(mu=0.3),
    "two coefficients": od.Surface(mu=0.2, mu2=0.6),
    "cone": od.Surface(mu=0.3, cone="elliptic"),
    "conveyor": od.Surface(mu=0.5, motion1=0.7, motion2=-0.3),
    "rising": od.Surface(mu=0.5, motion_normal=0.1),
    "bouncing": od.Surface(mu=0.2, bounce=0.6),
    "sticking": od.Surface(mu=math.inf),
}


@pytest.mark.parametrize("name", SURFACES)
def test_contacts_in_lanes_move_bodies_as_alone(name):
    """Coefficients are float32: a step differs by 1e-7 of the velocities."""
    assert differences(SURFACES[name], sliding_box, 20) < 3e-5


def test_touching_balls_in_lanes_roll_as_alone():
    def ball(world, x, y):
        return [world.add_body(od.Sphere(0.4), position=(x, y, 0.4), linear_velocity=(1, 0.5, 0))]

    assert differences(od.Surface(mu=0.4), ball, 60) < 3e-5


def test_manifolds_of_different_points_stand_side_by_side():
    """One and four points in the lanes of a group, and lanes that are empty: none takes what belongs to its neighbour."""

    def two(world, x, y):
        motion = {"mass": 3.0, "linear_velocity": (0.8, 0.4, -0.5)}
        ball = world.add_body(od.Sphere(0.4), position=(x - 1.0, y, 0.42), **motion)
        return [ball, world.add_body(od.Box((0.5, 0.4, 0.1)), position=(x + 1.0, y, 0.07), **motion)]

    assert differences(od.Surface(mu=0.3, cone="elliptic"), two, 20) < 3e-5


def test_ball_joints_in_lanes_swing_as_alone():
    def pendulum(world, x, y):
        bob = world.add_body(od.Box((0.2, 0.3, 0.4)), position=(x + 1.0, y, 4.0), mass=2.0, angular_velocity=(3, 1, 0))
        world.add_ball(bob, world.bodies[0], anchor=(x, y, 4.0))
        return [bob]

    assert differences(od.Surface(mu=0.4), pendulum, 120) < 1e-3


def test_fast_ball_joints_in_lanes_turn_as_alone():
    """A bar whirls by 1.2 rad a step about its anchor, so that arms turn far from where the step began."""

    def bar(world, x, y):
        body = world.add_body(
            od.Box((0.6, 0.2, 0.2)), position=(x + 0.5, y, 2), angular_velocity=(0, 0, 72.0), mass=2.0
        )
        body.linear_velocity = (0.0, 36.0, 0.0)
        world.add_ball(world.bodies[0], body, anchor=(x, y, 2))
        return [body]

    assert differences(od.Surface(), bar, 3) < 1e-3


def test_chains_in_lanes_hang_and_report_their_forces():
    world = od.World(gravity=(0, 0, -G), solver="soft")
    world.soft_substeps = 4  # of a few bodies as of many
    ceiling = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 1), kinematic=True)
    first = []
    for k in range(8):
        last = ceiling
        for i in range(6):
            body = world.add_body(mass=1.0, position=(k, 0, -0.3 * i - 0.15))
            joint = world.add_ball(body, last, anchor=(k, 0, -0.3 * i))
            first += [joint] if i == 0 else []
            last = body
    world.advance(H, steps=300)
    assert max(math.dist(joint.anchor, joint.anchor2) for joint in world.joints) < 5e-3
    for joint in first:
        assert joint.feedback.force1[2] == pytest.approx(6 * G, rel=0.01)


def pile(count):
    world = od.World(gravity=(0, 0, -G), solver="soft")
    world.soft_substeps = 4  # of a few bodies as of many
    world.add_plane()
    random = np.random.default_rng(3)
    for k in range(count):
        at = (0.5 * (k % 4), 0.5 * (k // 4 % 4), 0.4 + 0.45 * (k // 16))
        world.add_body(od.Box(random.uniform(0.3, 0.5, 3)), position=at)
    return world


def test_a_pile_in_lanes_weighs_what_it_should():
    world = pile(96)
    world.advance(H, steps=400)
    weight = G * sum(body.mass for body in world.bodies)
    assert len(world.contacts) > 200
    assert abs(world.contact_force(world.geoms[0])[2]) == pytest.approx(weight, rel=0.02)


def test_a_pile_in_lanes_repeats_itself_bit_by_bit():
    worlds = [pile(96) for _ in range(2)]
    worlds[1].threads = 2
    for world in worlds:
        world.advance(H, steps=60)
    assert np.array_equal(state(worlds[0]), state(worlds[1]))


def test_more_contacts_than_colours():
    """Rows for which no colour is left are solved on their own: a slab on 100 balls sinks as evenly as on 25."""
    for side in (5, 10):
        world = od.World(gravity=(0, 0, -G), solver="soft")
        world.soft_substeps = 4  # of a few bodies as of many
        world.add_plane()
        for k in range(side * side):
            world.add_body(od.Sphere(0.1), position=(k % side, k // side, 0.1))
        slab = world.add_body(od.Box((side, side, 0.2)), position=((side - 1) / 2, (side - 1) / 2, 0.3), density=50)
        world.advance(H, steps=240)
        assert abs(slab.position[2] - 0.3) < 5e-3
        assert abs(slab.angular_velocity).max() < 1e-2


def test_impacts_in_lanes_create_no_energy():
    """A hail of boxes with restitution 1 on each other and on the ground."""
    world = od.World(gravity=(0, 0, 0), solver="soft", surface=od.Surface(mu=0.4, bounce=1.0))
    world.soft_substeps = 4  # of a few bodies as of many
    random = np.random.default_rng(5)
    for k in range(120):
        world.add_body(
            od.Box((0.5, 0.5, 0.5)),
            position=0.62 * np.array([k % 5, k // 5 % 5, k // 25]),
            linear_velocity=random.normal(size=3),
            angular_velocity=random.normal(size=3),
        )
    before = start = world.kinetic_energy
    most = 0
    for _ in range(120):
        world.advance(H)
        after, most = world.kinetic_energy, max(most, len(world.contacts))
        assert after <= before * (1 + 1e-6)
        before = after
    assert most > 50
    assert after > 0.3 * start


def test_tilted_boxes_that_meet_the_ground_in_the_step_are_stopped_as_alone():
    """Across a gap each point has a way of its own from one body to the other."""

    def falling_box(world, x, y):
        world.speculative_margin = 0.2
        turn = od.rotation.quaternion_from_axis_angle((1, 0.5, 0), 0.04)
        velocity = (0.5, 0, -6.0)
        return [world.add_body(od.Box((1, 0.8, 0.5)), position=(x, y, 0.35), quaternion=turn, linear_velocity=velocity)]

    assert differences(od.Surface(mu=0.4), falling_box, 12) < 3e-5


def links_of_islands(world):
    """The links and bodies of each island of the last step, in memory order."""
    store = world._store
    for island in store[ISLANDS][: store.used(ISLANDS)]:
        links, bodies = int(island["first_link"]), int(island["first_body"])
        yield (
            store[ISLAND_LINKS][links : links + island["links"]].tolist(),
            store[ISLAND_BODIES][bodies : bodies + island["bodies"]].tolist(),
        )


@pytest.mark.parametrize(
    ("solver", "order", "ordered"),
    [("soft", "", True), ("auto", "", True), ("exact", "", False), ("pgs", "blocks", True), ("pgs", "ode", False)],
)
def test_large_islands_stand_in_the_order_of_memory_where_no_order_is_asked_for(solver, order, ordered):
    world = od.World(gravity=(0, 0, -G), solver=solver)
    world.quickstep_order = order or world.quickstep_order
    world.add_plane()
    world.add_bodies(od.Box((1, 1, 1)), [(k + 0.5 * row, 0, 0.5 + row) for row in range(8) for k in range(8 - row)])
    world.advance(H)
    links, bodies = max(links_of_islands(world), key=lambda found: len(found[0]))
    assert len(links) > 256
    assert (links == sorted(links)) == ordered
    assert (bodies == sorted(bodies)) == ordered
    assert world._store[SLOTS][bodies].tolist() == list(range(len(bodies)))
