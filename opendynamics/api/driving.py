"""Interface for code that drives worlds: forces on many bodies at once, and their poses and velocities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.body import Body
from opendynamics.api.many_bodies import matrices_of, unit_quaternions
from opendynamics.api.spaces.member_list import bring_bodies_to_front
from opendynamics.api.waking import some_asleep, wake_bodies
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import INERTIAS, LOADS, MOTIONS, POSES


def some_bodies_sleep(world: World) -> bool:
    """Whether there may be sleeping bodies, which forces have to wake."""
    return some_asleep(world._store)


def add_loads(world: World, rows: npt.NDArray[np.int64], forces: Any, torques: Any) -> None:
    """Add forces, N, and torques, N m, to bodies for the next step, in the world frame; wakes the bodies that they act on.

    Args:
        world: the bodies' world.
        rows: rows of the bodies in their tables (`reading.row_of`), each once, shape (n,).
        forces, torques: shape (n, 3) each, finite.
    """
    if some_asleep(world._store):
        pushed = (forces != 0.0).any(axis=1) | (torques != 0.0).any(axis=1)
        wake_bodies(world._store, rows[pushed].tolist())
    loads = world._store[LOADS]
    loads["force"][rows] += forces
    loads["torque"][rows] += torques


def move_bodies(
    world: World, bodies: Sequence[Body], positions: Any, quaternions: Any, velocities: Any, spins: Any
) -> None:
    """Set poses and velocities of many bodies, as their properties do, bit for bit.

    Args:
        world: the bodies' world.
        bodies: each once.
        positions, quaternions: of the centres of mass, m, shape (n, 3), and (w, x, y, z), of any length above 0, shape (n, 4).
        velocities, spins: linear and angular, m/s and rad/s, in the world frame, shape (n, 3) each.
    """
    store = world._store
    rows = [body._row for body in bodies]
    if some_asleep(store):  # each change wakes what it affects
        for k, body in enumerate(bodies):
            body.position, body.quaternion = positions[k], quaternions[k]
            body.linear_velocity, body.angular_velocity = velocities[k], spins[k]
        return
    turns = unit_quaternions("the quaternions of bodies", quaternions)
    world._home.edition.number += 1
    bring_bodies_to_front(bodies)
    poses, motions = store[POSES], store[MOTIONS]
    poses["position"][rows], poses["quaternion"][rows] = positions, turns
    poses["rotation"][rows] = matrices_of(turns).reshape(-1, 9)
    motions["linear_velocity"][rows], motions["angular_velocity"][rows] = velocities, spins
    store[INERTIAS]["world_inverse"][rows, 0] = 0.0  # of the last step: forgotten, as by the properties
