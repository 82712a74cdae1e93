"""world.impacts = "sequential": as many balls leave a row as arrive, with joints or without, whatever the solver."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

STEEL = od.Surface(mu=0.0, bounce=1.0, soft_erp=0.0)


def row_of_balls(count, arriving, solver, joint=None, surface=STEEL):
    """Balls of 0.1 m that touch, of which the first few move at 1 m/s; without a joint these come from 30 cm away."""
    world = od.World(surface=surface, solver=solver)
    world.impacts = "sequential"
    for k in range(count):
        moves = k < arriving
        x = (0.2 - 1e-12) * k - (0.3005 if moves and joint is None else 0.0)
        spin = (0, -1.0 / 0.9, 0) if moves and joint in ("hinge", "ball") else (0, 0, 0)
        ball = world.add_body(
            od.Sphere(0.1), mass=2.0, position=(x, 0, 0), linear_velocity=(float(moves), 0, 0), angular_velocity=spin
        )
        if joint == "hinge":
            world.add_hinge(ball, None, anchor=(x, 0, 0.9), axis=(0, 1, 0))
        elif joint == "ball":
            world.add_ball(ball, None, anchor=(x, 0, 0.9))
        elif joint == "strings":
            for y in (-0.35, 0.35):
                world.add_dball(ball, None, anchor1=(x, 0, 0), anchor2=(x, y, 0.9))
    return world


def speeds(world):
    return np.array([body.linear_velocity[0] for body in world.bodies])


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("count, arriving", [*((n, 1) for n in range(2, 8)), (5, 2), (5, 3), (7, 4)])
def test_as_many_leave_as_arrive(count, arriving, solver):
    world = row_of_balls(count, arriving, solver)
    world.advance(1e-3, steps=400)
    left = np.arange(count) >= count - arriving
    assert speeds(world) == pytest.approx(left.astype(float), abs=1e-12)


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("joint", ["hinge", "ball", "strings"])
@pytest.mark.parametrize("arriving", [1, 2])
def test_balls_that_hang(arriving, joint, solver):
    world = row_of_balls(5, arriving, solver, joint)
    energy = world.kinetic_energy
    world.advance(1e-7)
    assert speeds(world) == pytest.approx((np.arange(5) >= 5 - arriving).astype(float), abs=1e-9)
    assert world.kinetic_energy == pytest.approx(energy, rel=1e-9)


def test_slow_balls_collide_like_fast_ones():
    world = row_of_balls(5, 1, "exact", joint="none")
    world.bodies[0].linear_velocity = (1e-7, 0, 0)
    world.advance(1e-6)
    assert speeds(world) == pytest.approx([0, 0, 0, 0, 1e-7], rel=1e-9, abs=1e-16)


def test_simultaneous_impacts_share():
    world = row_of_balls(5, 1, "exact")
    world.impacts = "simultaneous"
    world.advance(1e-3, steps=400)
    assert (speeds(world) > 0.1).sum() > 1


def test_a_loss_is_shared_out_ball_by_ball():
    # In a chain of impacts every ball passes on (1 + e)/2 of the speed with which it was hit.
    e = 0.8
    world = row_of_balls(4, 1, "exact", surface=od.Surface(mu=0.0, bounce=e, soft_erp=0.0))
    world.advance(1e-3, steps=303)
    assert speeds(world)[-1] == pytest.approx((0.5 * (1 + e)) ** 3, rel=1e-9)
    assert speeds(world).sum() == pytest.approx(1.0, rel=1e-12)


def test_all_corners_of_a_face_collide_at_once():
    world = od.World(surface=od.Surface(mu=0.4, bounce=0.5, soft_erp=0.0))
    world.impacts = "sequential"
    world.add_plane()
    box = world.add_body(od.Box((0.4, 0.3, 0.2)), density=1000, position=(0, 0, 0.0999), linear_velocity=(0, 0, -2.0))
    world.advance(1e-3)
    assert box.linear_velocity == pytest.approx((0, 0, 1.0), abs=1e-9)
    assert box.angular_velocity == pytest.approx((0, 0, 0), abs=1e-9)


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
def test_a_spinning_ball_is_rubbed_by_its_impact(cone):
    world = od.World(surface=od.Surface(mu=0.2, bounce=0.6, soft_erp=0.0, cone=cone))
    world.impacts = "sequential"
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), mass=1.0, position=(0, 0, 0.0999), linear_velocity=(3.0, 0, -2.0))
    world.advance(1e-3)
    assert ball.linear_velocity == pytest.approx(
        (3.0 - 0.2 * 1.6 * 2.0, 0, 1.2), rel=1e-9
    )  # it slides through the impact
    assert ball.angular_velocity[1] == pytest.approx(0.2 * 1.6 * 2.0 * 2.5 / 0.1, rel=1e-9)


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
@pytest.mark.parametrize("impacts", ["sequential", "simultaneous"])
def test_friction_bounded_by_a_force_gives_its_impulse_once_a_step(solver, cone, impacts):
    h, force = 1e-3, 200.0
    surface = od.Surface(mu=force, bounce=1.0, soft_erp=0.0, cone=cone, friction_model="box")
    world = od.World(surface=surface, solver=solver)
    world.impacts = impacts
    world.add_plane()
    # The upper ball hits the lower one, which hits the ground: twice in a step, one impact after the other.
    balls = [
        world.add_body(od.Sphere(0.1), mass=1.0, position=(0, 0, z), linear_velocity=(3.0, 0, v))
        for z, v in ((0.0999, 0.0), (0.2999 - 1e-12, -1.0))
    ]
    world.advance(h)
    assert sum(ball.linear_velocity[0] for ball in balls) == pytest.approx(6.0 - force * h, abs=1e-6)


def test_a_ball_that_never_slides_rolls_off_after_its_impact():
    world = od.World(surface=od.Surface(mu=np.inf, bounce=0.6, soft_erp=0.0, friction_model="box"))
    world.impacts = "sequential"
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), mass=1.0, position=(0, 0, 0.0999), linear_velocity=(3.0, 0, -2.0))
    world.advance(1e-3)
    assert ball.linear_velocity == pytest.approx((3.0 * 5 / 7, 0, 1.2), rel=1e-6)


def rod_that_lands(speeds, bounces, others=()):
    """A uniform rod of 1 kg, two feet at its ends with these speeds upwards, m/s, and coefficients of restitution."""
    world = od.World()
    world.impacts = "sequential"
    world.add_plane(material="ground")
    rod = world.add_body(position=(0, 0, 0.0999))
    rod.mass_properties = od.Mass(1.0, np.eye(3) / 3)
    rod.linear_velocity, rod.angular_velocity = (0, 0, np.mean(speeds)), (0, 0.5 * (speeds[0] - speeds[1]), 0)
    for k, bounce in enumerate(bounces):
        foot = od.Sphere(0.1, body=rod, space=world.space, material=f"foot {k}")
        foot.offset_position = (2 * k - 1, 0, 0)
        world.surfaces["ground", f"foot {k}"] = od.Surface(mu=0.0, bounce=bounce, bounce_velocity=0.0, soft_erp=0.0)
    return world, rod


def feet(rod):
    """Their speeds upwards."""
    return [rod.velocity_at((x, 0, 0), local=True)[2] for x in (-1, 1)]


def test_contacts_that_do_not_bounce_are_left_to_the_step():
    """The bouncing foot collides alone, and pushes the other down, which pushes it down again as the step stops both."""
    world, rod = rod_that_lands((-1.0, -1.0), (0.5, None))
    world.advance(1e-3)
    assert feet(rod) == pytest.approx([0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("joined", [False, True])
def test_feet_of_different_restitution_gain_no_energy(joined):
    """A foot that was rising is pushed down, and would rebound by the other's restitution from what it never lost."""
    world, rod = rod_that_lands((-1.0, 0.5), (1.0, 0.2))
    if joined:  # to a body at rest on the ground, of the same island
        rest = world.add_body(od.Sphere(0.1, material="foot 0"), mass=1.0, position=(9, 0, 0.0999))
        world.add_amotor(rod, rest)
    energy = world.kinetic_energy
    world.advance(1e-3)
    assert feet(rod)[0] > 0.1
    assert 0.9 * energy < world.kinetic_energy <= energy * (1 + 1e-12)


