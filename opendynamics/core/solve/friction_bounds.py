"""Friction bounds of an island: from the normal forces of the same solution, or frozen from the first phase."""

from __future__ import annotations

from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel

# Values of WORLD.friction_bounds.
FROZEN, COUPLED = 0, 1


@kernel
def follows_normals(tables, island):
    """Whether the island has rows whose bounds follow the normal forces of the same solution."""
    if WORLDS.rows(tables)[0].friction_bounds == FROZEN:
        return False
    depending = 0
    for r in range(island.first_row, island.first_row + island.rows):
        depending += ROWS.rows(tables)[r].normal >= 0
    return depending > 0
