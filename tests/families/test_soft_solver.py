"""The solver "soft": stacks, joints, motors, impacts and friction in its sub-steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od
from benchmarks.peers.solids import arch, creep, tower
from opendynamics import scenes
from opendynamics.core.arrays.islands import LINKS
from opendynamics.core.solve.soft.links import CONTINUES, LANE_KIND
from opendynamics.core.solve.soft.plan.layout import CONTACTS
from tests.unit.scenes import state

G, H = 9.81, 1 / 60


def new_world(*, ground=True, gravity=(0, 0, -G), **options):
    world = od.World(gravity=gravity, solver="soft", **options)
    if ground:
        world.add_plane()
    return world


def energy(world):
    return world.kinetic_energy + sum(body.mass * -world.gravity[2] * body.position[2] for body in world.bodies)


def joint_error(world):
    return max(math.dist(joint.anchor, joint.anchor2) for joint in world.joints if hasattr(joint, "anchor2"))


# Stacks.


def fastest(world):
    return max(abs(world.linear_velocities).max(), abs(world.angular_velocities).max())


def test_a_tower_of_ten_stands():
    world = new_world()
    for k in range(10):
        world.add_body(od.Box((1, 1, 1)), position=(0.01 * (k % 3), 0, 0.5 + k))
    before = world.positions
    world.advance(H, steps=600)
    assert abs(world.positions - before).max() < 0.03
    assert fastest(world) < 5e-3


def test_contacts_of_two_faces_are_one_manifold():
    """All contacts of a pair of boxes but the first continue a manifold, which is solved as one."""
    world = new_world()
    for row in range(7):
        for column in range(7 - row):
            world.add_body(od.Box((1, 1, 1)), position=(1.05 * column + 0.525 * row, 0, 0.5 + row))
    world.advance(H, steps=3)
    links = world._store[LINKS][: world._store.used(LINKS)]
    pairs = {(link["body0"], link["body1"]) for link in links}
    assert len(links) >= 4 * len(pairs)
    assert (links["traits"] & LANE_KIND == CONTACTS + 1).all()
    assert np.count_nonzero(links["traits"] & CONTINUES) == len(links) - len(pairs)


def test_a_pyramid_of_twenty_courses_stands():
    world = new_world()
    for row in range(20):
        for column in range(20 - row):
            world.add_body(od.Box((1, 1, 1)), position=(1.05 * column + 0.525 * row, 0, 0.5 + row))
    before = world.positions
    world.advance(H, steps=300)
    assert abs(world.positions - before).max() < 0.05
    assert fastest(world) < 0.02


def small_tower(count):
    world = new_world()
    for k in range(count):
        world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * k))
    return world


def test_a_tower_of_small_cubes_does_not_buckle():
    """A column of n cubes of size a on springs of frequency f stands if (2 π f)² > n³ g / a, here f > 35 Hz."""
    world = small_tower(10)
    world.advance(0.01, steps=600)
    assert abs(world.positions[:, :2]).max() < 0.01
    assert world.positions[-1][2] > 1.9 - 0.01
    weak = small_tower(10)
    weak.soft_substeps, weak.soft_contact_frequency = 4, 20.0
    weak.advance(0.01, steps=600)
    assert abs(weak.positions[:, :2]).max() > 0.1


@pytest.mark.parametrize(
    "scene",
    [tower(10), tower(6, top=100.0), arch(21), tower(50)],
    ids=["tower of 10", "100 : 1 on five boxes", "arch of 21 stones", "tower of 50"],
)
def test_what_is_slender_takes_as_many_sub_steps_as_it_needs_to_stand(scene):
    """With 4 they swayed by millimetres, or fell."""
    assert creep(scene, 5.0, solver="soft") * 5.0 / 60.0 < 1e-3


def test_what_is_broad_or_joined_takes_few_sub_steps():
    wall, chain, column = new_world(), new_world(ground=False), new_world()
    for k in range(10):
        for column_of_wall in range(10):
            wall.add_body(od.Box((0.2, 0.2, 0.2)), position=(0.2 * column_of_wall, 0, 0.1 + 0.2 * k))
        chain.add_body(od.Sphere(0.1), position=(0, 0, -0.3 * k))
        column.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * k))
    for k, ball in enumerate(chain.bodies):
        chain.add_ball(ball, chain.bodies[k - 1] if k else None, anchor=(0, 0, 0.15 - 0.3 * k))
    for world in (wall, chain, column):
        world.advance(0.01, steps=3)
    assert wall.statistics.iterations == chain.statistics.iterations == 2 * 4
    assert column.statistics.iterations == 2 * 12


@pytest.mark.parametrize("gravity", [0.0, G])
def test_what_is_deep_in_each_other_parts_without_energy(gravity):
    """What relaxation left of the velocities that mend overlap was up to 1e-3 of the energy before the step."""
    world = new_world(ground=False, gravity=(0, 0, -gravity))
    rng = np.random.default_rng(4)
    for _ in range(60):
        place = 5.0 * rng.normal(size=3)
        for side in (-0.15, 0.15):
            turn = rng.normal(size=4)
            world.add_body(
                od.Box((0.4, 0.3, 0.5)), position=place + np.array((0, 0, side)), quaternion=turn / np.linalg.norm(turn)
            )
    for _ in range(20):
        before = energy(world)
        world.advance(H)
        assert energy(world) - before < 0.5 * sum(body.mass for body in world.bodies) * (gravity * H) ** 2 + 1e-9


def test_contacts_as_stiff_as_can_be_do_not_swing():
    """Beyond 0.22 of the sub-steps' frequency a tower rocks at 4 Hz and never stops."""
    world = small_tower(5)
    world.soft_contact_frequency = 1000.0
    world.advance(0.01, steps=400)
    assert fastest(world) < 1e-3


