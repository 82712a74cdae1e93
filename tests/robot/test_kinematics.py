"""Forward kinematics and Jacobians: planar arms in closed form, and finite differences on random trees."""

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import moved, planar_arm, random_model, random_state

SEEDS = range(4)


def test_planar_arm():
    model = planar_arm((1.0, 0.5, 0.25), (1, 1, 1), (1, 1, 1))
    state = model.state()
    state.q = (0.3, -1.1, 2.0)
    kinematics = robot.forward_kinematics(state)
    angles = np.cumsum(state.q)
    elbow = np.array([-math.sin(angles[0]), 0, -math.cos(angles[0])])
    wrist = elbow + 0.5 * np.array([-math.sin(angles[1]), 0, -math.cos(angles[1])])
    tip = wrist + 0.25 * np.array([-math.sin(angles[2]), 0, -math.cos(angles[2])])
    assert np.allclose(kinematics.positions[2], elbow, atol=1e-15)
    assert np.allclose(kinematics.positions[3], wrist, atol=1e-15)
    assert np.allclose(kinematics.point("L2", (0, 0, -0.25)), tip, atol=1e-15)
    assert np.allclose(kinematics.rotations[3], od.rotation.from_axis_angle((0, 1, 0), angles[2]), atol=1e-15)


def test_planar_arm_spinning():
    model = planar_arm((2.0,), (1,), (1,))
    state = model.state()
    state.dq, state.ddq = (3.0,), (5.0,)
    kinematics = robot.forward_kinematics(state)
    jacobian = robot.jacobian(state, "L0", (0, 0, -2.0))
    assert np.allclose(jacobian @ state.velocity, (-6, 0, 0, 0, 3, 0))
    tip = planar_arm((2.0, 1.0), (1, 1), (1, 1)).state()
    tip.dq, tip.ddq = (3.0, 0.0), (5.0, 0.0)
    kinematics = robot.forward_kinematics(tip)
    # r dw along -x, and w² r towards the axis.
    assert np.allclose(kinematics.linear_accelerations[2], (-10, 0, 18))
    assert np.allclose(kinematics.angular_accelerations[2], (0, 5, 0))


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_and_accelerations_are_derivatives(seed):
    model = random_model(seed, free=seed % 2 == 0, free_inside=seed == 2)
    state = random_state(model, seed)
    now = robot.forward_kinematics(state)
    h = 1e-5
    before, after = (robot.forward_kinematics(moved(state, k * h)) for k in (-1, 1))
    assert np.allclose((after.positions - before.positions) / (2 * h), now.linear_velocities, atol=1e-7)
    assert np.allclose(
        (after.linear_velocities - before.linear_velocities) / (2 * h), now.linear_accelerations, atol=1e-7
    )
    assert np.allclose(
        (after.angular_velocities - before.angular_velocities) / (2 * h), now.angular_accelerations, atol=1e-7
    )
    rates = (after.rotations - before.rotations) / (2 * h) @ now.rotations.transpose(0, 2, 1)
    spins = np.column_stack([rates[:, 2, 1], rates[:, 0, 2], rates[:, 1, 0]])
    assert np.allclose(spins, now.angular_velocities, atol=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobians_are_derivatives(seed):
    model = random_model(seed, free_inside=True)
    state = random_state(model, seed)
    point, h = (0.3, -0.2, 0.5), 1e-6
    columns, centers = [], []
    for k in range(model.tree.freedom):
        ends = []
        for sign in (-1, 1):
            other = state.copy()
            other.velocity = np.eye(model.tree.freedom)[k]
            other.advance(sign * h)
            ends.append((robot.forward_kinematics(other).point("L9", point), robot.center_of_mass(other)))
        columns.append((ends[1][0] - ends[0][0]) / (2 * h))
        centers.append((ends[1][1] - ends[0][1]) / (2 * h))
    assert np.allclose(robot.jacobian(state, "L9", point)[:3], np.array(columns).T, atol=1e-8)
    assert np.allclose(robot.center_of_mass_jacobian(state), np.array(centers).T, atol=1e-8)
    spin = robot.jacobian(state, "L9")[3:] @ state.velocity
    assert np.allclose(spin, robot.forward_kinematics(state).angular_velocities[9])


def test_far_from_the_origin_nothing_is_lost():
    model = random_model(1)
    near = random_state(model, 1)
    far = near.copy()
    far.position = near.position + 1e6
    assert np.allclose(robot.mass_matrix(far), robot.mass_matrix(near), atol=1e-7)
    assert np.allclose(robot.bias_forces(far), robot.bias_forces(near), atol=1e-6)


def test_center_of_mass_of_an_arm():
    state = planar_arm((1.0, 1.0), (3.0, 1.0), (1, 1)).state()
    # The base has 1 kg at the origin.
    assert np.allclose(robot.center_of_mass(state), (0, 0, (3 * -0.5 + 1 * -1.5) / 5))


def test_a_state_keeps_its_shape():
    model = random_model(0)
    state = model.state()
    with pytest.raises(ValueError, match=r"q of random 0 must have the shape \(\d+,\)"):
        state.q = (1.0,)
    with pytest.raises(ValueError, match="finite"):
        state.q = np.full(state.q.shape, np.nan)
    with pytest.raises(ValueError, match="fixed_root=False"):
        planar_arm((1,), (1,), (1,)).state().linear_velocity = (1, 0, 0)
    copy = state.copy()
    copy.q[0] = 9.0
    assert state.q[0] != 9.0


def test_names_are_found_or_suggested():
    model = planar_arm((1, 1), (1, 1), (1, 1))
    assert model.joints["J1"].index == 1 and model.links["L1"].index == 2 and "J0" in model.joints
    assert model.joint_by_id(1) is model.joints["J1"]
    assert [link.name for link in model.children("BASE")] == ["L0"] and model.parent("L0") is model.root
    assert np.array_equal(model.vector({"J1": 2.0}), (0.0, 2.0))
    with pytest.raises(KeyError, match="no joint is called 'j1'; did you mean 'J1'\\? Known names: J0, J1"):
        model.joints["j1"]
    with pytest.raises(KeyError, match="no joint of arm has the id 7"):
        model.joint_by_id(7)