def turning_box_that_lands(surface):
    """Two of its corners are moving away from the ground."""
    world = od.World(surface=surface)
    world.impacts = "sequential"
    world.add_plane()
    return world, world.add_body(
        od.Box((0.4, 0.4, 0.2)),
        density=1000,
        position=(0, 0, 0.0999),
        linear_velocity=(0.3, 0.2, -1.0),
        angular_velocity=(0, 20.0, 3.0),
    )


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
@pytest.mark.parametrize("mu", [0.2, 0.5, np.inf])
def test_a_box_that_slides_as_it_lands_flat_is_not_turned_aside(mu, cone):
    world, box = turning_box_that_lands(od.Surface(mu=mu, bounce=0.5, soft_erp=0.0, cone=cone))
    box.linear_velocity, box.angular_velocity = (1.0, 0, -1.0), (0, 0, 0)
    energy = world.kinetic_energy
    world.advance(1e-3)
    assert abs(box.linear_velocity[1]) < 1e-9
    assert np.abs(box.angular_velocity[[0, 2]]).max() < 1e-8
    assert 0 <= box.linear_velocity[0] < 1 and world.kinetic_energy < energy
    if mu == 0.2:  # it slides through the impact
        assert box.linear_velocity[0] == pytest.approx(1.0 - 0.2 * 1.5, rel=1e-9)