def test_a_pyramid_of_small_cubes_stands_in_a_default_world():
    world = od.World(gravity=(0, 0, -G))
    world.add_plane()
    for row in range(20):
        for column in range(20 - row):
            world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0.21 * (column + 0.5 * row), 0, 0.1 + 0.2 * row))
    world.advance(0.01, steps=100)
    before = world.positions
    world.advance(0.01, steps=300)
    assert world.statistics.solvers["soft"] > 0
    assert abs(world.positions - before).max() < 5e-3


def test_a_wall_of_overlapping_bricks_comes_to_rest():
    world = new_world()
    for row in range(8):
        for column in range(8):
            width = 0.5 if row % 2 and column in (0, 8) else 1.0
            world.add_body(
                od.Box((width, 0.5, 0.5)), position=(1.002 * column + 0.25 * (row % 2), 0, 0.249 + 0.499 * row)
            )
    world.advance(H, steps=600)
    assert fastest(world) < 1e-2
    assert world.statistics.deepest < 5e-3


def test_a_stack_falls_asleep_and_a_ball_wakes_it():
    world = new_world()
    world.auto_disable = True
    boxes = [world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5 + k)) for k in range(3)]
    world.advance(H, steps=300)
    assert not any(box.enabled for box in boxes)
    asleep = world.positions
    ball = world.add_body(od.Sphere(0.3), position=(-3, 0, 2.0), linear_velocity=(20, 0, 0), density=5000)
    world.advance(H, steps=30)
    assert all(box.enabled for box in boxes) and ball.position[0] > -1.0
    assert abs(world.positions[:3] - asleep).max() > 0.1


# Impacts and friction.


@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
def test_a_ball_leaves_with_its_restitution(bounce):
    world = new_world(surface=od.Surface(bounce=bounce, bounce_velocity=0.1))
    ball = world.add_body(od.Sphere(0.2), position=(0, 0, 1.2))
    fastest_down = 0.0
    while ball.position[2] > 0.25 or ball.linear_velocity[2] < 0.0:
        fastest_down = min(fastest_down, ball.linear_velocity[2])
        world.advance(H)
        if ball.position[2] < 0.25 and abs(ball.linear_velocity[2]) < 1e-3 and bounce == 0.0:
            break
    assert ball.linear_velocity[2] == pytest.approx(-bounce * fastest_down, abs=0.02)


