"""Springs in N/m and N s/m that follow the step: the same sag and motion at every step size, saved, copied, and removed."""

import copy
import math
import pickle

import numpy as np
import pytest

import opendynamics as od

MASS, K, C, G = 2.0, 800.0, 80.0, 9.81
SAG = MASS * G / K  # m


def bob_in(world, z=1.0):
    return world.add_body(od.Sphere(0.1), position=(0, 0, z), mass=MASS)


def by_joint(world):
    bob = bob_in(world)
    world.add_ball(bob, None, anchor=(0, 0, 1), stiffness=K, damping=C)
    return bob


def by_fixed(world):
    bob = bob_in(world)
    world.add_fixed(bob, None, stiffness=K, damping=C)
    return bob


def by_stop(world):
    bob = bob_in(world)
    slider = world.add_slider(bob, None, axis=(0, 0, 1), stops=(0, math.inf))
    slider.limit_motor.set_stop_spring(stiffness=K, damping=C)
    return bob


def by_suspension(world):
    hub, bob = world.add_body(position=(0, 0, 1), kinematic=True), bob_in(world)
    options = {"suspension_stiffness": K, "suspension_damping": C}
    world.add_hinge2(bob, hub, anchor=(0, 0, 1), axis1=(0, 0, 1), axis2=(0, 1, 0), **options)
    return bob


def by_contact(world):
    world.surfaces.default = od.Surface(mu=0.7, stiffness=K, damping=C)
    world.add_plane(offset=0.9)
    bob = bob_in(world)
    bob.auto_disable = False
    return bob


def by_world(world):
    world.set_spring(K, C)
    bob = bob_in(world)
    world.add_ball(bob, None, anchor=(0, 0, 1))
    return bob


HOLDS = [by_joint, by_fixed, by_stop, by_suspension, by_contact, by_world]


def hung(hold, solver="exact"):
    world = od.World(gravity=(0, 0, -G), solver=solver)
    return world, hold(world)


@pytest.mark.parametrize("hold", HOLDS)
@pytest.mark.parametrize("solver", ["exact", "pgs"])
def test_sag_at_changing_step_sizes(hold, solver):
    world, bob = hung(hold, solver)
    for h in (0.002, 0.01, 0.004):
        world.advance(h, steps=round(1.5 / h))
        assert 1.0 - bob.position[2] == pytest.approx(SAG, rel=1e-6)


@pytest.mark.parametrize("hold", [by_joint, by_stop, by_suspension])
def test_motion_does_not_depend_on_the_step_size(hold):
    """After 0.1 s of sinking: m z'' = -m g - k z - c z', critically damped and half again."""
    fine, bob = hung(hold)
    fine.advance(1e-4, steps=1000)
    expected = bob.position[2]
    coarse, bob = hung(hold)
    coarse.advance(0.002, steps=10)
    coarse.advance(0.001, steps=80)
    assert bob.position[2] - 1.0 == pytest.approx(expected - 1.0, rel=0.03)


@pytest.mark.parametrize("hold", HOLDS)
def test_sub_steps_are_what_a_spring_follows(hold):
    world, bob = hung(hold)
    world.substeps = 4
    world.advance(0.008, steps=200)
    assert 1.0 - bob.position[2] == pytest.approx(SAG, rel=1e-6)


@pytest.mark.parametrize("hold", HOLDS)
@pytest.mark.parametrize("way", [copy.deepcopy, copy.copy, lambda world: pickle.loads(pickle.dumps(world))])
def test_copies_have_the_springs(hold, way):
    world, _ = hung(hold)
    world.advance(0.002, steps=5)
    other = way(world)
    for each in (world, other):
        each.advance(0.005, steps=20)
    assert np.array_equal(world.positions, other.positions)


