"""Friction bounds of an island: from the normal forces of the same solution, or frozen from the first phase."""

from __future__ import annotations

from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel

# Values of WORLD.friction_bounds.
FROZEN, COUPLED = 0, 1


@kernel
def friction_bound(coefficient, normal_force):
    """Largest friction force; as in ODE, a normal force that pulls allows as much. 0 without one, also for infinite friction."""
    return abs(coefficient * normal_force) if normal_force != 0.0 else 0.0


@kernel
def friction_bound_if_pushing(coefficient, normal_force):
    """Largest friction force, 0 for a normal force that pulls."""
    return coefficient * normal_force if normal_force > 0.0 else 0.0


@kernel
def follows_normals(tables, island):
    """Whether the island has rows whose bounds follow the normal forces of the same solution."""
    if WORLDS.rows(tables)[0].friction_bounds == FROZEN:
        return False
    depending = 0
    for r in range(island.first_row, island.first_row + island.rows):
        depending += ROWS.rows(tables)[r].normal >= 0
    return depending > 0