def test_overlap_is_mended_without_speed():
    """A box that begins 20 cm deep comes out, and is not thrown: as velocity, ERP would give it 2.4 m/s."""
    world = new_world()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.3))
    highest = 0.0
    for _ in range(120):
        world.advance(H)
        highest = max(highest, box.linear_velocity[2])
        assert box.position[2] < 0.55
    assert highest < 0.6
    assert box.position[2] == pytest.approx(0.5, abs=2e-3)


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
@pytest.mark.parametrize(("mu", "slides"), [(0.45, True), (0.55, False)])
def test_friction_on_a_slope(cone, mu, slides):
    """tan 26.57 degrees = 0.5; what slides does so with g (sin - mu cos)."""
    angle = math.atan(0.5)
    world = new_world(
        ground=False, gravity=(G * math.sin(angle), 0, -G * math.cos(angle)), surface=od.Surface(mu=mu, cone=cone)
    )
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 0.2)), position=(0, 0, 0.1))
    world.advance(H, steps=120)
    want = G * (math.sin(angle) - mu * math.cos(angle)) * 2.0 if slides else 0.0
    assert box.linear_velocity[0] == pytest.approx(want, rel=0.02, abs=1e-3)


def test_rolling_friction_stops_a_ball():
    worlds = [new_world(surface=od.Surface(mu=1.0, rolling=rolling)) for rolling in (0.0, 0.01)]
    for world in worlds:
        world.add_body(od.Sphere(0.2), position=(0, 0, 0.2), linear_velocity=(1, 0, 0), angular_velocity=(0, 5, 0))
        world.advance(H, steps=240)
    free, braked = (world.bodies[0].linear_velocity[0] for world in worlds)
    assert free > 0.9
    assert abs(braked) < 1e-2


def test_a_kinematic_platform_carries_a_box():
    world = new_world(ground=False, surface=od.Surface(mu=1.0))
    platform = world.add_body(od.Box((10, 2, 0.2)), position=(0, 0, 0), kinematic=True, linear_velocity=(1, 0, 0.5))
    box = world.add_body(od.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.35), linear_velocity=(1, 0, 0.5))
    world.advance(H, steps=120)
    assert platform.position == pytest.approx((2, 0, 1), abs=1e-9)
    assert box.position == pytest.approx((2, 0, 1.35), abs=5e-3)


def test_soft_contacts_are_springs():
    """erp = h k / (h k + d), cfm = 1 / (h k + d): the box sinks in by m g / k."""
    stiffness, damping, mass = 2000.0, 200.0, 10.0
    erp, cfm = od.erp_cfm(stiffness, damping, H) if hasattr(od, "erp_cfm") else spring(stiffness, damping)
    world = new_world(surface=od.Surface(soft_erp=erp, soft_cfm=cfm))
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.5), mass=mass)
    world.advance(H, steps=600)
    assert 0.5 - ball.position[2] == pytest.approx(mass * G / stiffness, rel=1e-3)


def spring(stiffness, damping):
    return H * stiffness / (H * stiffness + damping), 1.0 / (H * stiffness + damping)


# Joints.


def test_a_pendulum_swings_as_by_the_exact_step():
    angles = {}
    for solver in ("soft", "exact"):
        world = od.World(gravity=(0, 0, -G), solver=solver)
        bob = world.add_body(od.Sphere(0.1), position=(1, 0, 0), mass=1)
        hinge = world.add_hinge(bob, None, anchor=(0, 0, 0), axis=(0, 1, 0))
        world.advance(1 / 240, steps=240)
        angles[solver] = hinge.angle
        assert math.dist(bob.position, (0, 0, 0)) == pytest.approx(1.0, abs=2e-3)
    assert angles["soft"] == pytest.approx(angles["exact"], abs=0.02)


