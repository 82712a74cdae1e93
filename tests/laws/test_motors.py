"""Motors with a maximum force: α = fmax/I up to the target, which is then reached exactly and never overshot."""

from __future__ import annotations

import math

import pytest

import opendynamics as od

INERTIA, MASS = 0.5, 2.0


def wheel(**options):
    world = od.World()
    body = world.add_body(mass=od.Mass(MASS, (INERTIA, INERTIA, INERTIA)))
    return world, body, world.add_hinge(body, None, axis=(0, 0, 1), **options)


def drawer(**options):
    world = od.World()
    body = world.add_body(mass=od.Mass(MASS, (1, 1, 1)))
    return world, body, world.add_slider(body, None, axis=(1, 0, 0), **options)


@pytest.mark.parametrize(("make", "load"), [(wheel, INERTIA), (drawer, MASS)])
@pytest.mark.parametrize("target", [3.0, -3.0])
def test_even_acceleration_then_the_target(make, load, target):
    world, _, joint = make()
    most, h = 4.0, 0.01
    joint.motor(target, most)
    sign = math.copysign(1, target)
    for n in range(1, 200):
        world.step(h)
        free = n * h * most / load
        assert sign * joint.rate == pytest.approx(min(free, abs(target)), rel=1e-6)
        assert sign * joint.rate <= abs(target) * (1 + 1e-12)


@pytest.mark.parametrize("make", [wheel, drawer])
def test_unlimited_motor_is_there_in_one_step(make):
    world, _, joint = make()
    joint.motor(5.0)
    world.step(0.01)
    assert joint.rate == pytest.approx(5.0, rel=1e-5)


@pytest.mark.parametrize("make", [wheel, drawer])
def test_motor_against_a_load(make):
    # A motor that may use more than the load holds its velocity against it; one that may not is driven back.
    world, body, joint = make()
    load = MASS if make is drawer else INERTIA
    for most, rate in ((3.0, 1.0), (1.5, 1.0 - (2.0 - 1.5) / load * 0.01)):
        joint.motor(1.0, 1e6)
        world.step(0.01)
        joint.motor(1.0, most)
        (body.add_force if make is drawer else body.add_torque)((-2.0, 0, 0) if make is drawer else (0, 0, -2.0))
        world.step(0.01)
        assert joint.rate == pytest.approx(rate, rel=1e-6)


@pytest.mark.parametrize("make", [wheel, drawer])
def test_motor_at_rest_is_a_brake(make):
    # velocity 0: joint friction, |F| <= fmax.
    world, _, joint = make()
    joint.motor(2.0)
    world.step(0.01)
    joint.motor(0.0, 1.0)
    load = MASS if make is drawer else INERTIA
    for n in range(1, 50):
        world.step(0.01)
        assert joint.rate == pytest.approx(2.0 - 0.01 * n / load, rel=1e-5)


@pytest.mark.parametrize("make", [wheel, drawer])
def test_no_force_no_motor(make):
    world, _, joint = make()
    joint.motor(5.0, 0.0)
    world.step(0.01)
    assert joint.rate == 0.0


@pytest.mark.parametrize("make", [wheel, drawer])
def test_motor_pushes_into_and_drives_off_a_stop(make):
    world, _, joint = make(stops=(-0.2, 0.2))
    joint.motor(1.0, 10.0)
    for _ in range(200):
        world.step(0.01)
    value = joint.angle if make is wheel else joint.position
    assert value == pytest.approx(0.2, abs=1e-6)
    joint.motor(-1.0, 10.0)
    world.step(0.01)
    load = MASS if make is drawer else INERTIA
    # Off the stop the motor is a plain force: a = fmax/I, here without a target.
    assert joint.rate == pytest.approx(-10.0 / load * 0.01, rel=1e-5)


@pytest.mark.parametrize(("make", "load"), [(wheel, INERTIA), (drawer, MASS)])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("pull", [0.0, 3.0, 8.0])
def test_a_brake_holds_at_a_stop_what_pulls_it_off_with_less_than_its_force(make, load, side, pull):
    world, body, joint = make(stops=(-0.2, 0.2))
    joint.motor(side * 1.0, 10.0)
    for _ in range(200):
        world.step(0.01)
    joint.motor(0.0, 5.0)
    if make is wheel:
        body.add_torque((0, 0, -side * pull))
    else:
        body.add_force((-side * pull, 0, 0))
    world.step(0.01)
    assert joint.rate == pytest.approx(-side * max(pull - 5.0, 0.0) / load * 0.01, rel=1e-5, abs=1e-6)


def test_fudge_factor_weakens_the_start_off_a_stop():
    world, _, joint = drawer(stops=(-0.2, 0.2))
    joint.motor(1.0, 10.0)
    for _ in range(200):
        world.step(0.01)
    joint.limit_motor.fudge = 0.25
    joint.motor(-1.0, 10.0)
    world.step(0.01)
    assert joint.rate == pytest.approx(-0.25 * 10.0 / MASS * 0.01, rel=1e-5)


def test_motor_between_two_bodies_turns_both():
    # The torque τ turns body1 by τ/I1 and body2 by -τ/I2.
    world = od.World()
    one, two = (world.add_body(mass=od.Mass(1, (i, i, i))) for i in (1.0, 3.0))
    hinge = world.add_hinge(one, two, axis=(0, 0, 1))
    hinge.motor(100.0, 6.0)
    world.step(0.01)
    assert one.angular_velocity[2] == pytest.approx(0.06, rel=1e-6)
    assert two.angular_velocity[2] == pytest.approx(-0.02, rel=1e-6)
    assert hinge.rate == pytest.approx(0.08, rel=1e-6)


def test_motor_cfm_makes_it_soft():
    # cfm in (rad/s)/(N m): the motor gives way by cfm times its torque, here held against 2 N m.
    world, body, joint = wheel()
    joint.motor(1.0)
    joint.limit_motor.cfm = 0.1
    for _ in range(500):
        body.add_torque((0, 0, -2.0))
        world.step(0.01)
    assert joint.rate == pytest.approx(1.0 - 0.1 * 2.0, rel=1e-6)


@pytest.mark.parametrize("make", [wheel, drawer])
def test_unlimited_motor_goes_to_its_stop_stays_there_and_comes_back(make):
    world, _, joint = make(stops=(-0.4, 0.4))
    joint.motor(5.0)
    way = (lambda: joint.angle) if make is wheel else (lambda: joint.position)
    for _ in range(100):
        world.step(0.01)
    assert way() == pytest.approx(0.4, abs=1e-3)
    assert joint.rate == pytest.approx(0.0, abs=1e-6)
    joint.motor(-5.0)
    world.step(0.01)
    assert joint.rate == pytest.approx(-5.0, rel=1e-4)
    for _ in range(100):
        world.step(0.01)
    assert way() == pytest.approx(-0.4, abs=1e-3)
