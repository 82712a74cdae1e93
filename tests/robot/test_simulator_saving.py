"""Snapshots contain robots, controllers and sensors: restored, copied or loaded simulations continue bit for bit."""

import copy
import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot import project_files

MODELS = Path(__file__).parents[1] / "data" / "models"


def load(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        return od.load_robot(MODELS / file)


class Swaying(robot.Controller):
    """Holds a pose that sways, by an integrator in place: its attributes are the controller's state."""

    def __init__(self):
        self.phase, self.sum, self.seen = 0.0, np.zeros(29), []

    def start(self, io):
        self.pose = io.state.q.copy()

    def control(self, io):
        self.phase += io.h
        error = self.pose + 0.1 * np.sin(6 * self.phase) - io.state.q
        self.sum += error
        self.seen.append(float(io.robot.sensors["WaistAccelSensor"].values[2]))
        io.u[:] = 8000 * error - 100 * io.state.dq + 0.1 * self.sum
        return self.phase < 0.4


def standing(delayed=True, step_mode="iterative"):
    sim = robot.Simulator(time_step=0.002, step_mode=step_mode)
    sim.world.add_plane()
    model = load("SR1/SR1.body")
    sr1 = sim.add_robot(model, model.state(position=(0, 0, 0.72)), controller=Swaying(), delayed=delayed)
    crawler = load("misc/crawler.body")

    def run(io):
        io.surface_velocities = np.full(2, 0.3 + 0.1 * io.time)

    sim.add_robot(crawler, crawler.state(position=(2, 0, 0.1)), controller=run)
    sim.push(sr1, "CHEST", (20, 5, 0), point=(0, 0, 0.1), seconds=0.15)
    return sim


def observed(sim, steps):
    """All that the simulation does in some steps."""
    found = []
    for _ in range(steps):
        sim.step()
        sr1 = sim.robots["SR1"]
        found.append(np.concatenate([sr1.read().q, *(sensor.values for sensor in sr1.sensors), [sim.time]]))
    controller = sim.controllers[0]
    return np.array(found), sim.world.state_hash(), controller.phase, controller.sum.copy(), list(controller.seen)


def same(one, two):
    return (
        np.array_equal(one[0], two[0]) and one[1:3] == two[1:3] and np.array_equal(one[3], two[3]) and one[4] == two[4]
    )


@pytest.mark.parametrize("step_mode", ["iterative", "exact"])
def test_a_restored_simulation_continues_bit_for_bit(step_mode):
    sim = standing(step_mode=step_mode)
    sim.run(0.06)
    snapshot, readings = sim.world.save(), [s.values for s in sim.robots["SR1"].sensors]
    assert any(values.any() for values in readings)
    first = observed(sim, 60)
    sim.world.restore(snapshot)
    assert sim.steps == 30 and sim.controllers[0].phase == pytest.approx(0.06)
    assert all(np.array_equal(a.values, b) for a, b in zip(sim.robots["SR1"].sensors, readings, strict=True))
    assert same(observed(sim, 60), first)
    sim.world.restore(snapshot)
    assert same(observed(sim, 60), first)


@pytest.mark.parametrize("way", ["copy", "deepcopy", "load"])
def test_copies_continue_bit_for_bit_and_apart(way):
    sim = standing()
    sim.run(0.06)
    world = sim.world
    twin = {
        "copy": copy.copy,
        "deepcopy": copy.deepcopy,
        "load": lambda world: od.World.load(world.save()),
    }[way](world)
    other = robot.Simulator.of(twin)
    assert other is not sim and other.robots["SR1"] is not sim.robots["SR1"]
    assert other.robots["SR1"].world is twin and other.robots["SR1"].bodies["CHEST"].world is twin
    second = observed(other, 40)
    assert sim.steps == 30
    assert same(observed(sim, 40), second)


def test_a_simulator_without_own_functions_goes_through_files(tmp_path):
    sim = robot.Simulator(time_step=0.002)
    sim.world.add_plane()
    model = load("SR1/SR1.body")
    motion = robot.Motion(500.0, np.tile(model.state().q, (200, 1)))
    from opendynamics.robot.simulator.following import FollowMotion

    sim.add_robot(model, model.state(position=(0, 0, 0.72)), controller=FollowMotion(motion, 8000.0, 100.0))
    sim.run(0.04)
    sim.world.save().write(tmp_path / "sim.snapshot")
    with pytest.raises(od.SnapshotError, match=r"holds opendynamics\.robot\..*, which is read only with trust=True"):
        od.World.load(tmp_path / "sim.snapshot")
    other = robot.Simulator.of(od.World.load(tmp_path / "sim.snapshot", trust=True))
    states = []
    for one in (sim, other):
        one.run(0.05)
        readings = np.concatenate([sensor.values for sensor in one.robots["SR1"].sensors])
        states.append((one.world.state_hash(), one.time, readings.tolist(), one.robots["SR1"].read().q.tolist()))
    assert states[0] == states[1]


ELSEWHERE = """
import json, sys, warnings
warnings.simplefilter("ignore")
import opendynamics as od
from tests.robot.test_simulator_saving import all_that_is
sim = od.robot.Simulator.of(od.World.load(sys.argv[1], trust=True))
sim.run(0.06)
print(json.dumps(all_that_is(sim)))
"""


def all_that_is(sim):
    """State, time, sensors' readings and displacements, to the last bit."""
    sr1 = sim.robots["SR1"]
    numbers = np.concatenate(
        [[sim.time], *(sensor.values for sensor in sr1.sensors), sr1.read().q, sr1.read().velocity]
    )
    return [sim.world.state_hash(), *(float(x).hex() for x in numbers)]


@pytest.mark.parametrize("step_mode", ["iterative", "exact"])
def test_a_walk_continues_bit_for_bit_in_another_process(tmp_path, step_mode):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        sim = project_files.load(project_files.unpacked(tmp_path), "SR1Walk.cnoid").build(step_mode=step_mode)
    sim.run(1.0)
    while len(sim.robots["SR1"].contacts) != 1:  # until one foot is in the air
        assert sim.time < 6.0
        sim.step()
    sim.world.save().write(tmp_path / "walk.snapshot")
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path / "walk.snapshot")],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True,
    )  # fmt: skip
    sim.run(0.06)
    assert json.loads(done.stdout) == all_that_is(sim)