def test_a_hanging_chain_holds_a_heavy_weight():
    world = new_world(ground=False)
    last = None
    for k in range(10):
        body = world.add_body(od.Sphere(0.1), position=(0, 0, -0.3 * k - 0.15), mass=1.0 if k < 9 else 10.0)
        world.add_ball(body, last, anchor=(0, 0, -0.3 * k))
        last = body
    world.advance(H, steps=300)
    assert joint_error(world) < 0.01
    force = world.joints[0].feedback.force1[2]
    assert force == pytest.approx(19 * G, rel=0.01)
    assert fastest(world) < 0.05


def test_ragdolls_fall_without_coming_apart():
    worst = {}
    for solver in ("soft", "exact"):
        scene = scenes.build("ragdolls")
        scene.world.solver = solver
        before, worst[solver] = energy(scene.world), 0.0
        for _ in range(180):
            scene.world.advance(H)
            worst[solver] = max(worst[solver], joint_error(scene.world))
        assert energy(scene.world) < before
    assert worst["soft"] < max(2.0 * worst["exact"], 0.05)


def test_motor_and_stops_of_a_hinge():
    world = new_world(ground=False, gravity=(0, 0, 0))
    wheel = world.add_body(od.Cylinder(0.5, 0.1), mass=2.0)
    hinge = world.add_hinge(wheel, None, anchor=(0, 0, 0), axis=(0, 0, 1), stops=(-1.0, 1.0))
    hinge.motor(velocity=2.0, max_torque=50.0)
    world.advance(H, steps=20)
    assert abs(wheel.angular_velocity[2]) == pytest.approx(2.0, rel=1e-6)
    world.advance(H, steps=60)
    assert abs(hinge.angle) == pytest.approx(1.0, abs=0.02)
    assert abs(wheel.angular_velocity[2]) < 1e-3


def test_a_motor_has_no_more_than_its_force():
    world = new_world(ground=False, gravity=(0, 0, 0))
    cart = world.add_body(od.Box((1, 1, 1)), mass=3.0)
    world.add_slider(cart, None, axis=(1, 0, 0)).motor(100.0, 6.0)
    world.advance(H, steps=60)
    assert abs(cart.linear_velocity[0]) == pytest.approx(2.0, rel=1e-6)


def test_a_spring_by_erp_and_cfm_hangs_where_it_should():
    world = new_world(ground=False)
    stiffness, damping = 500.0, 20.0
    erp, cfm = spring(stiffness, damping)
    body = world.add_body(od.Sphere(0.1), position=(0, 0, 0), mass=5.0)
    joint = world.add_ball(body, None, anchor=(0, 0, 0))
    joint.erp, joint.cfm = erp, cfm
    world.advance(H, steps=600)
    assert body.position[2] == pytest.approx(-5.0 * G / stiffness, rel=1e-3)


def test_breakable_joints_break_by_mean_forces():
    world = new_world(ground=False)
    body = world.add_body(od.Sphere(0.1), position=(0, 0, 0), mass=5.0)
    joint = world.add_ball(body, None, anchor=(0, 0, 0))
    joint.break_force = 60.0
    world.advance(H, steps=60)
    assert not joint.broken and joint.feedback.force1[2] == pytest.approx(5.0 * G, rel=1e-3)
    body.add_force((0, 0, -20.0))
    world.advance(H)
    assert joint.broken and joint.feedback.force1[2] == pytest.approx(5.0 * G + 20.0, rel=1e-3)


def test_momentum_is_conserved():
    world = new_world(ground=False, gravity=(0, 0, 0))
    random = np.random.default_rng(1)
    last = None
    for k in range(6):
        body = world.add_body(
            od.Box((0.4, 0.3, 0.5)), position=(0.5 * k, 0, 0), mass=1.0 + k, linear_velocity=random.normal(size=3)
        )
        if last is not None:
            world.add_ball(body, last, anchor=(0.5 * k - 0.25, 0, 0))
        last = body
    before = sum(body.mass * body.linear_velocity for body in world.bodies)
    world.advance(H, steps=100)
    after = sum(body.mass * body.linear_velocity for body in world.bodies)
    assert after == pytest.approx(before, abs=1e-9)


