"""Forces and triggers with world.substeps: a step of n sub-steps reports and triggers what n steps do."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api as c
from opendynamics.api.following import watch

H, SUBSTEPS = 0.01, 4
SOLVERS = ["auto", "exact", "pgs", "soft"]


def divided(substeps=SUBSTEPS, **settings):
    world = od.World(gravity=(0, 0, 0), **settings)
    world.substeps = substeps
    return world


def struck(substeps=SUBSTEPS, **settings):
    """A body of 2 kg that a slider stops in the first sub-step: a blow of 2 N s."""
    world = divided(substeps, **settings)
    body = world.add_body(od.Sphere(0.1), mass=2, linear_velocity=(0, 0, 1.0))
    return world, world.add_slider(body, None, axis=(1, 0, 0))


def bouncing(substeps=SUBSTEPS):
    """A ball that touches the floor in the first sub-step, and leaves it at 4 m/s in the second."""
    world = divided(substeps, surface=od.Surface(bounce=1, bounce_velocity=0))
    floor = world.add_plane(name="floor")
    ball = world.add_body(od.Sphere(0.1, name="ball"), mass=2, position=(0, 0, 0.099), linear_velocity=(0, 0, -4))
    return world, floor, ball


def each_step(world, total=1):
    """After every step that equals a sub-step of `divided`."""
    for _ in range(SUBSTEPS * total):
        world.advance(H / SUBSTEPS)
        yield


def events(world):
    return [(kind, pair.geom1.name, pair.geom2.name, pair.time) for kind, pair in world.contact_events]


# -- breaking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 3])
def test_a_blow_of_one_substep_breaks_a_joint(steps):
    world, joint = struck()
    joint.break_force = 20
    world.advance(H, steps=steps)
    assert joint.broken


def test_the_force_of_a_substep_breaks():
    """The blow is 200 N over the step, and 800 N over the sub-step."""
    for limit, breaks in ((790, True), (810, False)):
        world, joint = struck()
        joint.break_force = limit
        world.advance(H)
        assert joint.broken == breaks
        assert joint.feedback.force1[2] == pytest.approx(-200, rel=1e-5)


def hanging(substeps):
    world = od.World(gravity=(0, 0, -9.81))
    world.substeps = substeps
    body = world.add_body(od.Sphere(0.1), mass=2)
    world.add_slider(body, None, axis=(1, 0, 0)).break_force = 10
    return world, body


def test_a_joint_breaks_within_the_step():
    (world, body), (other, reference) = hanging(SUBSTEPS), hanging(1)
    world.advance(H, steps=2)
    other.advance(H / SUBSTEPS, steps=2 * SUBSTEPS)
    assert world.joints[0].broken
    assert (body.position == reference.position).all()
    assert body.linear_velocity[2] == pytest.approx(-9.81 * H * (2 - 1 / SUBSTEPS), rel=1e-6)


# -- forces of joints --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("solver", SOLVERS)
def test_feedback_is_the_mean_over_the_step(solver, steps):
    world, joint = struck(solver=solver)
    motion = world.bodies[0]
    world.advance(H, steps=steps - 1)
    motion.linear_velocity = (0, 0, 1.0)
    world.advance(H)
    assert joint.feedback.force1[2] == pytest.approx(-200, rel=1e-5)
    assert not joint.feedback.force2.any()


def pendulum(substeps):
    world = od.World(gravity=(0, 0, -9.81))
    world.substeps = substeps
    bodies = [world.add_body(od.Box((0.3, 0.1, 0.1)), mass=1 + k, position=(0.15 + 0.3 * k, 0, 0)) for k in range(2)]
    for k, body in enumerate(bodies):
        world.add_hinge(body, bodies[k - 1] if k else None, anchor=(0.3 * k, 0, 0), axis=(0, 1, 0))
    world.joints[0].motor(2.0, max_torque=1.5)
    return world


def reactions(world):
    return np.array([np.concatenate([*map(joint.feedback.__getattribute__, PARTS)]) for joint in world.joints])


PARTS = ("force1", "torque1", "force2", "torque2")


@pytest.mark.parametrize("watched", [False, True])
def test_feedback_is_the_mean_of_the_substeps_of_the_last_step(watched):
    world, other = pendulum(SUBSTEPS), pendulum(1)
    if watched:
        world.bodies[0].moved_callback = lambda _: None
    world.advance(H, steps=20)
    other.advance(H / SUBSTEPS, steps=19 * SUBSTEPS)
    found = [reactions(other) for _ in each_step(other)]
    assert reactions(world) == pytest.approx(np.mean(found, axis=0), rel=1e-9, abs=1e-9)
    assert np.ptp(found, axis=0).max() > 0.1  # so that the mean is not that of any sub-step


def test_torques_of_motors_and_servos_are_means():
    world = divided()
    bodies = [world.add_body(od.Sphere(0.1), mass=2, position=(k, 0, 0), linear_velocity=(0, 0, 1)) for k in (0, 1)]
    braked, held = (world.add_slider(body, None, axis=(0, 0, 1)) for body in bodies)
    braked.motor(0.0, max_force=1e6)
    servo = held.servo(stiffness=1e4, damping=50, max_force=1e6)
    world.advance(H)
    assert od.JointArray([braked]).torques == pytest.approx([-200], rel=1e-5)
    others = list(each_servo_step())
    assert servo.torque == pytest.approx(np.mean(others), rel=1e-9)
    assert np.ptp(others) > 10


def each_servo_step():
    world = divided(1)
    body = world.add_body(od.Sphere(0.1), mass=2, position=(1, 0, 0), linear_velocity=(0, 0, 1))
    servo = world.add_slider(body, None, axis=(0, 0, 1)).servo(stiffness=1e4, damping=50, max_force=1e6)
    for _ in each_step(world):
        yield servo.torque


def test_feedback_of_c_is_the_same_mean():
    world, joint = struck()
    page = c.dJointFeedback()
    c.dJointSetFeedback(joint, page)
    world.advance(H)
    assert page.f1[2] == pytest.approx(-200, rel=1e-5)


def test_a_joint_that_falls_asleep_within_a_step_has_acted():
    world = od.World(gravity=(0, 0, -9.81))
    world.substeps, world.auto_disable, world.auto_disable_steps = SUBSTEPS, True, 2
    body = world.add_body(od.Sphere(0.1), mass=2)
    joint = world.add_slider(body, None, axis=(1, 0, 0))
    world.advance(H)
    assert not body.enabled
    assert 0 < joint.feedback.force1[2] < 0.9 * 2 * 9.81


def test_feedback_is_saved_and_restored():
    world = pendulum(SUBSTEPS)
    world.advance(H, steps=5)
    snapshot, force = world.save(), reactions(world)
    world.advance(H)
    after = world.positions, reactions(world)
    world.restore(snapshot)
    other = od.World.load(snapshot)
    for each in (world, other):
        assert (reactions(each) == force).all()
        each.advance(H)
        assert (each.positions == after[0]).all() and (reactions(each) == after[1]).all()


def test_a_detached_joint_has_no_feedback():
    world, joint = struck()
    world.advance(H)
    joint.attach(None, None)
    assert not joint.feedback.force1.any()


# -- contacts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_contact_forces_are_means_over_the_step(solver):
    world = divided(solver=solver)
    floor = world.add_plane()
    ball = world.add_body(od.Sphere(0.1), mass=2, position=(0, 0, 0.1), linear_velocity=(0, 0, -1.0))
    world.advance(H)
    assert world.contact_force(ball, floor) == pytest.approx([0, 0, 200], rel=1e-5)
    assert world.contacts.impulses.sum(axis=0) == pytest.approx([0, 0, 2], rel=1e-5)


@pytest.mark.parametrize("steps", [1, 20])
def test_the_impulse_of_a_resting_box_is_its_weight_times_the_step(steps):
    world = od.World(gravity=(0, 0, -9.81))
    world.substeps = SUBSTEPS
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), mass=2)
    world.advance(H, steps=steps)
    assert len(box.contacts) == len(world.contacts) == 4
    assert sum(contact.impulse[2] for contact in box.contacts) == pytest.approx(2 * 9.81 * H, rel=1e-6)
    assert sum(contact.force[2] for contact in box.contacts) == pytest.approx(2 * 9.81, rel=1e-6)
    assert min(contact.force[2] for contact in box.contacts) > 4


def test_a_contact_that_ended_within_the_step_has_its_force():
    world, floor, ball = bouncing()
    world.advance(H)
    assert world.contact_force(ball, floor)[2] == pytest.approx(2 * 8 / H, rel=1e-5)
    (contact,) = world.contacts
    assert contact.geom1 is ball.geoms[0] and contact.force_on(ball)[2] > 0
    world.advance(H)
    assert not len(world.contacts)


def tumbling(substeps):
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.5))
    world.substeps = substeps
    world.add_plane()
    for k in range(4):
        body = world.add_body(od.Box((0.3, 0.2, 0.1)), density=500, position=(0.12 * k, 0.05 * k, 0.12 + 0.15 * k))
        body.angular_velocity = (2.0, 1.0, 0.5 * k)
    return world


def test_forces_between_all_bodies_are_means():
    world, other = tumbling(SUBSTEPS), tumbling(1)
    for _ in range(30):
        world.advance(H)
        sums = np.zeros((4, 4, 3))
        for _ in each_step(other):
            sums += [[other.contact_force(a, b) for b in other.bodies] for a in other.bodies]
        found = [[world.contact_force(a, b) for b in world.bodies] for a in world.bodies]
        assert found == pytest.approx(sums / SUBSTEPS, rel=1e-9, abs=1e-7)


def test_forces_of_a_later_step_without_substeps():
    world, floor, ball = bouncing()
    world.advance(H)
    world.substeps = 1
    ball.position, ball.linear_velocity = (0, 0, 0.1), (0, 0, 0)
    ball.add_force((0, 0, -5))
    world.advance(H)
    assert world.contact_force(ball, floor)[2] == pytest.approx(5, rel=1e-5)


def test_recordings_have_the_mean_forces(tmp_path):
    world, *_ = bouncing()
    stopped = world.add_body(mass=2, position=(5, 0, 0), linear_velocity=(0, 0, 1))
    world.add_slider(stopped, None, axis=(1, 0, 0))
    with od.Recorder(world, tmp_path / "blow.odr", contacts=True, joint_forces=True):
        world.advance(H)
    recording = od.Recording(tmp_path / "blow.odr")
    touch = recording.contacts(1)
    assert touch.bodies.tolist() == [[0, -1]]
    assert touch.forces[:, 2] == pytest.approx([2 * 8 / H], rel=1e-5)
    assert recording[1].joint_forces[0][2] == pytest.approx(-200, rel=1e-5)


# -- events ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stopping", [False, True])
def test_a_touch_within_a_step_begins_and_ends(stopping):
    (world, *_), (other, *_) = bouncing(), bouncing(1)
    for each in (world, other):
        _ = each.contact_events
        if stopping:
            each.contact_filter = lambda one, two: True
    world.advance(H)
    other.advance(H / SUBSTEPS, steps=SUBSTEPS)
    assert [kind for kind, *_ in events(world)] == ["begin", "end"]
    assert events(world) == events(other)
    assert world.contact_events.begin[0].time == pytest.approx(H / SUBSTEPS)


def test_events_of_many_steps_are_those_of_many_small_steps():
    world, other = tumbling(SUBSTEPS), tumbling(1)
    for each in (world, other):
        each.add_geom(od.Box((1, 1, 0.02), position=(0, 0, 0.3), sensor=True, name="zone"))
        for k, body in enumerate(each.bodies):
            body.geoms[0].name = f"box{k}"
        _ = each.contact_events
    for _ in range(10):
        world.advance(H, steps=3)
        other.advance(H / SUBSTEPS, steps=3 * SUBSTEPS)
        assert events(world) == events(other)


def test_a_bullet_through_a_thin_zone_is_seen():
    """At 8 m/s it is 80 mm further after a step, and 20 mm after a sub-step."""
    world = divided()
    world.add_geom(od.Box((1, 1, 0.02), position=(0, 0, 0.04), sensor=True, name="zone"))
    world.add_body(od.Sphere(0.01, name="ball"), mass=1, linear_velocity=(0, 0, 8.0))
    _ = world.contact_events
    world.advance(H)
    assert [kind for kind, *_ in events(world)] == ["begin", "end"]


def test_a_joint_in_the_row_of_one_that_was_destroyed_within_the_step_has_its_own_force():
    world = divided()
    world.gravity = (0, 0, -10)
    heavy, light = world.add_body(mass=3.0), world.add_body(mass=1.0, position=(5, 0, 0), kinematic=True)
    joints = [world.add_fixed(heavy, None)]

    class Watcher:
        sees_sub_steps, steps_until_frame, calls = True, 1, 0

        def stepped(self, h, steps):
            self.calls += 1
            if self.calls == 2:
                joints.pop().destroy()
                light.kinematic = False
                joints.append(world.add_fixed(light, None))

    watcher = Watcher()
    watch(world, watcher)
    world.advance(H)
    assert watcher.calls == SUBSTEPS
    # It holds 1 kg in the second half of the step.
    assert joints[0].feedback.force1 == pytest.approx((0, 0, 0.5 * 10.0), rel=1e-6)


def test_contacts_of_a_destroyed_geom_stay_those_of_no_geom():
    world = od.World(gravity=(0, 0, -9.81))
    world.substeps = 3
    floor = world.add_plane()
    balls = [world.add_body(od.Sphere(0.5), mass=2, position=(2 * k, 0, 0.499)) for k in range(2)]
    world.advance(0.01)
    force = world.contact_force(floor)
    assert len(world.contacts) == 2
    balls[0].geoms[0].destroy()
    another = world.add_geom(od.Sphere(0.1, position=(0, 9, 9)))  # in the row of the destroyed one
    assert len(world.contacts) == 2
    assert not world.contact_force(another).any()
    assert world.contact_force(floor) == pytest.approx(force)
    assert {contact.geom2 for contact in world.contacts} | {contact.geom1 for contact in world.contacts} == {
        *(None, floor, *balls[1].geoms)
    }
