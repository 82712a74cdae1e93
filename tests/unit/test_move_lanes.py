"""Bodies that turn slowly are moved eight at a time. A limit of the angular speed, which none of them reaches, keeps a body out
of the lanes: both must move alike, and no body may depend on those that are moved with it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import opendynamics as od

H = 0.01
SHAPES = (
    lambda: od.Box((0.2, 0.3, 0.5)),
    lambda: od.Sphere(0.2),
    lambda: od.Cylinder(0.1, 0.6),
    lambda: od.Box((0.4, 0.4, 0.4)),
)


def states(bodies):
    return np.array([[*b.position, *b.quaternion, *b.linear_velocity, *b.angular_velocity] for b in bodies])


def spinning(count, speed, alone=False, seed=5):
    """Bodies that fly apart, and the world; `alone` keeps them out of the lanes."""
    random, world, bodies = np.random.default_rng(seed), od.World(gravity=(0, 0, -9.81)), []
    for k in range(count):
        body = world.add_body(SHAPES[k % len(SHAPES)](), position=(2.0 * k, 0, 0))
        axis = random.normal(size=3)
        body.angular_velocity = speed * axis / np.linalg.norm(axis)
        body.linear_velocity = random.normal(size=3)
        body.quaternion = random.normal(size=4)
        if alone:
            body.max_angular_speed = 1e9
        bodies.append(body)
    return world, bodies


@pytest.mark.parametrize("speed", [0.0, 1e-9, 0.1, 2.0, 6.5, 9.0])
@pytest.mark.parametrize("count", [1, 8, 13])
def test_free_bodies_move_as_one_by_one(count, speed):
    world, bodies = spinning(count, speed)
    other, others = spinning(count, speed, alone=True)
    world.advance(H, steps=50)
    other.advance(H, steps=50)
    assert states(bodies) == pytest.approx(states(others), rel=1e-12, abs=1e-12)


def test_a_ball_keeps_its_spin():
    world, bodies = spinning(12, 3.0)
    balls = [b for k, b in enumerate(bodies) if k % len(SHAPES) in (1, 3)]
    before = np.array([b.angular_velocity for b in balls])
    world.advance(H, steps=100)
    assert np.array_equal([b.angular_velocity for b in balls], before)


def test_energy_and_angular_momentum_are_constant():
    world, bodies = spinning(16, 4.0)
    world.gravity = (0, 0, 0)
    momenta = [b.rotation @ b.inertia @ b.rotation.T @ b.angular_velocity for b in bodies]
    energy = world.kinetic_energy
    world.advance(H, steps=1000)
    assert world.kinetic_energy == pytest.approx(energy, rel=1e-12)
    after = [b.rotation @ b.inertia @ b.rotation.T @ b.angular_velocity for b in bodies]
    assert np.array(after) == pytest.approx(np.array(momenta), rel=1e-11, abs=1e-13)


def test_a_body_does_not_depend_on_those_beside_it():
    few, first = spinning(3, 2.0)
    many, others = spinning(21, 2.0)
    for k, body in enumerate(others[3:]):
        body.angular_velocity = (0.1 * k * k, 0, k)  # some of them too fast
    few.advance(H, steps=20)
    many.advance(H, steps=20)
    assert np.array_equal(states(first), states(others[:3]))


def chain(solver, alone):
    """A chain of spinning bodies, and its joints."""
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    bodies = [world.add_body(SHAPES[k % len(SHAPES)](), position=(0.8 * k + 0.4, 0, 0)) for k in range(11)]
    for k, body in enumerate(bodies):
        body.angular_velocity = (3 * np.sin(k), 2 * np.cos(k), 1)
        if alone:
            body.max_angular_speed = 1e9
    return (
        world,
        bodies,
        [world.add_ball(*pair, anchor=(0.8 * k, 0, 0)) for k, pair in enumerate(pairwise([None, *bodies]))],
    )


def require_alike(motion):
    """Require that `motion(alone)`, which returns the bodies of a world, gives the same states in lanes and one by one."""
    in_lanes, alone = (states(motion(alone)) for alone in (False, True))
    assert in_lanes == pytest.approx(alone, rel=1e-10, abs=1e-11)


@pytest.mark.parametrize("solver", ["exact", "soft"])
def test_chains_move_as_one_by_one(solver):
    """Joints hold these bodies; the soft solver gives velocities, and corrections that turn inertias."""

    def motion(alone):
        world, bodies, _ = chain(solver, alone)
        world.advance(H, steps=30)
        return bodies

    require_alike(motion)


def test_bodies_that_joints_release_and_hold_again_move_as_one_by_one():
    def motion(alone):
        world, bodies, joints = chain("exact", alone)
        for enabled in (True, False, True):
            for joint in joints[3:7]:  # three bodies are released, and moved with those that are not
                joint.enabled = enabled
            world.advance(H, steps=5)
        return bodies

    require_alike(motion)


def test_piles_move_as_one_by_one():
    def motion(alone):
        world = od.World(gravity=(0, 0, -9.81), solver="soft")
        world.add_plane()
        bodies = [
            world.add_body(SHAPES[k % len(SHAPES)](), position=(0.1 * (k % 3), 0, 0.25 + 0.45 * k)) for k in range(9)
        ]
        for body in bodies if alone else ():
            body.max_angular_speed = 1e9
        world.advance(H, steps=20)
        return bodies

    require_alike(motion)