@pytest.mark.parametrize("hold", HOLDS)
def test_restored_worlds_continue_to_the_bit(hold):
    world, _ = hung(hold)
    world.advance(0.002, steps=5)
    saved = world.save()
    ends = []
    for _ in range(2):
        world.advance(0.005, steps=20)
        ends.append(world.positions)
        world.restore(saved)
    assert np.array_equal(*ends)


@pytest.mark.parametrize("hold", HOLDS)
def test_worlds_of_a_batch_follow_its_steps(hold):
    (alone, _), (member, _) = hung(hold), hung(hold)
    batch = od.Batch([member])
    for h in (0.002, 0.005):
        batch.advance(h, steps=20)
        alone.advance(h, steps=20)
    assert np.array_equal(alone.positions, member.positions)


def test_setting_erp_or_cfm_ends_a_spring():
    world, _ = hung(by_joint)
    (joint,) = world.joints
    assert joint.spring == (K, C)
    world.advance(0.01)
    assert (joint.erp, joint.cfm) == pytest.approx(od.softness(K, C, 0.01))
    joint.cfm = 1e-4
    assert joint.spring is None and joint.erp == pytest.approx(od.softness(K, C, 0.01).erp)
    world.advance(0.002)
    assert joint.cfm == 1e-4
    joint.set_spring(K, C, 0.01)  # for one step size
    world.advance(0.002)
    assert joint.spring is None and (joint.erp, joint.cfm) == pytest.approx(od.softness(K, C, 0.01))


def test_setting_erp_or_cfm_ends_springs_of_stops_suspensions_and_worlds():
    world = od.World(gravity=(0, 0, -G))
    bob = bob_in(world)
    motor = world.add_slider(bob, None, axis=(0, 0, 1)).limit_motor
    motor.set_stop_spring(K, C)
    assert motor.stop_spring == (K, C)
    motor.stop_erp = motor.stop_erp
    assert motor.stop_spring is None
    wheel = world.add_hinge2(bob, bob_in(world, 2.0), axis1=(0, 0, 1), axis2=(0, 1, 0))
    wheel.set_suspension(K, C)
    assert wheel.suspension == (K, C)
    wheel.suspension_cfm = 1e-5
    assert wheel.suspension is None
    world.set_spring(K, C)
    assert world.spring == (K, C)
    world.erp = 0.3
    world.advance(0.005)
    assert world.spring is None and world.erp == 0.3


def test_springs_end_with_their_joint():
    world, _ = hung(by_joint)
    world.joints[0].destroy()
    world.advance(0.01)
    assert not world._springs


def test_springs_and_strengths_are_saved_as_they_were():
    """Both are entered in place, 20,000 of them as fast as each of the first; moments that were saved stay as they are."""
    world, _ = hung(by_joint)
    (joint,), springs, strengths = world.joints, world._springs, world._strengths
    joint.break_force = 1e6
    before = world.save()
    joint.set_spring(2 * K, C)
    joint.break_force = 2e6
    world.set_spring(3 * K, C)
    after = world.save()
    assert world._springs is springs and world._strengths is strengths
    joint.erp, world.erp = 0.3, 0.3
    end = world.save()
    for saved, spring, strength, general in (
        (before, K, 1e6, None),
        (after, 2 * K, 2e6, (3 * K, C)),
        (end, 0, 2e6, None),
    ):
        for other in (od.World.load(saved), od.World.load(od.Snapshot.from_bytes(saved.to_bytes()))):
            (twin,) = other.joints
            assert (twin.spring or (0, 0))[0] == spring and twin.break_force == strength and other.spring == general
        world.restore(saved)
        assert (joint.spring or (0, 0))[0] == spring and joint.break_force == strength and world.spring == general


def test_tracks_are_read_from_files_without_trust():
    world = od.World()
    world.add_geom(od.Box((1, 1, 1), name="crawler")).track = track = od.Track((0.0, 1.0, 0.0), 2.0, across=0.5)
    other = od.World.load(od.Snapshot.from_bytes(world.save().to_bytes()))
    assert other.find("crawler").track == track


