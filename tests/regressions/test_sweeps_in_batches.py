"""A sweep of continuous bodies that lacked memory was resumed with the islands of another world of the batch.

Sweeps come after the bodies have moved, and read the islands of the step in memory that the worlds of a thread share. Worlds with
continuous bodies are advanced by themselves now.
"""

from __future__ import annotations

import numpy as np

import opendynamics as od


def shots():
    """Balls that hit a thin plate within the second step."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.5, bounce=0.3))
    world.add_geom(od.Box((4, 4, 0.01), position=(0, 0, 1)))
    for k in range(5):
        world.add_body(od.Sphere(0.1), position=(0.3 * k, 0, 1.6), density=1000, linear_velocity=(3, 0, -40.0))
    return world


def other():
    """Many more bodies, all in contact."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_bodies(od.Sphere(0.1), [(0.19 * k, 0, 0.09) for k in range(30)], density=1000)
    return world


def test_continuous_bodies_move_in_a_batch_as_by_themselves():
    alone, together = shots(), shots()
    batch = od.Batch([together, other()], threads=1)
    for step in range(4):
        for ball in (*alone.bodies, *together.bodies):
            ball.continuous = step > 0  # all other memory is there before
        alone.advance(0.01)
        batch.advance(0.01)
        assert np.array_equal(together.positions, alone.positions)
        assert np.array_equal(together.linear_velocities, alone.linear_velocities)
    assert alone.positions[:, 2].min() > 1.0
