"""Registered scenes: each can be built and run, and behaves as described."""

import inspect
import math

import numpy as np
import pytest

from opendynamics import scenes
from opendynamics.api.world import World
from opendynamics.scenes import SCENES, Scene, walker
from opendynamics.scenes.terrain import heights as terrain_heights
from opendynamics.scenes.tops import circling

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
    assert isinstance(scene, Scene) and scene.steps > 100 and 0.0 < scene.moment < scene.seconds
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


def test_playing_on_continues_the_time_of_what_controls_the_scene():
    times = []
    scene = Scene(World(), h=0.01, control=times.append)
    for steps in (3, 2):
        list(scene.play(steps))
    snapshot = scene.world.save()
    scene.run(1)
    scene.world.restore(snapshot)
    scene.run(2)
    assert times == [k * 0.01 for k in (0, 1, 2, 3, 4, 5, 5, 6)]


def test_unknown_scene():
    with pytest.raises(ValueError, match=r"^there is no scene 'nosuch'; there are: bridge, car, chain"):
        scenes.build("nosuch")


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("wall", "rows"),
        ("chain", "links"),
        ("pit", "bodies"),
        ("pit", "side"),
        ("dominoes", "dominoes"),
        ("ragdolls", "steps"),
        ("terrain", "bodies"),
    ],
)
def test_sizes_of_scenes_are_checked(name, option):
    with pytest.raises(ValueError, match="must be at least 1"):
        scenes.build(name, **{option: 0})


def test_the_falling_ball_bounces_and_comes_to_rest():
    scene = scenes.build("falling_ball", bounce=0.6)
    ball = scene.world.bodies[0]
    heights = [ball.position[2] for _ in scene.play()]
    landing = int(np.argmin(heights[:200]))
    # What the ball sinks into the ground within the step of its landing comes back as a little speed.
    assert max(heights[landing:]) - 0.2 == pytest.approx(0.36 * 1.8, rel=0.03)
    assert heights[-1] == pytest.approx(0.2, abs=1e-6)
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


def test_dominoes_fall_one_after_another():
    scene = scenes.build("dominoes", dominoes=30)
    fell = {}
    for step in scene.play():
        for k in np.flatnonzero([body.rotation[2, 2] < math.cos(0.5) for body in scene.world.bodies]).tolist():
            fell.setdefault(k, step * scene.h)
    assert sorted(fell) == list(range(30))
    times = np.array([fell[k] for k in range(30)])
    assert (np.diff(times) > 0).all()
    # Past the beginning, the wave runs evenly.
    assert np.diff(times)[10:].std() < 0.25 * np.diff(times)[10:].mean()


@pytest.mark.parametrize("touching", [False, True])
@pytest.mark.parametrize(("lifted", "degrees"), [(1, 40.0), (2, 30.0)])
def test_as_many_balls_leave_the_cradle_as_arrived(lifted, degrees, touching):
    scene = scenes.build("cradle", balls=5, lifted=lifted, degrees=degrees, touching=touching)
    world = scene.world
    start = world.kinetic_energy + world.potential_energy
    angles = np.degrees([[joint.angle for joint in world.joints] for _ in scene.play(1200)])
    # The hinges count from where the balls were made: the lifted ones are at 0 there.
    swings = angles[600:].min(axis=0)
    assert swings[5 - lifted :] == pytest.approx(-degrees, rel=0.03)
    assert abs(swings[lifted : 5 - lifted]).max() < 0.1 * degrees
    assert world.kinetic_energy + world.potential_energy == pytest.approx(start, rel=1e-3)


def test_tops_circle_as_fast_as_their_spin_says():
    scene = scenes.build("tops", spins=(60.0, 120.0))
    scene.run(round(2.0 / scene.h))
    for body, spin in zip(scene.world.bodies, (60.0, 120.0), strict=True):
        x, y, z = body.rotation[:, 2]
        assert math.atan2(y, x) == pytest.approx(2.0 * circling(spin), rel=0.08)
        assert math.degrees(math.acos(z)) == pytest.approx(25.0, abs=2.0)