def test_random_impacts_with_friction_create_no_energy():
    lost = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        world = od.World(
            surface=od.Surface(
                mu=random.choice([0.1, 0.5, 2.0, np.inf]),
                mu2=0.3,
                bounce=random.choice([0.0, 0.5, 1.0]),
                bounce_velocity=0.0,
                soft_erp=0.0,
                rolling=random.choice([0.0, 0.05]),
                cone=("pyramid", "elliptic")[seed % 2],
            )
        )
        world.impacts, world.integrator = "sequential", "energy-momentum"
        for k in range(3):
            box = world.add_body(od.Box(random.uniform(0.2, 0.6, 3)), density=1000, position=(0, 0, 0.5 * k))
            box.linear_velocity = random.normal(size=3) - (0, 0, 2.0 * k)
            box.angular_velocity = 5.0 * random.normal(size=3)
        momentum = sum(box.mass * box.linear_velocity for box in world.bodies)
        for _ in range(20):
            before = world.kinetic_energy
            world.advance(1e-3)
            assert world.kinetic_energy <= before * (1 + 1e-14)
            lost += world.kinetic_energy < 0.999 * before
        after = sum(box.mass * box.linear_velocity for box in world.bodies)
        assert after == pytest.approx(momentum, rel=1e-12, abs=1e-9)
    assert lost > 50


@pytest.mark.parametrize("kind", ["mu", "rolling"])
def test_infinite_friction_is_the_limit_of_strong_friction(kind):
    """Corners without a normal impulse have none."""
    after = []
    for value in (1e9, np.inf):
        world, box = turning_box_that_lands(od.Surface(bounce=0.5, soft_erp=0.0, **{"mu": 0.2, kind: value}))
        world.advance(1e-3)
        assert world.statistics.contacts == 4 and not world.faults
        after.append((*box.linear_velocity, *box.angular_velocity))
    assert after[1] == pytest.approx(after[0], rel=1e-6, abs=1e-9)


def balls_that_land(falling, surface, belt=0.0):
    """Balls that slide at 3 m/s and land at these speeds, in one island. Returns velocities of centres and lowest points."""
    world = od.World(surface=surface)
    world.impacts = "sequential"
    ground = world.add_plane()
    if belt:
        ground.surface_velocity = (belt, 0, 0)
    balls = [
        world.add_body(od.Sphere(0.1), mass=1.0, position=(0, 4 * k, 0.0999), linear_velocity=(3.0, 0, -speed))
        for k, speed in enumerate(falling)
    ]
    if len(balls) > 1:
        world.add_amotor(*balls)
    world.advance(1e-3)
    return [(ball.linear_velocity, ball.velocity_at(ball.position - np.array((0, 0, 0.1)))) for ball in balls]


def test_each_impact_rubs_its_own_pair():
    balls = balls_that_land((2.0, 1.0), od.Surface(mu=0.2, bounce=0.5, soft_erp=0.0))
    for (velocity, _), speed in zip(balls, (2.0, 1.0), strict=True):
        assert velocity == pytest.approx((3.0 - 0.2 * 1.5 * speed, 0, 0.5 * speed), abs=1e-6)


def test_slow_contacts_of_an_island_with_an_impact_do_not_bounce():
    surface = od.Surface(mu=0.0, bounce=0.5, bounce_velocity=0.5, soft_erp=0.0)
    (fast, _), (slow, _) = balls_that_land((2.0, 0.4), surface)
    assert fast[2] == pytest.approx(1.0, rel=1e-9) and slow[2] == pytest.approx(0.0, abs=1e-6)


def test_a_ground_that_moves_upwards_bats():
    ((velocity, _),) = balls_that_land((2.0,), od.Surface(mu=0.0, bounce=0.5, motion_normal=1.0, soft_erp=0.0))
    assert velocity[2] == pytest.approx(1.0 + 0.5 * 3.0, rel=1e-9)


@pytest.mark.parametrize("belt", [-4.0, 3.5])
def test_a_belt_drags_what_lands_on_it_at_most_at_its_own_speed(belt):
    ((velocity, _),) = balls_that_land((2.0,), od.Surface(mu=0.02, bounce=0.5, soft_erp=0.0), belt)
    assert velocity[0] == pytest.approx(3.0 + np.copysign(0.02 * 1.5 * 2.0, belt), rel=1e-9)
    ((_, bottom),) = balls_that_land((2.0,), od.Surface(mu=9.0, bounce=0.5, soft_erp=0.0), belt)
    assert bottom[0] == pytest.approx(belt, rel=1e-6)


