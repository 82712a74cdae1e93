"""Hinges and universal joints that the soft step solves eight at a time, compared with NumPy and with the exact solver."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.types import Vector
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.solve.soft.iterations import JOINT_IMPULSE_SCALE

H = 1e-3
COPIES = 11  # islands, so that one group is full, and another is not
JOINTS = ("hinge", "universal")


def make_world(**settings: object) -> od.World:
    world = od.World(solver="soft", **settings)
    world.soft_substeps = 1
    world.auto_disable = False
    return world


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    return od.rotation.from_axis_angle(rng.normal(size=3), rng.uniform(0, 3))


class Pair(NamedTuple):
    """A joint, and a hinge's axis in the frame of its second body."""

    joint: od.Joint
    axis: np.ndarray


def add_pair(world: od.World, kind: str, place: np.ndarray, rng: np.random.Generator, static: bool) -> Pair:
    """A box on another, or on the static world, by a joint about random axes; then both are moved a little."""
    bodies = []
    for _ in range(1 if static else 2):
        size = rng.uniform(0.1, 0.5, 3)
        where, rotation = place + rng.uniform(-0.3, 0.3, 3), random_rotation(rng)
        bodies.append(world.add_body(od.Box(size), position=where, rotation=rotation, mass=rng.uniform(0.5, 2)))
        bodies[-1].geoms[0].collide_bits = 0
    axis, anchor = rng.normal(size=3), place + rng.uniform(-0.2, 0.2, 3)
    first, second = bodies[0], None if static else bodies[1]
    if kind == "hinge":
        joint: od.Joint = world.add_hinge(first, second, anchor=anchor, axis=axis)
    else:
        joint = world.add_universal(first, second, anchor=anchor, axis1=axis, axis2=np.cross(axis, rng.normal(size=3)))
    axis = axis / np.linalg.norm(axis)
    pair = Pair(joint, axis if second is None else np.transpose(second.rotation) @ axis)
    for body in bodies:
        body.position = body.position + rng.uniform(-1, 1, 3) * 2e-4
        body.rotation = od.rotation.from_axis_angle(rng.normal(size=3), 4e-4) @ body.rotation
        body.linear_velocity, body.angular_velocity = rng.uniform(-0.2, 0.2, (2, 3))
    return pair