# Steps and settings.


def test_what_is_free_moves_as_in_other_solvers():
    worlds = [od.World(gravity=(0, 0, -G), solver=solver) for solver in ("soft", "exact")]
    for world in worlds:
        world.add_body(od.Box((1, 2, 3)), linear_velocity=(1, 2, 3), angular_velocity=(1, 2, 3))
        world.advance(H, steps=50)
    assert np.array_equal(state(worlds[0]), state(worlds[1]))


def test_stiffer_contacts_sink_less():
    sags = []
    for frequency in (15.0, 30.0, 60.0):
        world = new_world()
        world.soft_substeps, world.soft_contact_frequency = 8, frequency
        for k in range(6):
            world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5 + k))
        world.advance(H, steps=300)
        sags.append(5.5 - world.bodies[-1].position[2])
    assert sags[0] > 2.0 * sags[1] > 4.0 * sags[2] > 0.0


def test_verlet_is_refused_before_anything_moves():
    world = new_world(name="garden")
    world.add_body(od.Sphere(0.5), position=(0, 0, 3))
    world.integrator = "verlet"
    before = world.state_hash()
    for step in (world.advance, world.time_stages, od.Batch([world]).advance):
        with pytest.raises(ValueError, match=r"garden.*integrator"):
            step(H)
    assert world.state_hash() == before
    world.integrator = "energy-momentum"
    world.advance(H)


@pytest.mark.parametrize(
    ("setting", "bad", "good"),
    [
        ("soft_substeps", (0, 1.5, True, "many"), 8),
        ("soft_contact_frequency", (0.0, -1.0, math.nan, "stiff"), 25.0),
        ("soft_contact_damping", (-1.0, math.nan, "much"), 5.0),
    ],
)
def test_settings_are_checked_and_saved(setting, bad, good):
    world = od.World()
    before = getattr(world, setting)
    for value in bad:
        with pytest.raises((TypeError, ValueError)):
            setattr(world, setting, value)
    assert getattr(world, setting) == before
    setattr(world, setting, good)
    assert getattr(od.World.load(world.save()), setting) == good


@pytest.mark.parametrize(("count", "joined", "substeps"), [(3, False, 8), (40, False, 8), (41, False, 4), (3, True, 4)])
def test_small_islands_without_joints_take_more_substeps(count, joined, substeps):
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    boxes = [world.add_body(od.Box((1, 1, 1)), position=(k, 0, 0.5), mass=1) for k in range(count - 1)]
    boxes.append(world.add_body(od.Box((count, 1, 1)), position=(0.5 * count - 1.0, 0, 1.499), mass=1))  # on all others
    world.add_plane()
    if joined:
        world.add_ball(boxes[0], boxes[1])
    world.advance(0.01)
    assert world.statistics.islands == 1
    assert world.statistics.iterations == 2 * substeps  # one with bias and one without


@pytest.mark.parametrize("axis", [(0, 1, 0), (1, 0, 0)])
def test_joints_of_slow_bodies_correct_errors_as_those_of_turning_ones(axis):
    """Rows of joints keep their Jacobians in a step in which bodies hardly turn, but not the velocities that they aim at."""
    errors = []
    for spin in (0.0, 20.0):
        world = od.World()
        world.solver, world.soft_substeps = "soft", 4
        one, two = (world.add_body(mass=od.Mass(1, np.eye(3))) for _ in range(2))
        world.add_hinge(one, two, anchor=(0, 0, 0), axis=axis)
        two.position, two.angular_velocity = (0.001, 0, 0), spin * np.array(axis)
        world.advance(0.01, steps=3)
        errors.append(two.position[0] - one.position[0])
    assert errors[0] == pytest.approx(errors[1], rel=1e-12) and 1e-5 < errors[0] < 2e-4
