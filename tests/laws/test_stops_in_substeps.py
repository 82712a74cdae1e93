"""Stops of levers in the soft step: an arm that hits one loses its energy, or rebounds with the stop's bounce.

The joint and the stop are coupled by the lever. If they are solved one after the other, the arm is thrown back faster than it
came, and faster the more sub-steps there are.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

SPEED, STOP = 3.0, 0.3
ONLY_LOCKED = (0.0, 0.0)


def hinge(world, arm):
    return world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 1, 0)).limit_motors[0]


def universal(world, arm):
    return world.add_universal(arm, None, anchor=(0, 0, 0), axis1=(0, 1, 0), axis2=(0, 0, 1)).limit_motors[0]


def hinge2(world, arm):
    post = world.add_body(mass=1, kinematic=True)
    return world.add_hinge2(arm, post, anchor=(0, 0, 0), axis1=(0, 1, 0), axis2=(1, 0, 0)).limit_motors[0]


def pr(world, arm):
    joint = world.add_pr(arm, None, anchor=(0, 0, 0), axis1=(0, 0, 1), axis2=(0, 1, 0))
    joint.limit_motors[0].stops = ONLY_LOCKED
    return joint.limit_motors[1]


def pu(world, arm):
    joint = world.add_pu(arm, None, anchor=(0, 0, 0), axis1=(0, 1, 0), axis2=(0, 0, 1), axis3=(1, 0, 0))
    joint.limit_motors[2].stops = ONLY_LOCKED
    return joint.limit_motors[0]


def piston(world, arm):
    joint = world.add_piston(arm, None, anchor=(0, 0, 0), axis=(0, 1, 0))
    joint.limit_motors[0].stops = ONLY_LOCKED
    return joint.limit_motors[1]


def ball_and_motor(world, arm, *, reverse=False):
    """The motor may have the bodies in the other order."""
    post = world.add_body(mass=1, kinematic=True)
    world.add_ball(arm, post, anchor=(0, 0, 0))
    motor = world.add_amotor(*((post, arm) if reverse else (arm, post)))
    motor.mode = "euler"
    motor.set_axis(0, 1, (0, 1, 0))
    motor.set_axis(2, 2, (0, 0, 1))
    for limit in motor.limit_motors[1:]:
        limit.stops = ONLY_LOCKED
    return motor.limit_motors[0]


def ball_and_reversed_motor(world, arm):
    return ball_and_motor(world, arm, reverse=True)


JOINTS = {"hinge": hinge, "universal": universal, "hinge2": hinge2, "pr": pr, "pu": pu, "piston": piston}
JOINTS |= {"ball and motor": ball_and_motor, "ball and reversed motor": ball_and_reversed_motor}


def hit(join, lever, bounce=0.0, copies=1, substeps="auto"):
    """Speeds of arms before and after they hit a stop, without gravity. Their anchors stay where they are."""
    world = od.World(solver="soft")
    world.soft_substeps = substeps
    arms = []
    for k in range(copies):
        arm = world.add_body(od.Box((0.6, 0.1, 0.15)), position=(lever, 0, 0), mass=2)
        arm.geoms[0].collide_bits = 0
        limit = JOINTS[join](world, arm)
        limit.stops, limit.bounce = (-STOP - 0.01 * k, STOP + 0.01 * k), bounce
        arm.angular_velocity, arm.linear_velocity = (0, SPEED, 0), (0, 0, -SPEED * lever)
        arms.append(arm)
    speeds = []
    for _ in range(100):
        world.advance(0.002)
        speeds.append([arm.angular_velocity[1] for arm in arms])
        for arm in arms:
            assert np.linalg.norm(arm.velocity_at((0, 0, 0))) < 0.05 * SPEED * lever
    speeds = np.array(speeds)
    assert (abs(speeds) < SPEED + 1e-9).all()
    return speeds[40], speeds[-1]


@pytest.mark.parametrize("lever", [0.1, 0.8])
@pytest.mark.parametrize("join", JOINTS)
def test_arms_come_to_rest_at_stops_without_bounce(join, lever):
    before, after = hit(join, lever)
    assert before == pytest.approx(SPEED, rel=0.01)
    assert after == pytest.approx(0.0, abs=0.01 * SPEED)


@pytest.mark.parametrize("substeps", [1, 4, 64])
@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("join", ["hinge", "ball and motor"])
def test_bounces_do_not_depend_on_the_number_of_substeps(join, bounce, substeps):
    before, after = hit(join, 0.4, bounce, substeps=substeps)
    assert after == pytest.approx(-bounce * before, abs=0.01 * SPEED)


@pytest.mark.parametrize("lever", [0.1, 0.8])
@pytest.mark.parametrize("join", ["hinge", "universal", "ball and motor"])
def test_arms_in_lanes_come_to_rest_too(join, lever):
    _, after = hit(join, lever, copies=20)
    assert after == pytest.approx(0.0, abs=0.01 * SPEED)


@pytest.mark.parametrize("reverse", [False, True])
def test_forces_of_a_joint_and_its_motor(reverse):
    """A horizontal arm held by a ball joint and a locked motor: the joint carries the weight, the motor its moment."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    arm = world.add_body(od.Box((0.6, 0.1, 0.15)), position=(0.5, 0, 0), mass=2)
    limit = ball_and_motor(world, arm, reverse=reverse)
    limit.stops = ONLY_LOCKED
    ball, motor = world.joints
    world.advance(0.002, steps=50)
    assert arm.position == pytest.approx((0.5, 0, 0), abs=1e-4)
    loads = [ball.feedback.force1, ball.feedback.torque1]
    held = (
        (motor.feedback.force2, motor.feedback.torque2) if reverse else (motor.feedback.force1, motor.feedback.torque1)
    )
    assert loads[0] == pytest.approx((0, 0, 2 * 9.81), abs=1e-4)
    assert held[0] == pytest.approx((0, 0, 0), abs=1e-9)
    assert np.add(loads[1], held[1]) == pytest.approx((0, 0, 0), abs=1e-3)
    assert held[1] == pytest.approx((0, -2 * 9.81 * 0.5, 0), abs=1e-3)


