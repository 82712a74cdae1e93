"""Rows of joints are the derivatives of the errors that they correct.

With the error e of a row as a function of the bodies' poses, and J v its rate as the row has it: de = -J v dt. The
derivative is taken numerically, in every direction that a body can move or turn, where the joint is satisfied but far
from rest.
"""

import numpy as np
import pytest

import opendynamics as od
from opendynamics import rotation
from tests.families.joint_cases import KINDS, H, cases, make, rows_of, stop_bodies

ERP = 0.5
STEP = 1e-5

# Joints whose rows have no error in position, or one that depends on the past.
NO_ERRORS = {"amotor", "lmotor", "null", "plane2d", "servo", "transmission"}

# Rows that act half way between the centres are derivatives only together with the rows that hold the orientation.
HALF_WAY = {"slider", "dhinge"}

TESTED = cases(kind for kind in KINDS if kind not in NO_ERRORS)

# Stops, held from both sides.
STOPS = {
    "hinge": [0],
    "slider": [0],
    "universal": [0, 1],
    "hinge2": [0],
    "pr": [0, 1],
    "piston": [0, 1],
    "pu": [0, 1, 2],
}


def settled(kind, attachment, seed):
    """A joint that has moved away from rest and whose error is gone."""
    world, joint = make(kind, attachment, seed, speed=1.0, erp=ERP, cfm=0.0)
    for _ in range(40):
        world.step(H)
    for _ in range(60):
        stop_bodies(world)
        world.step(H)
    stop_bodies(world)
    return world, joint


def errors_and_rows(joint):
    """Errors and Jacobian of the rows at the poses that the bodies have, which they keep."""
    world = joint.world
    poses = world.positions, world.quaternions
    stop_bodies(world)
    world.step(H)
    world.positions, world.quaternions = poses
    jacobian, speeds = rows_of(joint)
    return speeds * H / ERP, jacobian


def moved(body, direction, amount):
    """Move the body along (0 to 2) or turn it about (3 to 5) an axis of the world."""
    axis = np.eye(3)[direction % 3]
    if direction < 3:
        body.position = body.position + amount * axis
    else:
        body.quaternion = rotation.multiply(rotation.quaternion_from_axis_angle(axis, amount), body.quaternion)


def derivative(joint):
    """Derivatives of the rows' errors by the motion of the bodies, as the rows order them: (n, 12)."""
    world = joint.world
    columns = []
    for body in joint._inner_bodies:
        for direction in range(6):
            if body is None:
                columns.append(0.0 * columns[0])
                continue
            poses = world.positions, world.quaternions
            ends = []
            for sign in (1, -1):
                moved(body, direction, sign * STEP)
                ends.append(errors_and_rows(joint)[0])
                world.positions, world.quaternions = poses
            columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.column_stack(columns)


def check(joint):
    _, jacobian = errors_and_rows(joint)
    slope = derivative(joint)
    if joint._inner_bodies[1] is None:
        jacobian[:, 6:] = 0.0  # no body there
    if joint.kind not in HALF_WAY and not (joint.kind == "piston" and len(jacobian) > 4):
        np.testing.assert_allclose(slope, -jacobian, atol=1e-6)
    # Each derivative is its own row, perhaps with something of the others.
    mix = -slope @ np.linalg.pinv(jacobian)
    np.testing.assert_allclose(slope, -mix @ jacobian, atol=1e-6)
    np.testing.assert_allclose(np.diag(mix), 1.0, atol=1e-6)


def test_a_row_without_content_is_empty():
    """Wheels with play between their teeth exert no force."""
    world = od.World()
    wheels = [world.add_body(mass=od.Mass.sphere(1.0, mass=1.0), position=(x, 0, 0)) for x in (0, 1)]
    for wheel in wheels:
        world.add_hinge(wheel, None, anchor=wheel.position, axis=(0, 0, 1))
    anchors = {"anchor1": wheels[0].position, "anchor2": wheels[1].position}
    gear = world.add_transmission(*wheels, mode="parallel", axis=(0, 0, 1), ratio=1.0, backlash=0.1, **anchors)
    for _ in range(2):
        wheels[0].angular_velocity = (0, 0, 1)
        world.step(H)
        assert not rows_of(gear)[0].any()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("kind", "attachment"), TESTED)
def test_rows_are_derivatives(kind, attachment, seed):
    _, joint = settled(kind, attachment, seed)
    errors, jacobian = errors_and_rows(joint)
    assert len(jacobian) and abs(errors).max() < 1e-9
    check(joint)


@pytest.mark.parametrize(("kind", "attachment"), cases(STOPS))
def test_rows_of_stops_are_derivatives(kind, attachment):
    _, joint = settled(kind, attachment, 3)
    count = len(rows_of(joint)[0])
    for axis in STOPS[kind]:
        joint.limit_motors[axis].stops = 0.3, 0.3
        joint.limit_motors[axis].stop_erp = ERP
    assert len(errors_and_rows(joint)[1]) == count + len(STOPS[kind])
    check(joint)