def test_nothing_changes_where_nothing_bounces():
    worlds = [
        od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.5, bounce=0.5, bounce_velocity=0.3)) for _ in range(2)
    ]
    worlds[1].impacts = "sequential"
    for world in worlds:
        world.add_plane()
        for k in range(3):
            world.add_body(od.Box((0.2, 0.2, 0.2)), density=1000, position=(0.01 * k, 0, 0.1 + 0.2 * k))
        world.advance(0.01, steps=50)
    assert (worlds[0].positions == worlds[1].positions).all()
    assert (worlds[0].quaternions == worlds[1].quaternions).all()


def test_a_saved_world_keeps_its_impacts():
    world = row_of_balls(5, 1, "exact")
    world.advance(1e-3, steps=299)
    other = od.World.load(world.save())
    assert other.impacts == "sequential"
    for each in (world, other):
        each.advance(1e-3, steps=20)
    assert (world.positions == other.positions).all()


def test_impacts_that_are_none():
    with pytest.raises(
        ValueError, match="the impacts of lab must be one of 'simultaneous', 'sequential', not 'serial'"
    ):
        od.World(name="lab").impacts = "serial"


@pytest.mark.parametrize("integrator", ["euler", "energy-momentum", "verlet"])
def test_boxes_that_turn_keep_their_energy_and_momentum(integrator):
    world = od.World(surface=STEEL)
    world.impacts, world.integrator = "sequential", integrator
    a = world.add_body(
        od.Box((0.2, 0.4, 0.3)), mass=1.0, linear_velocity=(2.0, 0, 0), angular_velocity=(3.0, -4.0, 5.0)
    )
    b = world.add_body(od.Box((0.5, 0.1, 0.2)), mass=2.0, position=(0.6, 0.05, 0.1), angular_velocity=(0, 6.0, 2.0))
    turned = 0
    for _ in range(100):
        before = world.kinetic_energy
        velocity = a.linear_velocity
        world.advance(0.005)
        if np.abs(a.linear_velocity - velocity).max() > 1e-3:  # Euler's rotation alone has errors
            turned += 1
            assert world.kinetic_energy == pytest.approx(before, rel=1e-9 if integrator != "euler" else 1e-2)
    assert turned
    assert a.mass * a.linear_velocity + b.mass * b.linear_velocity == pytest.approx((2.0, 0, 0), abs=1e-12)


@pytest.mark.parametrize("integrator", ["energy-momentum", "verlet"])
@pytest.mark.parametrize("h", [0.01, 0.001])
def test_bodies_that_swing_gain_nothing_from_an_impact(integrator, h):
    world = od.World(surface=STEEL)
    world.impacts, world.integrator = "sequential", integrator
    a = world.add_body(od.Box((0.2, 0.4, 0.3)), mass=1.0, position=(0, 0, -0.5))
    b = world.add_body(od.Capsule(0.1, 0.2), mass=2.0, position=(0.5, 0.05, -0.45))
    world.add_ball(a, None, anchor=(0, 0, 0))
    world.add_ball(b, None, anchor=(0.5, 0.1, 0.1))
    a.linear_velocity, a.angular_velocity = (2.0, 0, 0), (0, -4.0, 0)
    energy = world.kinetic_energy
    struck = 0.0
    for _ in range(round(0.5 / h)):
        before = world.kinetic_energy
        world.advance(h)
        struck = max(struck, np.linalg.norm(b.linear_velocity))
        assert world.kinetic_energy < before + 1e-5 * energy
    assert struck > 0.5
    assert world.kinetic_energy == pytest.approx(energy, rel=2e-5 if integrator == "verlet" else 2 * h)


def test_an_arm_of_unlimited_force_bats_a_ball():
    world = od.World(surface=STEEL)
    world.impacts = "sequential"
    arm = world.add_body(od.Box((2.0, 0.1, 0.1)), mass=1.0, position=(1.0, 0, 0), linear_velocity=(0, 2.0, 0))
    arm.angular_velocity = (0, 0, 2.0)
    world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 0, 1)).motor(2.0, np.inf)
    ball = world.add_body(od.Sphere(0.1), mass=1.0, position=(1.5, 1.0, 0))
    world.advance(0.001, steps=600)
    reach = np.linalg.norm((1.5, 1.0))
    along = np.sqrt(reach**2 - 0.15**2)  # where the ball's centre is along the arm when they meet
    assert np.linalg.norm(ball.linear_velocity) == pytest.approx(2 * 2.0 * along, rel=1e-3)
