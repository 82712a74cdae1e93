"""Rows of joints without bounds are filled in for solvers that read them, and after a call's last step, for feedback."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import colliders, stepping
from opendynamics.core.arrays.rows import ROWS, UNBOUNDED
from opendynamics.core.families import JOINTS
from tests.families.joint_cases import KINDS, cases, make

G, H = 9.81, 0.01


@pytest.mark.parametrize("kind", [kind for kind in KINDS if hasattr(JOINTS[kind], "HARD_ROWS")])
def test_hard_rows_come_first_and_have_no_bounds(kind):
    hard = JOINTS[kind].HARD_ROWS
    for _, attachment in cases([kind]):
        world, joint = make(kind, attachment, speed=1.0)
        world.step(H)
        first, count = int(joint._record["first_row"]), int(joint._record["row_count"])
        rows = world._store[ROWS][first : first + count]
        assert count >= hard
        assert (rows["lo"][:hard] < -UNBOUNDED).all() and (rows["hi"][:hard] > UNBOUNDED).all()


def mixed(solver, integrator="energy-momentum"):
    """A pole, and enough chains of all kinds of joints for lanes, with stops and motors here and there; some have soft rows."""
    world = od.World(gravity=(0, 0, -G), solver=solver)
    world.integrator = integrator
    adders = (
        lambda one, two, at: world.add_ball(one, two, anchor=at),
        lambda one, two, at: world.add_hinge(one, two, anchor=at, axis=(0, 1, 0)),
        lambda one, two, at: world.add_universal(one, two, anchor=at, axis1=(0, 1, 0), axis2=(1, 0, 0)),
        lambda one, two, at: world.add_hinge(one, two, anchor=at, axis=(0, 1, 0), stops=(-0.05, 0.05)),
        lambda one, two, at: world.add_slider(one, two, axis=(0, 0, 1), stops=(-0.02, 0.02)),
        lambda one, two, at: world.add_fixed(one, two),
    )
    for chain in range(8):
        before = None
        for k in range(6):
            body = world.add_body(od.Box((0.3, 0.1, 0.1)), mass=1, position=(0.4 * k, 2.0 * chain, 3))
            joint = adders[(chain + k) % len(adders)](before, body, (0.4 * k - 0.2, 2.0 * chain, 3))
            if chain == 0 and k == 0:
                joint.cfm = 1e-4
            before = body
    for one, other in zip(world.bodies[5::6], world.bodies[11::6], strict=False):
        world.add_ball(one, other, anchor=0.5 * (np.array(one.position) + other.position))
    return world


def forces_of(world):
    return np.array([[*joint.feedback.force1, *joint.feedback.torque2] for joint in world.joints])


@pytest.mark.parametrize("solver", ["soft", "auto", "exact", "pgs"])
@pytest.mark.parametrize("integrator", ["energy-momentum", "euler"])
def test_a_call_of_many_steps_ends_where_as_many_calls_end(solver, integrator):
    at_once, one_by_one = mixed(solver, integrator), mixed(solver, integrator)
    at_once.advance(H, steps=30)
    for _ in range(30):
        one_by_one.advance(H)
    assert at_once.state_hash() == one_by_one.state_hash()
    assert np.array_equal(forces_of(at_once), forces_of(one_by_one))
    assert np.abs(forces_of(at_once)).max() > G


def net(solver="soft"):
    """A net of ball joints, which is solved in lanes, between kinematic bodies."""
    world = od.World(gravity=(0, 0, -G), solver=solver)
    for k in range(36):
        body = world.add_body(od.Sphere(0.1), mass=1, position=(k % 6, k // 6, 0))
        body.kinematic = k in (0, 5, 30, 35)
        if k % 6:
            world.add_ball(world.bodies[k - 1], body, anchor=(k % 6 - 0.5, k // 6, 0))
        if k >= 6:
            world.add_ball(world.bodies[k - 6], body, anchor=(k % 6, k // 6 - 0.5, 0))
    return world


def test_rows_that_no_one_reads_are_not_written(monkeypatch):
    """Looked at from a step in the middle of a call, where Python looks for Ctrl-C."""
    world, written = net(), []
    world.advance(H)

    def looking(world, stage, *arguments, run=stepping.run):
        world._store[ROWS]["j0"] = 7.0
        run(world, stage, *arguments)
        written.append(bool((world._store[ROWS]["j0"][: world.statistics.rows] != 7.0).any()))

    monkeypatch.setattr(stepping, "run", looking)
    monkeypatch.setattr(stepping, "next_portion", lambda *_: 1)
    world.advance(H, steps=4)
    assert written == [False, False, False, True]


def test_after_ctrl_c_joints_have_the_forces_of_the_last_step(monkeypatch):
    world, twin, taken = net(), net(), []

    def interrupted(world, stage, *arguments, run=stepping.run):
        run(world, stage, *arguments)
        taken.append(True)
        if len(taken) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(stepping, "run", interrupted)
    monkeypatch.setattr(stepping, "next_portion", lambda *_: 1)
    with pytest.raises(KeyboardInterrupt):
        world.advance(H, steps=100)
    monkeypatch.undo()
    assert len(taken) == 4
    for _ in range(4):
        twin.advance(H)
    assert world.state_hash() == twin.state_hash()
    assert np.array_equal(forces_of(world), forces_of(twin))


@pytest.mark.parametrize("portion", [1, 8])
def test_a_python_collider_reads_the_forces_of_the_step_before(monkeypatch, portion):
    """As it may ask for any, all steps of the call have them, whether Python divides it or not."""
    monkeypatch.setattr(stepping, "next_portion", lambda *_: portion)

    def collider(one, other, most):
        read.append(float(world.joints[0].feedback.force1[2]))
        return NotImplemented

    world, twin, read = net(), net(), []
    for each in (world, twin):
        each.add_body(od.Sphere(0.2), position=(2, 2, 5), mass=1)
        each.add_body(od.Box((0.2, 0.2, 0.2)), position=(2, 2, 5.2), mass=1)
    od.set_collider(od.Sphere, od.Box, collider)
    try:
        world.advance(H, steps=6)
        assert colliders.calls_python(world._store)
    finally:
        od.set_collider(od.Sphere, od.Box, None)
    expected = [0.0]
    for _ in range(5):
        twin.advance(H)
        expected.append(float(twin.joints[0].feedback.force1[2]))
    assert read == expected and all(expected[1:])
