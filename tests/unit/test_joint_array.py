"""Joint arrays: the numbers are those of the single joints, and torques those of statics."""

import math

import numpy as np
import pytest

import opendynamics as od

H = 0.005
close = np.testing.assert_allclose


def arm(**options):
    """Two links and a slide that hang from the world, one of them joined the other way round."""
    world = od.World(gravity=(0, 0, -9.81), **options)
    upper = world.add_body(od.Box((1, 0.1, 0.1)), position=(0.5, 0, 0), mass=2)
    lower = world.add_body(od.Box((1, 0.1, 0.1)), position=(1.5, 0, 0), mass=1)
    block = world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 3, 0), mass=4)
    shoulder = world.add_hinge(upper, None, anchor=(0, 0, 0), axis=(0, 1, 0))
    elbow = world.add_hinge(upper, lower, anchor=(1, 0, 0), axis=(0, 1, 0), stops=(-2, 2))
    wrist = world.add_hinge(None, lower, anchor=(2, 0, 0), axis=(0, 1, 0))
    wrist.enabled = False
    slide = world.add_slider(None, block, axis=(0, 0, 1))
    return world, od.JointArray([slide, elbow, shoulder, wrist])


@pytest.mark.parametrize("solver", ["exact", "pgs", "auto"])
def test_numbers_are_those_of_the_joints(solver):
    world, joints = arm(solver=solver)
    for k in range(20):
        close(
            joints.positions,
            [joint.position if joint.kind == "slider" else joint.angle for joint in joints],
            rtol=0,
            atol=0,
        )
        close(joints.rates, [joint.rate for joint in joints], rtol=0, atol=0)
        joints.motor([0.1, k, -1, 0], max_torques=[50, 0, math.inf, 1])
        world.advance(H)
    assert joints.rates[2] == pytest.approx(-1, abs=0.05)
    for k, joint in enumerate(joints):
        motor = joint.limit_motor
        assert (motor.velocity, motor.max_force) == (joints.motor_velocities[k], joints.max_torques[k])
    assert len(joints) == 4 and joints.world is world and tuple(joints) == joints.joints


def test_torques_are_those_that_hold_the_links():
    world, joints = arm()
    joints.motor(0.0)
    joints.max_torques = [math.inf, math.inf, math.inf, 0]
    world.step(H)
    g = 9.81
    # Links along +x weigh them down about +y; on body1 of the elbow acts what it needs to hold body2, with the other sign.
    close(joints.torques, [-4 * g, 1 * g * 0.5, -(2 * 0.5 + 1 * 1.5) * g, 0], rtol=1e-6, atol=1e-9)
    reversed_slide, power = joints.joints[0], joints.torques * joints.rates
    assert reversed_slide.reversed and abs(power).max() < 1e-6
    joints.max_torques = 0
    world.step(H)
    close(joints.torques, 0, atol=1e-5)


def test_torques_times_rates_are_the_work_that_motors_do():
    world, joints = arm()
    world.gravity = (0, 0, 0)
    joints.motor([1, 0.5, -0.5, 0], [30, 3, 3, 0])
    before, work = world.kinetic_energy, 0.0
    for _ in range(10):
        rates = joints.rates
        world.step(1e-4)
        work += 1e-4 * float(joints.torques @ (0.5 * (rates + joints.rates)))
    assert world.kinetic_energy - before == pytest.approx(work, rel=1e-3)
    assert work > 1e-4


def test_added_torques_are_those_of_the_joints():
    (world, joints), (other, others) = arm(), arm()
    joints.add_torques([1, 2, 3, 4])
    for joint, torque in zip(others, (1, 2, 3, 4), strict=True):
        (joint.add_force if joint.kind == "slider" else joint.add_torque)(torque)
    assert [body.torque.tolist() for body in world.bodies] == [body.torque.tolist() for body in other.bodies]
    joints.motor_velocities = 2.5
    world.step(H)
    others.motor_velocities = [2.5] * 4
    other.step(H)
    assert world.state_hash() == other.state_hash()


def test_it_follows_joints_that_come_and_go():
    world, joints = arm()
    saved = world.save()
    joint = joints.joints[1]
    joint.attach(None, None)
    with pytest.raises(ValueError, match="joins nothing"):
        joints.positions  # noqa: B018
    world.restore(saved)
    before = joints.positions
    joint.destroy()
    with pytest.raises(od.DestroyedError):
        joints.motor_velocities = 1
    world.restore(saved)
    assert np.array_equal(joints.positions, before)
    world.add_hinge(world.bodies[0], None).destroy()
    assert np.array_equal(joints.positions, before)
    with pytest.raises(ValueError, match="read-only"):
        joints.rates[0] = 1


def test_only_new_numbers_wake():
    world, joints = arm()
    for body in world.bodies:
        body.enabled = False
    joints.motor_velocities = 0
    assert not any(body.enabled for body in world.bodies)
    joints.motor_velocities = [0, 0, 1, 0]
    assert [body.enabled for body in world.bodies] == [True, False, False]


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        (ValueError, lambda joints: od.JointArray([]), "at least one joint"),
        (TypeError, lambda joints: od.JointArray([joints.world.bodies[0]]), "hinges and sliders, not of <Body"),
        (
            TypeError,
            lambda joints: od.JointArray([joints.world.add_ball(joints.world.bodies[0])]),
            "hinges and sliders",
        ),
        (ValueError, lambda joints: od.JointArray([*joints, joints.joints[0]]), "the same joint twice"),
        (ValueError, lambda joints: od.JointArray([*joints, *arm()[1]]), "must be of one world"),
        (ValueError, lambda joints: od.JointArray([joints.world.add_hinge()]), "joins nothing"),
        (ValueError, lambda joints: joints.motor([1, 2]), r"one number, or have the shape \(4,\), not \(2,\)"),
        (ValueError, lambda joints: joints.motor([1, 2, 3, math.nan]), "must be finite"),
        (ValueError, lambda joints: joints.motor(1, -1), "at least 0"),
        (TypeError, lambda joints: joints.add_torques("strong"), "must be a number"),
        (
            TypeError,
            lambda joints: joints.motor(velocity=1),
            r"motor\(\) has no argument 'velocity'; did you mean 'velocities'",
        ),
        (AttributeError, lambda joints: joints.angle, "has no attribute 'angle'"),
    ],
)
def test_what_is_wrong_is_refused(error, call, message):
    _, joints = arm()
    with pytest.raises(error, match=message):
        call(joints)
    assert not joints.motor_velocities.any() and not joints.max_torques.any()