def test_what_came_after_the_snapshot_is_gone():
    sim = standing()
    snapshot = sim.world.save()
    box = load("misc/box1.body")
    sim.add_robot(box)
    sim.hook(lambda sim: 1 / 0)
    sim.world.restore(snapshot)
    assert list(sim.robots) == ["SR1", "Crawler"]
    sim.step()
    assert "Box1" not in sim.robots and sim.add_robot(box).name in sim.robots


def test_a_robot_that_was_destroyed_comes_back():
    world = od.World(gravity=(0, 0, -9.81))
    one = od.Robot(world, load("SR1/SR1.body"))
    snapshot = world.save()
    one.destroy()
    assert not world.bodies
    world.restore(snapshot)
    one.drive(np.ones(29))
    world.advance(0.002)
    one.sense(0.002)
    assert one.read().dq.any() and one.sensors["WaistGyro"].values.any()
    # Its category bit is its own still.
    two = od.Robot(world, load("SR1/SR1.body"))
    assert one.geoms["CHEST"][0].category_bits != two.geoms["CHEST"][0].category_bits


def test_worlds_without_robots_are_as_they_were():
    world = od.World()
    assert od.World.load(world.save()).bodies == ()
    with pytest.raises(ValueError, match="belongs to no simulator"):
        robot.Simulator.of(world)


def test_recordings_have_joints_and_sensors(tmp_path):
    sim = standing()
    with sim.record(tmp_path / "run.odr", every=5):
        readings = []
        for _ in range(20):
            sim.step()
            readings.append((sim.robots["SR1"].read().q, sim.robots["SR1"].sensors["LeftAnkleForceSensor"].values))
    with od.Recording(tmp_path / "run.odr") as recording:
        channels = recording.channels
        assert {"time", "SR1.q", "SR1.dq", "SR1.u", "SR1.WaistGyro", "SR1.LeftAnkleForceSensor"} <= set(channels)
        assert len(recording) == 5
        for k, step in enumerate((5, 10, 15, 20), start=1):
            assert np.array_equal(channels["SR1.q"][k], readings[step - 1][0])
            assert np.array_equal(channels["SR1.LeftAnkleForceSensor"][k], readings[step - 1][1])
        assert channels["time"].tolist() == pytest.approx([0, 0.01, 0.02, 0.03, 0.04]) and channels["SR1.u"][4].any()
        # The recording shows the bodies as they were.
        shown = recording.show(4)
        assert len(shown.bodies) == len(sim.world.bodies)