def test_a_break_is_saved_as_it_was():
    world, _ = hung(by_joint)
    (joint,) = world.joints
    joint.break_force = 1.0
    whole = world.save()
    world.advance(0.01, steps=20)
    assert joint.broken and od.World.load(world.save()).joints[0].broken
    world.restore(whole)
    assert not joint.broken and joint.enabled


def test_joints_of_a_world_that_is_a_spring_begin_as_it_does():
    world = od.World()
    world.set_spring(K, C)
    one, other = bob_in(world), bob_in(world, 2.0)
    hinge = world.add_hinge(one, other)
    (ball,) = world.add_joints("ball", [(one, other)], anchors=(0, 0, 1))
    world.advance(0.01)
    soft = pytest.approx(od.softness(K, C, 0.01))
    assert (ball.erp, ball.cfm) == soft and (world.erp, world.cfm) == soft
    assert (hinge.limit_motor.stop_erp, hinge.limit_motor.stop_cfm) == soft
    assert hinge.limit_motor.cfm < 1e-9  # a motor is not a spring
    assert ball.spring == hinge.limit_motor.stop_spring == (K, C)


def test_a_motor_with_damping_gives_way():
    """damping x (velocity - rate) = load."""
    world = od.World(gravity=(0, 0, -G))
    slider = world.add_slider(bob_in(world), None, axis=(0, 0, 1))
    slider.limit_motor.motor(1.0, damping=50.0)
    world.advance(0.01, steps=200)
    assert 50.0 * (1.0 - slider.rate) == pytest.approx(MASS * G)


def test_contacts_of_odes_loop_give_like_springs():
    world = od.World(gravity=(0, 0, -G))
    world.add_plane(offset=0.9)
    bob = bob_in(world)
    group, surface = od.JointGroup(), od.Surface(mu=0.7, stiffness=K, damping=C)

    def near(a, b):
        for contact in od.collide(a, b):
            world.add_contact(contact, surface, group=group).attach(a.body, b.body)

    for h in (0.002, 0.01, 0.004):
        for _ in range(round(1.5 / h)):
            world.space.collide(near)
            world.step(h)
            group.empty()
        assert 1.0 - bob.position[2] == pytest.approx(SAG, rel=1e-6)


def test_a_contact_that_stays_follows_the_step():
    world = od.World()
    bob = bob_in(world)
    contact = od.Contact((0, 0, 0.9), (0, 0, 1), 0.01)
    world.add_contact(contact, od.Surface(stiffness=K, damping=C)).attach(bob, None)
    for h in (0.01, 0.002):
        world.step(h)
        soft = world._store[od.core.arrays.contacts.CONTACT_DETAILS][0]
        assert (soft["soft_erp"], soft["soft_cfm"]) == pytest.approx(od.softness(K, C, h))


@pytest.mark.parametrize(
    "wrong, error, message",
    [
        (lambda world, bob: world.add_ball(bob, stiffness=-1.0), ValueError, "the stiffness of a ball joint"),
        (lambda world, bob: world.add_fixed(bob, stiffness=0, damping=0), ValueError, "needs a stiffness or a damping"),
        (lambda world, bob: world.add_ball(bob, stifness=1.0), TypeError, "stiffness"),
        (lambda world, bob: world.set_spring("hard", 1.0), TypeError, "the stiffness of the spring of the world"),
        (lambda world, bob: od.Surface(stiffness=1e4, soft_erp=0.2), ValueError, "leave one pair out"),
        (
            lambda world, bob: world.add_hinge2(bob, bob_in(world), suspension_stiffness=1e4, suspension_erp=0.4),
            TypeError,
            "leave one pair out",
        ),
    ],
)
def test_wrong_springs(wrong, error, message):
    world = od.World()
    bob = bob_in(world)
    with pytest.raises(error, match=message):
        wrong(world, bob)
    assert not world.joints