def hinge_to(world, arm, parent, x):
    world.add_hinge(arm, parent, anchor=(x, 0, 0), axis=(0, 1, 0)).limit_motors[0].stops = (-STOP, STOP)


def universal_to(world, arm, parent, x):
    joint = world.add_universal(arm, parent, anchor=(x, 0, 0), axis1=(0, 1, 0), axis2=(0, 0, 1))
    joint.limit_motors[0].stops = joint.limit_motors[1].stops = (-STOP, STOP)


def ball_and_motor_to(world, arm, parent, x):
    parent = parent or world.add_body(mass=1, kinematic=True)
    world.add_ball(arm, parent, anchor=(x, 0, 0))
    motor = world.add_amotor(arm, parent)
    motor.mode = "euler"
    motor.set_axis(0, 1, (0, 1, 0))
    motor.set_axis(2, 2, (0, 0, 1))
    motor.limit_motors[0].stops = (-STOP, STOP)
    for limit in motor.limit_motors[1:]:
        limit.stops = ONLY_LOCKED


@pytest.mark.parametrize("substeps", [1, 4, 8, 16, 64])
@pytest.mark.parametrize("h", [1 / 60, 1 / 200])
@pytest.mark.parametrize("count", [2, 8, 20])
@pytest.mark.parametrize("join", [hinge_to, universal_to, ball_and_motor_to])
def test_chains_of_arms_with_stops_gain_no_energy(join, count, h, substeps):
    """A chain that turns as one arm is caught by the stop at its root, and whips through those of the others."""
    world, length = od.World(solver="soft"), 0.6
    world.soft_substeps = substeps
    parent = None
    for k in range(count):
        centre = (k + 0.5) * length
        arm = world.add_body(od.Box((length, 0.1, 0.15)), position=(centre, 0, 0), mass=2)
        arm.geoms[0].collide_bits = 0
        join(world, arm, parent, k * length)
        arm.angular_velocity, arm.linear_velocity = (0, SPEED, 0), (0, 0, -SPEED * centre)
        parent = arm
    before = world.kinetic_energy
    for _ in range(100):
        world.advance(h)
        assert world.kinetic_energy < 1.005 * before
