"""Outcomes of examples with contacts, filters, zones, shapes, recordings and ports."""

import math

import numpy as np
import pytest

from tests.examples.running import run


def test_ice_is_slippery_in_the_classic_loop():
    scope, _ = run("classic_loop")
    slid = [(box.position[1] < 0, box.position[0]) for box in scope["boxes"]]
    assert min(x for ice, x in slid if ice) > max(x for ice, x in slid if not ice) + 1.0


def test_two_scales_share_the_load_by_the_law_of_the_lever():
    scope, _ = run("contact_forces")
    for part in (0.25, 0.5, 0.9):
        assert scope["loads"](part) == pytest.approx(scope["expected"](part), rel=0.01)
    assert sum(scope["expected"](0.25)) == pytest.approx((scope["PLANK"] + scope["WEIGHT"]) * scope["G"])


def test_the_sieve_stops_red_balls_only():
    scope, _ = run("collision_filters")
    assert scope["above"] == {"red": 8, "blue": 0}
    assert all(body.position[2] > 0.05 for body in scope["world"].bodies)


def test_two_light_barriers_measure_gravity():
    scope, _ = run("trigger_zone")
    assert scope["found"] == pytest.approx(scope["G"], rel=0.01)
    for time, height in zip((scope["first"], scope["second"]), scope["BARRIERS"], strict=True):
        assert time == pytest.approx(math.sqrt(2 * (scope["TOP"] - height) / scope["G"]), abs=3 * scope["H"])


def test_the_port_moves_as_the_pyode_program():
    scope, out = run("pyode_port")
    assert "equal to the last bit" in out
    # Rods that cannot change their length.
    one, two = map(np.array, scope["new"])
    assert np.linalg.norm(one - (0, 2, 0)) == pytest.approx(1.0, abs=0.05)
    assert np.linalg.norm(two - one) == pytest.approx(1.0, abs=0.05)


def test_a_mesh_from_a_file_comes_to_rest_on_the_hills():
    scope, out = run("mesh_on_terrain")
    assert "548 triangles, closed" in out
    for body in scope["bodies"]:
        x, y, z = body.position
        assert abs(x) < 5 and abs(y) < 5
        assert 0.0 < z - scope["hills"](x, y) < 0.6
        assert np.linalg.norm(body.linear_velocity) < 0.05


def test_bodies_of_constant_width_keep_the_plate_at_one_height():
    scope, _ = run("constant_width")
    assert scope["high"] - scope["low"] < 1e-3
    assert scope["moved"] == pytest.approx(scope["SPEED"] * scope["scene"].seconds, rel=0.1)
    # The shape is as wide in every direction.
    geom = scope["rollers"][0].geoms[0]
    for k in range(5):
        scope["rollers"][0].quaternion = (1, k, 0.5 * k, -k)
        assert np.diff(geom.aabb)[::2] == pytest.approx([scope["WIDTH"]] * 3, abs=1e-9)


def test_only_the_continuous_bullet_is_stopped():
    scope, _ = run("bullet_through_thin_wall")
    continuous, plain = scope["world"].bodies
    assert continuous.position[0] < 0 and plain.position[0] > 5


def test_a_recording_tells_which_ball_moved_when():
    scope, out = run("recording")
    assert scope["began"][0] == 0 and (np.diff(scope["began"]) > 0.05).all() and "301 frames" in out
    assert scope["furthest"] == pytest.approx(scope["balls"][4].position[0], abs=1e-9)
    assert scope["plotted"] > 1000 and scope["filmed"] > 1000


def test_the_notebook_runs_from_top_to_bottom():
    scope, out = run("notebook")
    assert scope["drift"] < 0.05 and "1501 frames" in out
    assert (scope["folder"] / "run.glb").read_bytes()[:4] == b"glTF"
    assert len(scope["figure"].axes) == 2
