"""Interface for code that drives worlds: forces on many bodies at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.waking import some_asleep, wake_bodies
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import LOADS


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
