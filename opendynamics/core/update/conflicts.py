"""Islands whose joints may require contradictory motions, such as two motors of unlimited force against each other.

Hard rows require J v' = c. If they can be satisfied, the solver's residual c - J v' is small; if they contradict each other,
no solver satisfies them. This stage lists rows with large residuals, for any solver; whether the rows can be satisfied is
determined elsewhere (`api/conflicts.py`). Reads LINKS, ROWS, and the new velocities after the step; writes right-hand sides where
the solver needs none.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.assemble import set_right_sides_of_joints
from opendynamics.core.constrain.parts.hard_row import is_hard, softest_joint
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.reactions import VELOCITIES_GIVEN

# Rows contradict each other if their residual exceeds this fraction of the largest change of velocity that rows of their island
# require, and leaves an error above LASTING, m or rad, uncorrected. Linkages assembled with errors have residuals of the squares
# of these, which decrease with every step.
UNMET, LASTING = 0.1, 1e-3

INDICES = types.Array(types.int64, 1, "C")


@entry(types.int64(TABLES, INDICES))
def find_unmet(tables, islands):
    """List islands whose hard rows had large residuals in the last step, as many as there is room for; returns their number."""
    count, h = 0, REPORTS.rows(tables)[0].h
    least = LASTING * max(WORLDS.rows(tables)[0].erp, 1e-3) / h
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if not island.faulty and count < len(islands) and _has_unmet_rows(tables, island, h, least):
            islands[count] = k
            count += 1
    return count


@kernel
def _has_unmet_rows(tables, island, h, least):
    """Whether a hard row's residual is above `least`, m/s or rad/s, and above UNMET of the largest change of velocity."""
    softest = softest_joint(tables) * (1.0 / h)  # as the rows are scaled, to the last bit
    residual = change = 0.0
    if island.corrected == VELOCITIES_GIVEN:
        set_right_sides_of_joints(tables, island)
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT:
            for r in range(link.first_row, link.first_row + link.row_count):
                row = ROWS.rows(tables)[r]
                if is_hard(row, softest):
                    rate = _rate(tables, island, row.slot0, row.j0) + _rate(tables, island, row.slot1, row.j1)
                    residual = max(residual, abs(h * row.bias - rate))
                    change = max(change, abs(h * row.rhs))
    return residual > UNMET * change and residual > least


@kernel
def _rate(tables, island, slot, j):
    """One body's part of J v."""
    total = 0.0
    if slot >= 0:
        motion = MOTIONS.rows(tables)[ISLAND_BODIES.rows(tables)[island.first_body + slot]]
        for k in range(3):
            total += j[k] * motion.linear_velocity[k] + j[3 + k] * motion.angular_velocity[k]
    return total


@entry(types.int64(TABLES, types.int64, INDICES, INDICES))
def list_hard_rows(tables, island, rows, joints):
    """Write hard rows of joints, and the joint of each, as many as there is room for; returns their number."""
    record, count = ISLANDS.rows(tables)[island], 0
    softest = softest_joint(tables) * (1.0 / REPORTS.rows(tables)[0].h)
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT:
            for r in range(link.first_row, link.first_row + link.row_count):
                if is_hard(ROWS.rows(tables)[r], softest):
                    if count < len(rows):
                        rows[count], joints[count] = r, link.index
                    count += 1
    return count
