"""Outcomes of examples with robots, control and sensors."""

import math
import re

import numpy as np
import pytest

from tests.examples.running import run


def test_feedback_balances_what_falls_without():
    scope, _ = run("cart_pole")
    assert abs(scope["lean"]) < math.radians(0.5) and abs(scope["place"]) < 0.02
    assert abs(scope["fallen"]) > math.radians(60)


def test_gravity_compensation_removes_the_sag():
    scope, _ = run("arm_pd_torques")
    assert max(map(abs, scope["exact"])) < 1e-4
    # Without it the second joint sags by the load of its link over the stiffness, within a link's change of lever.
    angle = sum(scope["TARGET"]) + sum(scope["sagging"])
    sag = scope["MASS"] * scope["G"] * 0.5 * scope["LENGTH"] * math.cos(angle) / scope["STIFFNESS"]
    assert -scope["sagging"][1] == pytest.approx(sag, rel=0.02)


def test_the_hand_draws_its_circle():
    scope, _ = run("arm_inverse_kinematics")
    assert max(scope["errors"]) < 0.005
    low, high = np.min([scope["point"](t) for t in np.linspace(0, 2.5, 50)], axis=0)[1:], scope["RADIUS"]
    assert low[0] == pytest.approx(-high, abs=1e-3)


def test_a_block_is_lifted_only_if_friction_carries_it():
    scope, _ = run("gripper")
    assert scope["firm"] == pytest.approx(scope["LIFT"], abs=0.02)
    assert scope["weak"] < 0.01


def test_the_quadruped_trots_ahead_upright():
    scope, _ = run("quadruped_gait")
    x, y, z = scope["trunk"].position
    assert x > 0.5 and abs(y) < 0.5 and z > 0.25
    assert scope["upright"] > math.cos(math.radians(25))
    # The foot's path is closed, and the leg's angles bring the foot where it is to be.
    for phase in np.linspace(0, 0.99, 12):
        ahead, down = scope["foot"](phase)
        hip, knee = scope["leg_angles"](ahead, down)
        x = -scope["THIGH"] * math.sin(hip) - scope["SHIN"] * math.sin(hip + knee)
        z = scope["THIGH"] * math.cos(hip) + scope["SHIN"] * math.cos(hip + knee)
        assert (x, z) == pytest.approx((ahead, down), abs=1e-9)


def test_ragdolls_tumble_down_and_their_joints_stop():
    scope, _ = run("ragdolls_on_stairs")
    assert scope["beyond"] < 0.3
    for x, _y, z in scope["chests"]:
        assert x > 1.0 and z < scope["HIGH"] * scope["STEPS"]


def test_the_lidar_sees_walls_and_pillar_where_they_are():
    scope, _ = run("lidar")
    assert len(scope["points"]) == 10 * scope["BEAMS"] and np.isfinite(scope["points"]).all()
    assert scope["error"] < 1e-6
    to_pillar = abs(np.linalg.norm(scope["points"][:, :2] - scope["PLACE"], axis=1) - scope["PILLAR"])
    assert (to_pillar < 1e-6).sum() > 50


def test_sensors_show_what_theory_says_of_a_pendulum():
    scope, _ = run("force_and_inertial_sensors")
    assert scope["factor"] == pytest.approx(2.0)
    assert scope["force"] == pytest.approx(2 * scope["MASS"] * scope["G"], rel=0.01)
    assert scope["felt"] == pytest.approx(2 * scope["G"], rel=0.01)
    assert scope["rate"] == pytest.approx(math.sqrt(scope["G"] / scope["LENGTH"]), rel=0.005)


def test_the_planner_swings_the_pendulum_up():
    scope, out = run("planning")
    seconds, height = (float(number) for number in re.findall(r"\d+\.\d+", out))
    assert seconds < 5.0
    assert height >= 0.49
    # No torque that is held does it: none lifts the rod even level.
    world, rod, hinge = scope["pendulum"]()
    for _ in range(40):
        scope["push"](world, hinge, max(scope["TORQUES"]))
        assert rod.position[2] < 0