def test_the_bridge_holds_and_carries():
    scene = scenes.build("bridge")
    scene.run()
    bodies = named(scene)
    assert max(np.linalg.norm(joint.anchor - joint.anchor2) for joint in scene.world.joints) < 0.01
    on_it = [name for name, body in bodies.items() if body.position[2] > 0.6]
    assert sum(name.startswith("plank") for name in on_it) == 18
    assert sum(name.startswith("crate") for name in on_it) >= 4


def test_what_falls_on_the_hills_comes_to_lie_on_them():
    scene = scenes.build("terrain", bodies=25)
    world = scene.world
    scene.run()
    world.advance(scene.h, steps=800)  # capsules roll for a while
    # Nothing stops spheres, which roll to and fro in the valleys.
    assert sum(body.kinetic_energy for body in world.bodies if body.geoms[0].shape != "sphere") < 2.0
    x, y, z = world.positions.T
    above = z - terrain_heights(x, y)
    assert (above > 0.0).all() and (above < 1.0).all()


def test_ragdolls_get_down_the_stairs_in_one_piece():
    scene = scenes.build("ragdolls", ragdolls=2)
    scene.run()
    for joint in scene.world.joints:
        assert np.linalg.norm(joint.anchor - joint.anchor2) < 0.01
        if joint.kind == "hinge":
            low, high = joint.stops
            assert low - 0.1 < joint.angle < high + 0.1
    torsos = [body.position[2] for name, body in named(scene).items() if name.endswith("torso")]
    assert len(torsos) == 2 and max(torsos) < 2.0


def test_ragdolls_stand_upright_and_symmetric():
    """Left and right mirror each other; head, torso and pelvis are above each other between the limbs."""
    bodies = {
        name.removeprefix("ragdoll 0 "): body for name, body in named(scenes.build("ragdolls", ragdolls=1)).items()
    }
    middle = bodies["pelvis"].position
    for part in ("head", "torso"):
        assert np.array_equal(bodies[part].position[:2], middle[:2]), part
    assert bodies["head"].position[2] > bodies["torso"].position[2] > middle[2]
    for part in ("upper arm", "forearm", "thigh", "shin"):
        left, right = bodies[f"left {part}"].position - middle, bodies[f"right {part}"].position - middle
        assert left[1] > 0.0 and np.allclose(left * (1, -1, 1), right), part


def test_the_legs_of_the_walker_are_as_jansen_says():
    places = [walker.corners(angle) for angle in np.linspace(0.0, 2.0 * math.pi, 60, endpoint=False)]
    feet = np.array([place["s"] for place in places])
    for place in places:
        for pair, length in {
            "xv": 50.0,
            "vw": 55.8,
            "yw": 40.1,
            "wt": 39.4,
            "ts": 65.7,
            "us": 49.0,
            "yu": 39.3,
        }.items():
            assert math.dist(place[pair[0]], place[pair[1]]) == pytest.approx(length)
    # The foot is on the ground, within 4 mm, for a good part of a turn, and is lifted for the rest.
    low = feet[:, 1] < feet[:, 1].min() + 0.4
    assert 0.3 < low.mean() < 0.6 and np.ptp(feet[:, 1]) > 10.0


def test_the_walker_walks():
    scene = scenes.build("walker")
    frame = named(scene)["frame"]
    path = np.array([frame.position for _ in scene.play(800)])
    assert path[-1, 0] - path[400, 0] == pytest.approx(1.18, rel=0.1)
    assert abs(path[:, 1]).max() < 0.05 and np.ptp(path[100:, 2]) < 0.03
    assert frame.rotation[2, 2] > 0.999
    joints = scene.world.joints
    assert max(np.linalg.norm(joint.anchor - joint.anchor2) for joint in joints) < 1e-3
    assert joints[0].rate == pytest.approx(2.5, rel=0.01)


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


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"world": "pit"}, TypeError, "the world of a scene must be a World, not 'pit'"),
        ({"h": 0}, ValueError, "the step size must be greater than 0 s"),
        ({"seconds": -1.0}, ValueError, "the seconds of a scene must be at least 0, not -1.0"),
    ],
)
def test_wrong_scenes_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Scene(**{"world": World(), **arguments})
