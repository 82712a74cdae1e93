"""Pulling: the grabbed point follows like a critically damped oscillator, for any body and point."""

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics.viewer.live.pulling import FREQUENCY, Pulls, inverse_mass_at


def grabbed(world, body, point):
    """The pulls of one who holds a body at a point of the world."""
    pulls = Pulls()
    assert pulls.grab("me", body, body.position, body.quaternion, point)
    return pulls


@pytest.mark.parametrize("mass", [0.01, 1.0, 5000.0])
@pytest.mark.parametrize("at", [(0, 0, 0), (0.5, 0.05, -0.05)])
def test_a_free_body_follows_the_closed_form(mass, at):
    """x(t) = target + (1 + ω t) e^(-ω t) (x(0) - target); held at its centre, its weight does not show."""
    world = od.World(gravity=(0, 0, 0) if any(at) else (0, 0, -9.81))
    body = world.add_body(od.Box((1, 0.1, 0.1)), position=(1, 2, 3), mass=mass)
    start = body.position + at
    pulls = grabbed(world, body, start)
    target = start + np.array((0.0, 0.02, 0.01))  # so little that it hardly turns
    pulls.move("me", target)
    h = 1e-4
    for step in range(1, 6001):
        pulls.apply(h)
        world.step(h)
        if step % 1000 == 0:
            t = step * h
            expected = target + (1 + FREQUENCY * t) * math.exp(-FREQUENCY * t) * (start - target)
            np.testing.assert_allclose(body.point_to_world(at), expected, atol=2e-4)


@pytest.mark.parametrize("turn", [(0.5, 0.5, 0.5, 0.5), (0.5, -0.5, 0.5, 0.5), (0.6, 0.0, 0.0, 0.8)])
def test_a_turned_body_follows_the_closed_form(turn):
    """The grabbed point is one of the body's frame, and so is the inertia, which differs from axis to axis."""
    world = od.World()
    body = world.add_body(od.Box((1, 0.4, 0.1)), position=(1, 2, 3), mass=2, quaternion=turn)
    at = np.array((0.4, 0.15, -0.05))
    start = body.point_to_world(at)
    pulls = grabbed(world, body, start)
    np.testing.assert_allclose(pulls.pulls[0].point, at, atol=1e-15)
    target = start + body.rotation @ (0.001, -0.003, 0.002)  # so little that it hardly turns
    pulls.move("me", target)
    h = 1e-4
    for step in range(1, 3001):
        pulls.apply(h)
        world.step(h)
        if step % 500 == 0:
            t = step * h
            expected = target + (1 + FREQUENCY * t) * math.exp(-FREQUENCY * t) * (start - target)
            np.testing.assert_allclose(body.point_to_world(at), expected, atol=5e-6)
    np.testing.assert_allclose(pulls.lines()[0], (body.point_to_world(at), target), atol=1e-15)


def test_the_inverse_mass_at_a_point_is_what_a_force_there_does():
    world = od.World()
    body = world.add_body(od.Box((1, 0.4, 0.2)), mass=3, quaternion=(1, 0.2, -0.3, 0.5))
    r, force, h = np.array((0.3, -0.2, 0.4)), np.array((1.0, -2.0, 0.5)), 1e-6
    body.add_force(force, at=r)
    world.step(h)
    np.testing.assert_allclose(body.velocity_at(body.position + r) / h, inverse_mass_at(body, r) @ force, rtol=1e-6)


def test_a_light_thing_at_a_coarse_step_stays_calm():
    world = od.World(gravity=(0, 0, -9.81))
    body = world.add_body(od.Capsule(0.02, 0.5), mass=0.001)
    pulls = grabbed(world, body, (0, 0, 0.27))
    pulls.strength = 3.0
    pulls.move("me", (2, 1, 3))
    for _ in range(300):
        pulls.apply(1 / 30)
        world.step(1 / 30)
    np.testing.assert_allclose(body.point_to_world((0, 0, 0.27)), (2, 1, 3), atol=0.02)


def test_a_sleeping_body_is_woken_and_a_kinematic_one_cannot_be_pulled():
    world = od.World()
    asleep, lift = world.add_body(od.Sphere(1)), world.add_body(od.Sphere(1), position=(5, 0, 0), kinematic=True)
    asleep.enabled = False
    pulls = grabbed(world, asleep, (0, 0, 1))
    pulls.apply(0.01)
    assert asleep.enabled
    assert not pulls.grab("you", lift, lift.position, lift.quaternion, (5, 0, 1))
    assert len(pulls.pulls) == 1


def test_what_is_gone_or_let_go_is_pulled_no_more():
    world = od.World()
    one, two = world.add_body(od.Sphere(1)), world.add_body(od.Sphere(1))
    pulls = grabbed(world, one, (0, 0, 1))
    pulls.grab("you", two, two.position, two.quaternion, (0, 0, 1))
    pulls.move("nobody", (1, 1, 1))
    one.destroy()
    assert [pull.body for pull in pulls.pulls] == [two]
    pulls.apply(0.01)
    pulls.let_go("you")
    pulls.let_go("you")
    assert pulls.pulls == ()
    assert pulls.lines().shape == (0, 2, 3)


def test_a_body_is_grabbed_where_it_was_seen():
    """The browser saw the body a moment ago; the point belongs to the body as it was then."""
    world = od.World()
    body = world.add_body(od.Box((2, 2, 2)), position=(1, 0, 0))
    seen = body.position, body.quaternion
    body.position, body.quaternion = (5, 5, 5), (0.5, 0.5, 0.5, 0.5)
    pulls = Pulls()
    pulls.grab("me", body, *seen, (2, 0, 0.5))
    np.testing.assert_allclose(pulls.pulls[0].point, (1, 0, 0.5))
