"""Robots in the worlds of a batch: read, driven and placed between its steps, as by themselves."""

import gc

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import batch as batches
from tests.robot.models import random_model, random_state

H = 0.002


def robots_in_worlds(count):
    """Robots of one model in a world each, in different states."""
    model = random_model(3)
    return [
        od.Robot(od.World(gravity=(0, 0, -9.81)), model, random_state(model, seed), joint_limits=False)
        for seed in range(count)
    ]


def drive(robot):
    """PD control to zero."""
    state = robot.read()
    robot.drive(-20.0 * state.q - state.dq)


@pytest.fixture
def prepared(monkeypatch):
    """The number of worlds of which it was asked anew how they step."""
    asked = []
    ask = batches.stops_between_stages
    monkeypatch.setattr(batches, "stops_between_stages", lambda own: asked.append(own) or ask(own))
    gc.collect()  # worlds of other tests whose parts change as they are freed
    gc.disable()
    yield asked
    gc.enable()


def test_a_batch_is_not_prepared_again_for_what_robots_did(prepared):
    robots, alone = robots_in_worlds(4), robots_in_worlds(4)
    batch = od.Batch([robot.world for robot in robots])
    for robot in alone:  # first steps change attributes
        robot.world.advance(H)
    batch.advance(H)
    assert len(prepared) == 4
    for _ in range(5):
        for robot in (*robots, *alone):
            drive(robot)
            robot.sense(H)
        robots[1].place(robots[1].model.state(position=(0, 0, 2)))
        alone[1].place(alone[1].model.state(position=(0, 0, 2)))
        batch.advance(H)
        for robot in alone:
            robot.world.advance(H)
    assert len(prepared) == 4
    for robot, other in zip(robots, alone, strict=True):
        np.testing.assert_array_equal(robot.read().velocity, other.read().velocity)
    robots[0].world.integrator = "euler"  # a change that may change its steps
    batch.advance(H)
    assert len(prepared) == 8


def test_snapshots_have_what_robots_did_between_the_steps_of_a_batch():
    (robot,) = robots_in_worlds(1)
    batch = od.Batch([robot.world])
    batch.advance(H)
    robot.world.save()
    drive(robot)
    snapshot, driven = robot.world.save(), robot.driven.copy()
    batch.advance(H, 3)
    robot.sense(H)
    assert driven.any() and not robot.driven.any()
    robot.world.restore(snapshot)
    np.testing.assert_array_equal(robot.driven, driven)
