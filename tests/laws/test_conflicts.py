"""Conflicting joints: motion stays finite and the joints are named; consistent redundant ones are not reported."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes


def fixed_in_two_places(world):
    body = world.add_body(od.Sphere(0.1), mass=1.0)
    world.add_fixed(body, None, name="here")
    body.position = (1, 0, 0)
    world.add_fixed(body, None, name="there")
    return body


def motors_against_each_other(world):
    body = world.add_body(od.Box((1, 1, 1)), mass=1.0)
    for name, velocity in ("here", 5.0), ("there", -3.0):
        world.add_hinge(body, None, axis=(0, 0, 1), name=name).motor(velocity=velocity, max_torque=math.inf)
    return body


def motors_of_a_box_on_the_ground(world):
    """Contacts make the island one that "pgs" iterates over."""
    world.add_plane(d=-0.5)
    return motors_against_each_other(world)


def rods_too_short(world):
    """Two balls 1 m apart on a rod of fixed length, and each held where they are 1.2 m apart."""
    one, two = (world.add_body(od.Sphere(0.1), mass=1.0, position=(x, 0, 0)) for x in (0, 1))
    world.add_dball(one, two, anchor1=(0, 0, 0), anchor2=(1, 0, 0), name="rod")
    world.add_ball(one, None, anchor=(0, 0, 0), name="here")
    two.position = (1.2, 0, 0)
    world.add_ball(two, None, anchor=(1.2, 0, 0), name="there")
    return one


@pytest.mark.parametrize("solver", ["exact", "auto", "pgs", "soft"])
@pytest.mark.parametrize(
    "build", [fixed_in_two_places, motors_against_each_other, motors_of_a_box_on_the_ground, rods_too_short]
)
def test_joints_that_contradict_each_other_are_named(build, solver):
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    body = build(world)
    with pytest.warns(od.ConflictWarning, match="'here', 'there'|'rod', 'here', 'there'") as shown:
        world.advance(0.01, steps=100)
    assert len(shown) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it was said
        world.advance(0.01, steps=100)
    assert {joint.name for joint in world.conflicts} >= {"here", "there"}
    assert np.isfinite(body.position).all() and abs(body.position).max() < 2.0
    assert np.isfinite(world.positions).all() and abs(body.linear_velocity).max() < 1.0
    world.conflicts[0].enabled = False
    world.advance(0.01)
    assert world.conflicts == () or build is rods_too_short


def test_a_conflict_elsewhere_changes_nothing():
    worlds = [od.World(gravity=(0, 0, -9.81)) for _ in range(2)]
    for world in worlds:
        world.add_plane()
        world.add_body(od.Box((0.2, 0.2, 0.2)), mass=1.0, position=(5, 0, 0.3))
    motors_against_each_other(worlds[1])
    with pytest.warns(od.ConflictWarning):
        worlds[1].advance(0.01, steps=100)
    worlds[0].advance(0.01, steps=100)
    assert (worlds[0].bodies[0].position == worlds[1].bodies[0].position).all()


def four_bars(world, misplaced=0.0):
    """Three planar bars on four hinges: three of their rows are redundant."""
    points = np.array([(0, 0, 0), (0, 0, 1), (2, 0, 1.5), (2, 0, 0)], float)
    middles = 0.5 * (points[:-1] + points[1:])
    bars = [world.add_body(mass=od.Mass(1.0, np.diag([0.1, 0.1, 0.02])), position=middle) for middle in middles]
    for k, point in enumerate(points):
        hinge = world.add_hinge(bars[max(k - 1, 0)], bars[k] if 0 < k < 3 else None, anchor=point, axis=(0, 1, 0))
    hinge.motor(velocity=3.0, max_torque=50.0)
    bars[1].position += misplaced * np.array([1.0, 0.6, 0.4])
    return bars


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("misplaced", [0.0, 0.05])
def test_redundant_hinges_of_a_linkage_agree(misplaced, solver):
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    four_bars(world, misplaced)
    for _ in range(200):
        world.advance(0.01)  # warnings are errors
        assert world.conflicts == ()


def test_the_walking_machine_of_twelve_closed_linkages_agrees():
    scene = scenes.build("walker")
    world = getattr(scene, "world", scene)
    for _ in range(100):
        world.advance(0.01)
    assert world.conflicts == ()


def test_a_motor_that_gives_way_contradicts_nothing():
    world = od.World()
    body = world.add_body(od.Box((1, 1, 1)), mass=1.0)
    for velocity in 5.0, -3.0:
        world.add_hinge(body, None, axis=(0, 0, 1)).motor(velocity=velocity, max_torque=100.0)
    world.advance(0.01, steps=100)
    assert world.conflicts == ()


def test_worlds_like_ode_are_not_warned_of():
    world = od.World(like="ode")
    fixed_in_two_places(world)
    world.step(0.01)
    assert len(world.conflicts) == 2


def test_joints_that_can_be_met_are_not_solved_for(monkeypatch):
    """Ragdolls that fall leave errors in many steps; least squares of each would take as long as the steps."""
    world = scenes.build("ragdolls").world
    world.solver = "soft"

    def refuse(*_, **__):
        raise AssertionError("least squares")

    monkeypatch.setattr(np.linalg, "lstsq", refuse)
    for _ in range(120):
        world.advance(1 / 60)


def test_steps_made_one_by_one_look_for_conflicts_now_and_then(monkeypatch):
    """The first step checks, so that construction errors are reported at once; afterwards one step in eight."""
    world, looks, done = od.World(gravity=(0, 0, -9.81)), [], 0
    world.add_hinge(world.add_body(od.Sphere(0.1), mass=1.0, position=(1, 0, 0)), None, axis=(0, 1, 0))
    monkeypatch.setattr("opendynamics.api.running.warn_of_conflicts", lambda _: looks.append(done))
    for done in range(1, 30):  # noqa: B007
        world.step(0.01)
    assert looks == [1, 9, 17, 25]
    world.advance(0.01, steps=100)
    assert len(looks) > 4


@pytest.mark.filterwarnings("ignore::opendynamics.ConflictWarning")
def test_islands_of_other_steps_are_not_looked_at():
    world = od.World(gravity=(0, 0, -9.81), solver="exact")
    for x in (0, 3, 6):
        body = world.add_body(od.Sphere(0.1), mass=1.0, position=(x, 0, 0))
        for velocity in (5.0, -3.0):
            world.add_hinge(body, None, anchor=(x, 0, 0), axis=(0, 0, 1)).motor(velocity=velocity, max_torque=math.inf)
    world.advance(0.01)
    snapshot = world.save()
    assert len(world.conflicts) == 6
    world.bodies[0].destroy()
    world.add_ball(world.bodies[0], world.bodies[1])
    od.Batch([world]).advance(0.01)
    assert world.conflicts == ()  # the batch's threads keep its islands
    world.advance(0.01)
    assert len(world.conflicts) == 4
    world.restore(snapshot)
    assert world.conflicts == ()
    world.advance(0.01)
    assert len(world.conflicts) == 6
