"""Inverse kinematics: reachable targets are reached, others approached, limits respected."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from opendynamics import robot
from tests.robot.models import planar_arm

MODELS = Path(__file__).parents[1] / "data" / "models"


@pytest.fixture(scope="module")
def sr1():
    return robot.load_robot(MODELS / "SR1/SR1.body")


def test_poses_of_a_leg_and_an_arm_come_back(sr1):
    rng = np.random.default_rng(1)
    lower = np.array([joint.lower for joint in sr1.joints])
    upper = np.array([joint.upper for joint in sr1.joints])
    for _ in range(10):
        there = sr1.state()
        there.q = lower + (upper - lower) * rng.uniform(0.25, 0.75, len(lower))
        wanted = robot.forward_kinematics(there)
        targets = [
            robot.Target(name, wanted.point(name, (0.05, 0, -0.05)), wanted.rotations[k], point=(0.05, 0, -0.05))
            for name in ("LLEG_ANKLE_R", "RARM_WRIST_R")
            for k in [sr1.links[name].index]
        ]
        start = sr1.state()
        start.q = there.q + 0.3 * rng.uniform(-1, 1, len(lower))
        found = robot.inverse_kinematics(start, targets)
        assert found.converged and found.error < 1e-9 and found.iterations < 100
        reached = robot.forward_kinematics(found.state)
        for target in targets:
            k = sr1.links[target.link].index
            assert np.allclose(reached.point(k, target.point), target.position, atol=1e-8)
            assert np.allclose(reached.rotations[k], target.rotation, atol=1e-8)
        assert ((found.state.q >= lower) & (found.state.q <= upper)).all()


def test_out_of_reach_the_arm_points_there():
    arm = planar_arm((1.0, 1.0), (1, 1), (1, 1))
    start = arm.state()
    start.q = (0.3, 0.4)
    tip = (0, 0, -1.0)
    found = robot.inverse_kinematics(start, robot.Target("L1", (-5.0, 0, 0), point=tip), iterations=500)
    assert not found.converged and found.error == pytest.approx(3.0, abs=1e-6)
    assert np.allclose(robot.forward_kinematics(found.state).point("L1", tip), (-2, 0, 0), atol=1e-3)
    assert np.array_equal(start.q, (0.3, 0.4))


def test_a_target_that_is_reached_takes_no_iteration():
    arm = planar_arm((1.0, 1.0), (1, 1), (1, 1))
    start = arm.state()
    start.q = (0.3, 0.4)
    tip = (0, 0, -1.0)
    there = robot.forward_kinematics(start).point("L1", tip) + np.array((1e-4, 0, 0))
    found = robot.inverse_kinematics(start, robot.Target("L1", there, point=tip), tolerance=1e-3)
    assert found.converged and found.iterations == 0 and np.array_equal(found.state.q, start.q)


def test_limits_hold_and_other_joints_make_up():
    arm = planar_arm((1.0, 1.0, 1.0), (1, 1, 1), (1, 1, 1))
    links = list(arm.links)
    links[1] = replace(links[1], joint=replace(links[1].joint, lower=-0.1, upper=0.1))
    arm = robot.Model("bounded", links)
    start = arm.state()
    start.q = (0.0, 0.3, 0.3)
    target = robot.Target("L2", (-1.9, 0, -1.2), point=(0, 0, -1.0))
    found = robot.inverse_kinematics(start, target, iterations=300)
    assert found.converged and abs(found.state.q[0]) <= 0.1
    assert robot.inverse_kinematics(start, target, limits=False).converged


@pytest.mark.parametrize("steps", [1, 2, 3, 10])
def test_no_step_leaves_the_limits(steps):
    arm = planar_arm((1.0, 1.0), (1, 1), (1, 1))
    links = [arm.links[0], *(replace(k, joint=replace(k.joint, lower=-0.1, upper=0.1)) for k in arm.links[1:])]
    start = robot.Model("bounded", links).state()
    target = robot.Target("L1", (2.0, 0, 0), point=(0, 0, -1.0))
    found = robot.inverse_kinematics(start, target, iterations=steps)
    assert abs(found.state.q).max() == pytest.approx(0.1) and abs(found.state.q).max() <= 0.1


def test_only_named_joints_move(sr1):
    start = sr1.state()
    target = robot.Target(
        "LARM_WRIST_R", robot.forward_kinematics(start).point("LARM_WRIST_R") + np.array([0.05, 0, 0.1])
    )
    names = ["LARM_SHOULDER_P", "LARM_SHOULDER_R", "LARM_ELBOW"]
    found = robot.inverse_kinematics(start, target, joints=names)
    changed = {joint.name for joint in sr1.joints if found.state.q[joint.index] != start.q[joint.index]}
    assert found.converged and changed <= set(names) and changed


def test_bad_targets(sr1):
    with pytest.raises(ValueError, match="at least one target"):
        robot.inverse_kinematics(sr1.state(), [])
    with pytest.raises(ValueError, match="a position, a rotation or both"):
        robot.inverse_kinematics(sr1.state(), robot.Target("CHEST"))
    with pytest.raises(KeyError, match="CHESS"):
        robot.inverse_kinematics(sr1.state(), robot.Target("CHESS", (0, 0, 0)))
