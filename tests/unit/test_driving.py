"""Code that drives worlds moves many bodies at once as their properties do."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.driving import move_bodies

H = 0.005


def heap(like, asleep=False):
    """Spheres and oblong boxes on the ground, in a space whose order changes as they move."""
    world = od.World(gravity=(0, 0, -9.81), like=like)
    world.add_plane()
    bodies = [
        world.add_body(od.Sphere(0.1) if k % 2 else od.Box((0.2, 0.3, 0.2)), position=(0.25 * k, 0, 0.1), mass=1.0 + k)
        for k in range(6)
    ]
    for body in bodies:
        body.auto_disable = asleep
    world.advance(H, steps=400)
    if not asleep:  # in free rotation, the velocity of a step follows from its momentum
        bodies[4].linear_velocity, bodies[4].angular_velocity = (0, 0, 3), (3, 4, 5)
        world.advance(H, steps=5)
    return world, bodies


@pytest.mark.parametrize("like", ["opendynamics", "ode"])
@pytest.mark.parametrize("asleep", [False, True], ids=["awake", "asleep"])
def test_many_bodies_are_moved_as_by_their_properties(like, asleep):
    (world, bodies), (alone, others) = heap(like, asleep), heap(like, asleep)
    assert all(body.enabled is not asleep for body in bodies)
    random, chosen = np.random.default_rng(1), [4, 1, 2]
    positions, quaternions = random.uniform(0.2, 1.0, (3, 3)), random.normal(size=(3, 4))
    velocities, spins = random.normal(size=(2, 3, 3))
    move_bodies(world, [bodies[k] for k in chosen], positions, quaternions, velocities, spins)
    for row, k in enumerate(chosen):
        others[k].position, others[k].quaternion = positions[row], quaternions[row]
        others[k].linear_velocity, others[k].angular_velocity = velocities[row], spins[row]
    assert world.state_hash() == alone.state_hash()
    for each in (world, alone):
        each.advance(H, steps=100)
    assert world.state_hash() == alone.state_hash()
    assert bodies[4].enabled is (like != "ode" or not asleep)


def test_a_destroyed_body_is_not_moved():
    world, bodies = heap("opendynamics")
    bodies[1].destroy()
    before, zeros = world.state_hash(), np.zeros((2, 3))
    with pytest.raises(od.DestroyedError):
        move_bodies(world, bodies[:2], zeros, np.ones((2, 4)), zeros, zeros)
    with pytest.raises(ValueError, match="a finite length above 0"):
        move_bodies(world, bodies[2:4], zeros, np.zeros((2, 4)), zeros, zeros)
    assert world.state_hash() == before
