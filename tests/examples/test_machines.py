"""Outcomes of examples with vehicles, mechanisms and motors."""

import math

import numpy as np
import pytest

from tests.examples.running import run


def test_the_pistons_stand_where_geometry_says():
    scope, _ = run("slider_crank_engine")
    assert scope["error"] < 1e-3 * scope["ROD"] * 5
    # More torque than the brake: the engine runs up with (gas - brake) / inertia at least half as fast as a wheel alone.
    inertia = scope["scene"].world.bodies[0].inertia[1, 1]
    alone = (scope["mean"] - scope["BRAKE"]) * scope["scene"].seconds / inertia
    assert 0.3 * alone < scope["hinge"].rate < 1.3 * alone


def test_gears_multiply_torque_by_what_they_divide_speed():
    scope, _ = run("gear_train")
    motor, layshaft, output = scope["rates"]
    assert motor == pytest.approx(scope["SPEED"], rel=1e-6)
    assert abs(motor / layshaft) == pytest.approx(scope["MIDDLE"] / scope["SMALL"], rel=1e-3)
    assert abs(motor / output) == pytest.approx(scope["RATIO"], rel=1e-3)
    assert abs(scope["torque"]) == pytest.approx(scope["LOAD"] / scope["RATIO"], rel=0.02)


def test_the_machine_walks_upright():
    scope, _ = run("jansen_walker")
    x, y, z = scope["frame"].position
    assert x > 1.5 and abs(y) < 0.5 and 0.7 < z < 1.0


def test_the_tracks_drive_without_slip_and_turn_with_it():
    scope, _ = run("tank_tracks")
    assert scope["speed"] == pytest.approx(scope["SPEED"], abs=1e-3)
    assert 0.2 < scope["rate"] / (2 * scope["SPEED"] / scope["GAUGE"]) < 1.0
    turned = scope["crawler"].position - scope["start"]
    assert math.hypot(*turned[:2]) < 0.4


def test_the_car_follows_the_hills_on_its_springs():
    scope, _ = run("suspension_car")
    x, y, _ = scope["chassis"].position
    assert x > 20 and abs(y) < 1.0
    assert scope["chassis"].linear_velocity[0] == pytest.approx(scope["SPEED"], rel=0.3)
    assert scope["lowest"] > 0.2
    # On level ground the springs give way by the load of each.
    scene = scope["build"]()
    scene.sliders[0].change(0.0)
    scene.run(steps=600)
    car = scene.world.bodies[0]
    assert 0.65 - car.position[2] == pytest.approx(scope["sink"], rel=0.1)


def test_the_ball_breaks_the_bridge_that_bore_its_own_weight():
    scope, _ = run("breaking_bridge")
    assert len(scope["broken"]) >= 1 and scope["world"].find("ball").position[2] < 1.0
    # Each end bears half the weight, upwards.
    assert abs(scope["carried"]) == pytest.approx(scope["weight"] / 2, rel=0.05)
    strong = scope["build"](strength=math.inf)
    strong.run()
    assert not any(hinge.broken for hinge in strong.world.joints)
    assert strong.world.find("ball").position[2] > 1.0


def test_parcels_slip_as_far_as_friction_lets_them():
    scope, _ = run("conveyor")
    assert scope["speed"] == pytest.approx(scope["SPEED"], abs=1e-3)
    assert scope["slip"] == pytest.approx(scope["SPEED"] ** 2 / (2 * scope["MU"] * scope["G"]), abs=0.02)
    assert scope["across"] >= 2


def test_the_load_in_the_lift_feels_its_acceleration():
    scope, _ = run("kinematic_lift")
    swing = scope["MASS"] * 0.5 * scope["RISE"] * scope["RATE"] ** 2
    assert scope["off"] < 0.02 * swing
    weight = scope["MASS"] * scope["G"]
    assert min(scope["measured"]) == pytest.approx(weight - swing, abs=0.02 * swing)


def test_springs_swing_as_their_stiffness_and_damping_say():
    scope, _ = run("spring_tuning")
    for k, ratio in enumerate(scope["RATIOS"]):
        expected = scope["DROP"] * math.exp(-2 * math.pi * ratio / math.sqrt(1 - ratio**2)) if ratio < 1 else 0.0
        for peaks in scope["found"][2 * k : 2 * k + 2]:
            assert (peaks[0] if peaks else 0.0) == pytest.approx(expected, abs=0.02 * scope["DROP"])


def test_the_cranes_ball_hits_the_stack_and_its_slider_turns_the_tower():
    scope, out = run("crane")
    assert scope["fallen"] >= 1
    assert f"moved {scope['fallen']} of 18 blocks" in out
    scene = scope["build"]()
    scene.sliders[0].change(-0.4)
    scene.run(steps=200)
    hinge = scene.world.joints[0]
    assert hinge.rate == pytest.approx(-0.4, abs=0.05)


def test_the_car_from_scratch_drives_ahead_at_its_speed():
    scope, _ = run("car")
    assert np.linalg.norm(scope["chassis"].linear_velocity) == pytest.approx(scope["SPEED"], rel=0.1)
    assert scope["chassis"].position[0] > 10