def rows_of(pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """J of the hard rows, without columns of the static world, and the errors, by the joints' definition."""
    joint = pair.joint
    one, other = joint.bodies
    arms = [np.subtract(joint.anchor, one.position)]
    sides = [1.0]
    if other is not None:
        arms.append(np.subtract(joint.anchor2, other.position))
        sides.append(-1.0)
    if isinstance(joint, od.Hinge):
        a = np.asarray(joint.axis)
        b = pair.axis if other is None else other.rotation @ pair.axis
        u = np.linalg.svd(a[None])[2][1:]
        errors = u @ np.cross(a, b)
    else:
        a, b = np.asarray(joint.axis1), np.asarray(joint.axis2)
        u = (np.cross(a, b) / np.linalg.norm(np.cross(a, b)))[None]
        errors = np.array([-a @ b])
    jacobian = np.zeros((3 + len(u), 6 * len(arms)))
    for k, (arm, sign) in enumerate(zip(arms, sides, strict=True)):
        x, y, z = arm
        jacobian[:3, 6 * k : 6 * k + 3] = sign * np.eye(3)
        jacobian[:3, 6 * k + 3 : 6 * k + 6] = sign * np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
        jacobian[3:, 6 * k + 3 : 6 * k + 6] = sign * u
    return jacobian, np.concatenate([np.subtract(joint.anchor2, joint.anchor), errors])


def motion_of(joint: od.Joint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M⁻¹, velocities and positions of the bodies."""
    bodies = [body for body in joint.bodies if body is not None]
    inverse = np.zeros((6 * len(bodies), 6 * len(bodies)))
    for k, body in enumerate(bodies):
        inverse[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = np.eye(3) / body.mass
        tensor = np.asarray(body.rotation) @ body.inertia @ np.transpose(body.rotation)
        inverse[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = np.linalg.inv(tensor)
    velocities = np.concatenate([np.concatenate([body.linear_velocity, body.angular_velocity]) for body in bodies])
    return inverse, velocities, np.concatenate([body.position for body in bodies])


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("static", [False, True], ids=["two bodies", "static world"])
@pytest.mark.parametrize("cfm", [1e-10, 0.0])
def test_a_sub_step_solves_the_joint_as_a_linear_system(kind: str, static: bool, cfm: float) -> None:
    """Relaxation removes all of J v, and the bodies move by what corrected the errors before."""
    rng, world = np.random.default_rng(1), make_world()
    world.cfm = cfm
    pairs = [add_pair(world, kind, np.array([3.0 * k, 0, 0]), rng, static) for k in range(COPIES)]
    expected = []
    for pair in pairs:
        (jacobian, errors), (inverse, v, x) = rows_of(pair), motion_of(pair.joint)
        matrix = np.linalg.inv(jacobian @ inverse @ jacobian.T)
        relaxed = v - inverse @ jacobian.T @ matrix @ (jacobian @ v)
        corrected = v + (1 - JOINT_IMPULSE_SCALE) * inverse @ jacobian.T @ matrix @ (0.2 / H * errors - jacobian @ v)
        expected.append((relaxed, x + H * np.concatenate([corrected[6 * k : 6 * k + 3] for k in range(len(x) // 3)])))
    world.advance(H)
    assert (world._store[ISLANDS]["batch"][:COPIES] == 1).all()
    for pair, (velocities, positions) in zip(pairs, expected, strict=True):
        _, v, x = motion_of(pair.joint)
        np.testing.assert_allclose(v, velocities, rtol=0, atol=2e-4)  # free rotation and correction change them, too
        np.testing.assert_allclose(x, positions, rtol=0, atol=2e-7)


@pytest.mark.parametrize("kind", JOINTS)
def test_errors_vanish_and_momentum_stays(kind: str) -> None:
    rng, world = np.random.default_rng(2), make_world()
    pairs = [add_pair(world, kind, np.array([3.0 * k, 0, 0]), rng, False) for k in range(COPIES)]

    def momenta() -> list[np.ndarray]:
        return [sum(body.mass * np.asarray(body.linear_velocity) for body in pair.joint.bodies) for pair in pairs]

    before = momenta()
    assert min(abs(rows_of(pair)[1]).max() for pair in pairs) > 1e-5
    world.advance(H, steps=200)
    assert max(abs(rows_of(pair)[1]).max() for pair in pairs) < 5e-6
    np.testing.assert_allclose(momenta(), before, rtol=0, atol=1e-6)


def doors(
    world: od.World, kind: str, set_up: Callable[[od.Joint], None], gravity: Vector = (0, 0, -9.81)
) -> list[od.Joint]:
    """Plates that joints about y, and in universal joints about x, hold to the static world at their edges."""
    world.gravity = gravity
    joints = []
    for k in range(COPIES):
        body = world.add_body(od.Box((0.4, 0.2, 0.1)), position=(0.2, 2.0 * k, 0), mass=2.0)
        if kind == "hinge":
            joint: od.Joint = world.add_hinge(body, None, anchor=(0, 2.0 * k, 0), axis=(0, 1, 0))
        else:
            joint = world.add_universal(body, None, anchor=(0, 2.0 * k, 0), axis1=(0, 1, 0), axis2=(1, 0, 0))
        set_up(joint)
        joints.append(joint)
    return joints


def angle_of(joint: od.Joint) -> float:
    return joint.angle if isinstance(joint, od.Hinge) else joint.angle1


def motor_of(joint: od.Joint) -> od.LimitMotor:
    return joint.limit_motor if isinstance(joint, od.Hinge) else joint.limit_motors[0]


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("down", [1, -1], ids=["low", "high"])
def test_a_stop_carries_the_weight(kind: str, down: int) -> None:
    """Both sides of the range: gravity points down or up."""

    def set_up(joint: od.Joint) -> None:
        motor_of(joint).stops = -0.3, 0.4
        if kind == "universal":
            joint.limit_motors[1].stops = -0.1, 0.1

    world = make_world()
    joints = doors(world, kind, set_up, (0, 0, -9.81 * down))
    world.advance(0.005, steps=400)
    assert (world._store[ISLANDS]["batch"][:COPIES] == 1).all()
    for joint in joints:
        body, angle = joint.bodies[0], angle_of(joint)
        assert min(abs(angle + 0.3), abs(angle - 0.4)) < 1e-3
        assert np.linalg.norm(body.angular_velocity) < 1e-3
        np.testing.assert_allclose(joint.feedback.force1, (0, 0, down * 9.81 * 2.0), atol=0.02)
        torque = down * 9.81 * 2.0 * 0.2 * np.cos(angle)
        moment = np.cross(np.subtract(joint.anchor, body.position), joint.feedback.force1) + 0.0
        np.testing.assert_allclose(abs(joint.feedback.torque1[1]), 0.0, atol=0.02)  # about the centre of mass
        assert abs(moment[1]) == pytest.approx(abs(torque), rel=0.01)


@pytest.mark.parametrize("kind", JOINTS)
def test_a_stop_that_is_a_spring_keeps_its_stiffness(kind: str) -> None:
    """Its row is softer than lanes take, also in a batch."""
    world = make_world()
    world.soft_substeps = 4

    def set_up(joint: od.Joint) -> None:
        motor_of(joint).stops = -1e-3, 1e-3
        motor_of(joint).set_stop_spring(40.0, 3.0)
        if kind == "universal":
            joint.limit_motors[1].stops = -0.1, 0.1

    joints = doors(world, kind, set_up)
    world.advance(0.005, steps=600)
    for joint in joints:
        angle = abs(angle_of(joint))
        assert 40.0 * (angle - 1e-3) == pytest.approx(9.81 * 2.0 * 0.2 * np.cos(angle), rel=0.01)


@pytest.mark.parametrize("kind", JOINTS)
def test_a_motor_drives_with_its_torque_up_to_its_velocity(kind: str) -> None:
    world = make_world()
    joints = doors(world, kind, lambda joint: motor_of(joint).motor(2.0, 0.5), gravity=(0, 0, 0))
    about = 2.0 * (0.4**2 + 0.1**2) / 12 + 2.0 * 0.2**2
    world.advance(0.002, steps=50)
    rates = [joint.bodies[0].angular_velocity[1] for joint in joints]
    np.testing.assert_allclose(np.abs(rates), 0.5 / about * 0.1, rtol=1e-3)
    world.advance(0.002, steps=1000)
    np.testing.assert_allclose([abs(joint.bodies[0].angular_velocity[1]) for joint in joints], 2.0, rtol=1e-4)


@pytest.mark.parametrize("kind", JOINTS)
def test_arms_move_as_those_solved_row_by_row(kind: str) -> None:
    """Chains with a motor against gravity and stops. A single island has its joints solved one by one, in float64."""
    ends = []
    for copies in (1, 2):
        world = make_world(gravity=(0, 0, -9.81))
        world.soft_substeps = 4
        for k in range(copies):
            before = None
            for n in range(3):
                body = world.add_body(od.Capsule(0.04, 0.2), position=(0.3 * n + 0.15, 2.0 * k, 1), mass=1.0)
                body.rotation = od.rotation.from_axis_angle((0, 1, 0), np.pi / 2)
                body.geoms[0].collide_bits = 0
                anchor = (0.3 * n, 2.0 * k, 1)
                if kind == "hinge":
                    joint: od.Joint = world.add_hinge(body, before, anchor=anchor, axis=(0, 1, 0))
                else:
                    joint = world.add_universal(body, before, anchor=anchor, axis1=(0, 1, 0), axis2=(0, 0, 1))
                    joint.limit_motors[1].stops = -0.2, 0.2
                motor_of(joint).stops = -0.5, 0.5
                if n == 1:
                    motor_of(joint).motor(-1.0, 20.0)
                before = body
        path = []
        for _ in range(20):
            world.advance(0.002, steps=20)
            path.append(np.concatenate([[*body.position, *body.quaternion] for body in world.bodies[:3]]))
        assert (world._store[ISLANDS]["batch"][:copies] == copies - 1).all()
        ends.append(path)
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=2e-3)  # stops are reached within a step
    assert abs(ends[0][-1][2] - 1) > 0.05
