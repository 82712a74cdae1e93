"""What a solver hands on: FORCES alone, from which `update/move.py` sums up the REACTIONS of the bodies, or more than that."""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.rows import REACTIONS
from opendynamics.core.kernels import kernel

# Values of ISLAND.corrected. POSES_CORRECTED: poses also move by CORRECTIONS. VELOCITIES_GIVEN: the same, and REACTIONS holds the
# new velocities; CORRECTIONS of DEFERRED bodies are then all that they turn by, as free rotation is computed once, later.
# REACTIONS_SUMMED: REACTIONS has been written.
POSES_CORRECTED, VELOCITIES_GIVEN, REACTIONS_SUMMED = 1, 2, 3


@kernel
def write_reactions(tables, record, wrenches):
    """Write the bodies' reactions, so that they are not summed up again."""
    for slot in range(record.bodies):
        reaction = REACTIONS.rows(tables)[ISLAND_BODIES.rows(tables)[record.first_body + slot]]
        for k in range(3):
            reaction.linear[k] = wrenches[6 * slot + k]
            reaction.angular[k] = wrenches[6 * slot + 3 + k]
