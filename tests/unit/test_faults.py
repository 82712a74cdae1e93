"""Non-finite motion: that island is frozen, with one warning, and the rest of the world continues."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import opendynamics as od


def steps_of(world):
    return {"step": lambda: world.step(0.01), "advance": lambda: world.advance(0.01)}


@pytest.mark.parametrize("way", ["step", "advance"])
def test_an_island_is_frozen_and_the_rest_goes_on(way):
    world = od.World(gravity=(0, 0, -10))
    bad, partner = world.add_body(name="bad", position=(0, 0, 1)), world.add_body(name="partner", position=(1, 0, 1))
    good = world.add_body(name="good", position=(9, 0, 1))
    world.add_ball(bad, partner)
    step = steps_of(world)[way]
    step()
    before = world.positions, world.linear_velocities
    bad.add_force((1e308, 0, 0))
    bad.add_force((0, 1e308, 0))
    with pytest.warns(od.FaultWarning, match="bad") as caught:
        step()
    assert len(caught) == 1
    assert set(world.faults) == {bad, partner}
    assert bad.faulty and partner.faulty and not good.faulty
    assert not bad.enabled
    assert np.isfinite(world.positions).all() and np.isfinite(world.linear_velocities).all()
    # The island is as it was; the free body fell: v = -g h n.
    assert (world.positions[:2] == before[0][:2]).all()
    assert good.linear_velocity[2] == pytest.approx(-0.2, rel=1e-14)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(8):
            step()  # warned once
    assert good.linear_velocity[2] == pytest.approx(-1.0, rel=1e-14)
    # Enabled again, it takes part as if nothing had been: the force of then does not act any more.
    bad.enabled = partner.enabled = True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step()
    assert world.faults == ()
    assert bad.linear_velocity == pytest.approx([0, 0, -0.2], abs=1e-9)


def test_an_island_of_the_soft_step_is_frozen():
    world = od.World(solver="soft")
    bad, partner, good = (world.add_body(name=name, position=(k, 0, 0)) for k, name in enumerate("abc"))
    bad.mass = 1e-6
    world.add_ball(bad, partner)
    good.linear_velocity = (0, 0, 1)
    world.advance(0.01)
    before = world.positions
    bad.add_force((1e308, 0, 0))
    with pytest.warns(od.FaultWarning, match="a"):
        world.advance(0.01)
    assert set(world.faults) == {bad, partner}
    assert (world.positions[:2] == before[:2]).all()
    assert good.position[2] == pytest.approx(0.02, rel=1e-12)


def test_each_fault_warns_once():
    world = od.World()
    for _ in range(2):
        body = world.add_body()
        body.force = (1e308, 0, 0)
        body.mass = 1e-10
        with pytest.warns(od.FaultWarning) as caught:
            world.step(0.01)
        assert len(caught) == 1
    assert len(world.faults) == 2


def test_a_frozen_body_is_not_woken_by_what_touches_it():
    world = od.World(gravity=(0, 0, -10))
    frozen = world.add_body(od.Sphere(0.5), position=(0, 0, 5), name="frozen")
    frozen.force = (1e308, 1e308, 0)
    frozen.mass = 1e-3
    with pytest.warns(od.FaultWarning):
        world.step(0.01)
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 6.2))
    world.advance(0.01, steps=300)
    assert frozen.faulty
    assert frozen.position.tolist() == [0, 0, 5]
    assert ball.position[2] == pytest.approx(6.0, abs=0.01)  # it stands on the frozen one


def test_a_frozen_body_is_not_woken_by_what_a_joint_ties_to_it():
    world = od.World(gravity=(0, 0, -10))
    world.auto_disable = True  # the rule by which bodies keep awake what they are linked to, if any sleeps
    world.add_plane(d=-9)
    sleeper = world.add_body(od.Box((1, 1, 1)), position=(0, 0, -8.5))
    world.advance(0.01, steps=20)
    frozen = world.add_body(position=(0, 0, 5))
    frozen.force = (1e308, 1e308, 0)
    frozen.mass = 1e-3
    with pytest.warns(od.FaultWarning):
        world.advance(0.01)
    bob = world.add_body(position=(1, 0, 5))
    world.add_ball(bob, frozen, anchor=(0, 0, 5))
    world.advance(0.01, steps=50)
    assert not sleeper.enabled and bob.linear_velocity.any()
    assert frozen.faulty and not frozen.enabled
    assert frozen.position.tolist() == [0, 0, 5]
    assert np.linalg.norm(bob.position - frozen.position) == pytest.approx(1.0, abs=1e-2)


@pytest.mark.parametrize("attribute", ["position", "linear_velocity", "angular_velocity"])
def test_extreme_states_do_not_spread(attribute):
    world = od.World(gravity=(0, 0, -10))
    wild, good = world.add_body(od.Box((1, 2, 3))), world.add_body(od.Box((1, 1, 1)), position=(9, 9, 9))
    setattr(wild, attribute, (1e200, -1e200, 1e200))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", od.FaultWarning)
        world.advance(0.01, steps=10)
    assert np.isfinite(world.positions).all()
    assert np.isfinite(world.quaternions).all()
    assert good.linear_velocity[2] == pytest.approx(-1.0, rel=1e-12)


def test_hinge_with_unlimited_motor_at_its_stop_is_no_fault():
    # The default of `motor` is unlimited torque. ODE adds that torque as a plain force at a stop, and gets NaN.
    world = od.World()
    body = world.add_body(inertia_body())
    hinge = world.add_hinge(body, axis=(0, 0, 1), stops=(-0.5, 0.5))
    hinge.motor(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(200):
            world.step(0.01)
        # Held at the stop: beyond it by at most one step's turn, 0.01, of which each step corrects a fifth, ERP 0.2.
        assert hinge.angle == pytest.approx(0.5, abs=1e-9)
        assert hinge.rate == pytest.approx(0.0, abs=1e-9)
        hinge.motor(-1.0)
        world.step(0.01)
        # Off it at once, but for the motor's CFM: it takes cfm I/h² = 1e-10 * 1000/6 / 1e-4 of the change, 0.01.
        assert hinge.rate == pytest.approx(-1.0, rel=1e-5)
        body.add_torque((0, 0, 1e3))
        world.step(0.01)
        assert hinge.rate == pytest.approx(-1.0, rel=1e-4)


def inertia_body():
    return od.Box((1, 1, 1))
