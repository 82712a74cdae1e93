"""Mass matrix, inverse and forward dynamics: closed forms, each other, and energy."""

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from opendynamics.robot.kinematics import forward
from tests.robot.models import moved, planar_arm, random_model, random_state

G = 9.80665


def test_pendulum():
    model = planar_arm((2.0,), (3.0,), (0.7,), rotors=(0.2,))
    state = model.state()
    state.q, state.dq = (0.4,), (1.5,)
    inertia = 0.7 + 3.0 * 1.0**2
    assert np.allclose(robot.mass_matrix(state), inertia + 0.2)
    assert np.allclose(robot.mass_matrix(state, rotors=False), inertia)
    assert np.allclose(robot.bias_forces(state), 3.0 * G * math.sin(0.4))
    assert np.allclose(robot.forward_dynamics(state), -3.0 * G * math.sin(0.4) / (inertia + 0.2))


def test_double_pendulum():
    """M, Coriolis and gravity terms of two rods, from their Lagrangian."""
    (l1, l2), (m1, m2), (i1, i2) = (1.1, 0.7), (2.0, 1.5), (0.3, 0.2)
    c1, c2 = 0.5 * l1, 0.5 * l2
    model = planar_arm((l1, l2), (m1, m2), (i1, i2))
    state = model.state()
    q1, q2 = state.q = (0.6, -1.3)
    w1, w2 = state.dq = (0.9, 2.1)
    cosine, sine = math.cos(q2), math.sin(q2)
    m22 = i2 + m2 * c2**2
    m12 = m22 + m2 * l1 * c2 * cosine
    m11 = i1 + m1 * c1**2 + i2 + m2 * (l1**2 + c2**2 + 2 * l1 * c2 * cosine)
    assert np.allclose(robot.mass_matrix(state), ((m11, m12), (m12, m22)), atol=1e-14)
    k = m2 * l1 * c2 * sine
    gravity = np.array(
        (
            m1 * G * c1 * math.sin(q1) + m2 * G * (l1 * math.sin(q1) + c2 * math.sin(q1 + q2)),
            m2 * G * c2 * math.sin(q1 + q2),
        )
    )
    coriolis = np.array((-k * (2 * w1 * w2 + w2**2), k * w1**2))
    assert np.allclose(robot.bias_forces(state), coriolis + gravity, atol=1e-13)
    assert np.allclose(robot.gravity_forces(state), gravity, atol=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_mass_matrix_from_columns_of_inverse_dynamics(seed):
    model = random_model(seed, free=seed != 1, free_inside=seed == 3)
    state = random_state(model, seed)
    matrix = robot.mass_matrix(state)
    bias = robot.bias_forces(state)
    columns = [robot.inverse_dynamics(state, unit) - bias for unit in np.eye(model.tree.freedom)]
    assert np.allclose(matrix, np.array(columns).T, atol=1e-11)
    assert np.array_equal(matrix, matrix.T) and np.linalg.eigvalsh(matrix).min() > 0.0


@pytest.mark.parametrize("seed", range(4))
def test_forward_undoes_inverse(seed):
    model = random_model(seed, free=False)
    state = random_state(model, seed)
    state.u = robot.inverse_dynamics(state)
    assert np.allclose(robot.forward_dynamics(state), state.acceleration, atol=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_power_changes_the_energy(seed):
    state = random_state(random_model(seed, free_inside=True), seed)

    def energy(s):
        return robot.kinetic_energy(s) + robot.potential_energy(s)

    h = 1e-5
    rate = (energy(moved(state, h)) - energy(moved(state, -h))) / (2 * h)
    assert rate == pytest.approx(robot.inverse_dynamics(state) @ state.velocity, rel=1e-7)


def test_a_free_body_falls_and_tumbles():
    model = random_model(5, count=1)
    state = random_state(model, 5)
    acceleration = robot.forward_dynamics(state)
    state.acceleration = acceleration
    link, kinematics = model.root, robot.forward_kinematics(state)
    turn = kinematics.rotations[0]
    w, dw = kinematics.angular_velocities[0], kinematics.angular_accelerations[0]
    inertia = turn @ link.inertia @ turn.T
    assert np.allclose(inertia @ dw + np.cross(w, inertia @ w), 0.0, atol=1e-12)
    arm = turn @ link.center_of_mass
    center = kinematics.linear_accelerations[0] + np.cross(dw, arm) + np.cross(w, np.cross(w, arm))
    assert np.allclose(center, (0, 0, -G), atol=1e-12)


def test_external_forces_are_jacobian_transposes():
    model = random_model(6)
    state = random_state(model, 6)
    rng = np.random.default_rng(6)
    external = np.zeros((len(model.links), 6))
    external[7] = rng.normal(size=6)
    plain, pushed = robot.bias_forces(state), robot.bias_forces(state, external=external)
    assert np.allclose(plain - pushed, robot.jacobian(state, "L7").T @ external[7], atol=1e-11)


def test_gravity_forces_hold():
    model = random_model(2, free=False)
    state = random_state(model, 2)
    held = state.copy()
    held.velocity = np.zeros(model.tree.freedom)
    held.u = robot.gravity_forces(state)
    assert np.allclose(robot.forward_dynamics(held), 0.0, atol=1e-11)


def test_massless_links_are_named():
    model = planar_arm((1.0,), (0.0,), (0.0,))
    with pytest.raises(ValueError, match="singular"):
        robot.forward_dynamics(_without_inertia(model).state())
    with pytest.raises(ValueError, match="shape"):
        robot.inverse_dynamics(model.state(), (1.0, 2.0))


def _without_inertia(model):
    from dataclasses import replace

    links = [model.links[0], replace(model.links[1], inertia=np.zeros((3, 3)))]
    return robot.Model("hollow", links)


def test_poses_are_computed_once_for_an_acceleration_and_for_a_step_of_control(monkeypatch):
    computed = []
    place = forward.place_links
    monkeypatch.setattr(forward, "place_links", lambda *arguments: computed.append(1) or place(*arguments))
    model = random_model(2)
    robot.forward_dynamics(random_state(model, 2))
    assert len(computed) == 1
    machine = od.Robot(od.World(), model)
    control = robot.PDControl(machine, 10.0, 1.0, step=0.01)
    computed.clear()
    control.drive(np.zeros(len(model.joints)))
    assert len(computed) == 1


@pytest.mark.parametrize("seed", range(3))
def test_poses_follow_from_those_of_the_parents(seed):
    model = random_model(seed, free_inside=True)
    state = random_state(model, seed)
    found = robot.forward_kinematics(state)
    bases = {int(link): row for row, link in enumerate(model.tree.bases)}
    for link in model.links:
        k, joint = link.index, link.joint
        if k in bases:
            turn = od.rotation.matrix_from_quaternion(state.base_quaternions[bases[k]])
            at = state.base_positions[bases[k]]
        else:
            q = state.q[joint.index] if joint.movable else 0.0
            slide = q * joint.axis if joint.type == "prismatic" else np.zeros(3)
            turned = od.rotation.from_axis_angle(joint.axis, q) if joint.type == "revolute" else np.eye(3)
            above = found.rotations[link.parent]
            at = found.positions[link.parent] + above @ (link.translation + link.rotation @ slide)
            turn = above @ link.rotation @ turned
        assert np.allclose(found.positions[k], at, rtol=0, atol=1e-14)
        assert np.allclose(found.rotations[k], turn, rtol=0, atol=1e-14)
