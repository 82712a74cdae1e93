"""Registered scenes: each can be built and run, and does what its description says."""

import inspect
import math

import numpy as np
import pytest

from opendynamics import scenes
from opendynamics.api.world import World
from opendynamics.scenes import SCENES, Scene

DEEPEST = 0.06  # m, more than a body falling into a scene sinks in within a step


def named(scene):
    return {body.name: body for body in scene.world.bodies}


@pytest.mark.parametrize("name", SCENES.names)
def test_every_scene_has_a_description_and_options_with_defaults(name):
    assert 10 < len(scenes.describe(name)) < 110
    parameters = inspect.signature(SCENES[name].build).parameters.values()
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in parameters)


@pytest.mark.parametrize("name", SCENES.names)
def test_every_scene_runs(name):
    scene = scenes.build(name)
    assert isinstance(scene, Scene) and scene.steps > 100
    assert np.isfinite([*scene.camera, *scene.target]).all() and scene.camera != scene.target
    for _ in scene.play(60):
        assert scene.world.statistics.deepest < DEEPEST
    assert not scene.world.faults
    assert np.isfinite(scene.world.positions).all()


@pytest.mark.parametrize("name", SCENES.names)
def test_playing_step_by_step_and_running_are_the_same(name):
    one, two = scenes.build(name), scenes.build(name)
    assert list(one.play(40, one.world.time_stages)) == list(range(1, 41))
    two.run(40)
    assert np.array_equal(one.world.positions, two.world.positions)


def test_unknown_scene():
    with pytest.raises(ValueError, match="no member 'nosuch'; there are: car, chain"):
        scenes.build("nosuch")


@pytest.mark.parametrize(("name", "option"), [("wall", "rows"), ("chain", "links"), ("pit", "bodies"), ("pit", "side")])
def test_sizes_of_scenes_are_checked(name, option):
    with pytest.raises(ValueError, match="must be at least 1"):
        scenes.build(name, **{option: 0})


def test_the_falling_ball_bounces_and_comes_to_rest():
    scene = scenes.build("falling_ball", bounce=0.6)
    ball = scene.world.bodies[0]
    heights = [ball.position[2] for _ in scene.play()]
    landing = int(np.argmin(heights[:200]))
    # What the ball sinks into the ground within the step of its landing comes back as a little speed.
    assert max(heights[landing:]) - 0.1 == pytest.approx(0.36 * 1.9, rel=0.03)
    assert heights[-1] == pytest.approx(0.1, abs=1e-6)
    assert np.linalg.norm(ball.linear_velocity) < 1e-6


def test_the_wall_stands():
    scene = scenes.build("wall")
    before = scene.world.positions
    scene.run(100)
    assert abs(scene.world.positions - before).max() < 1e-4
    assert scene.world.kinetic_energy < 1e-9


def test_the_ball_breaks_the_wall():
    scene = scenes.build("wall", rows=4, columns=3, ball=True)
    before = scene.world.positions[:-1]
    scene.run(80)
    assert np.linalg.norm(scene.world.positions[:-1] - before, axis=1).max() > 0.3


def test_the_chain_holds_together_and_gains_no_energy():
    scene = scenes.build("chain")
    world = scene.world
    start = world.kinetic_energy + world.potential_energy
    for step in scene.play(600):
        if step % 20 == 0:
            assert world.kinetic_energy + world.potential_energy < start * (1 + 1e-6)
            assert max(np.linalg.norm(joint.anchor - joint.anchor2) for joint in world.joints) < 0.02
    assert np.linalg.norm(world.joints[0].anchor - (0, 0, 6)) < 0.02
    assert world.positions[-1, 2] < 5.0


def test_the_pendulums_swing_out_of_step_and_back():
    scene = scenes.build("pendulum")
    angles = [[joint.angle for joint in scene.world.joints] for step in scene.play() if step % 20 == 0]
    # Let go at angle 0 of the hinge, they swing to 2 * 0.15 rad.
    assert np.ptp(angles, axis=1).max() == pytest.approx(0.3, abs=0.02)
    assert np.abs(angles[-1]).max() < 0.002


def test_the_pit_keeps_what_falls_into_it():
    scene = scenes.build("pit")
    world = scene.world
    start = world.kinetic_energy + world.potential_energy
    scene.run(250)
    assert not world.faults
    assert world.kinetic_energy + world.potential_energy < start
    assert world.kinetic_energy < 5.0
    assert abs(world.positions[:, :2]).max() < 0.64
    assert world.positions[:, 2].min() > 0.04


def test_the_car_drives_ahead_and_then_a_bend_to_the_left():
    scene = scenes.build("car")
    chassis = named(scene)["chassis"]
    path = np.array([chassis.position for _ in scene.play(600)])
    assert abs(path[399, 1]) < 0.05 and path[399, 0] > 10.0
    assert path[-1, 1] > 2.0
    assert np.linalg.norm(chassis.linear_velocity) == pytest.approx(4.0, rel=0.15)
    assert chassis.rotation[2, 2] > 0.999
    assert not np.allclose(named(scene)["box 10"].position[:2], (8.0, -0.225), atol=0.1)


def test_boxes_slide_on_the_slope_exactly_if_their_friction_is_too_small():
    scene = scenes.build("slope", degrees=20.0)
    before = scene.world.positions
    scene.run()
    angle = math.radians(20.0)
    for body, start in zip(scene.world.bodies, before, strict=True):
        mu = float(body.name.split()[1])
        slid = np.linalg.norm(body.position - start)
        if mu > math.tan(angle):
            assert slid < 1e-5
        else:
            acceleration = 9.81 * (math.sin(angle) - mu * math.cos(angle))
            n = scene.steps  # semi-implicit Euler: velocities first
            assert slid == pytest.approx(0.5 * acceleration * scene.h**2 * n * (n + 1), rel=1e-3)


def test_a_world_of_ones_own_is_a_scene():
    world = World(gravity=(0, 0, -10))
    body = world.add_body()
    times = []
    Scene(world, h=0.1, seconds=0.5, control=times.append).run()
    assert times == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert body.linear_velocity[2] == pytest.approx(-5.0)
