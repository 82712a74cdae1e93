"""Joints that ask for motions which exclude each other, such as two motors of unlimited force against each other.

Hard rows are solved as J v' + cfm λ = c (cfm as a velocity for each unit of force). Where they can be met, forces are those of
the motion and cfm λ is next to nothing; redundant rows that agree share them. Where they exclude each other nothing but cfm
limits the forces, which grow until cfm λ is what the rows ask for too much. Reads what the step has left of LINKS, ROWS, FORCES.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.parts.hard_row import is_hard, softest_joint
from opendynamics.core.kernels import entry, kernel

# A row is at odds with others if it misses this part of the largest change of velocity that rows of its island ask for, and an
# error of so much, m or rad, is never mended. Linkages put together with errors disagree by the squares of these,
# and less every step.
PART, LASTING = 0.1, 1e-3


@entry(types.int64(TABLES, types.Array(types.int64, 1, "C")))
def find_conflicts(tables, joints):
    """List joints at odds with others in the last step, at most as many as `joints` has room for; returns how many."""
    count, h = 0, REPORTS.rows(tables)[0].h
    erp = max(WORLDS.rows(tables)[0].erp, 1e-3)
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        missed, asked = _extremes(tables, island, island.links, h)
        if not island.faulty and missed > PART * asked and missed * h > LASTING * erp:
            for at in range(island.first_link, island.first_link + island.links):
                index = ISLAND_LINKS.rows(tables)[at]
                own, _ = _of_link(tables, index, h)
                if own > 0.5 * missed and count < len(joints):
                    joints[count] = LINKS.rows(tables)[index].index
                    count += 1
    return count


@kernel
def _extremes(tables, island, links, h):
    """The largest velocity that hard rows of an island miss, and the largest change of velocity that they ask for."""
    missed = asked = 0.0
    for at in range(island.first_link, island.first_link + links):
        own, wanted = _of_link(tables, ISLAND_LINKS.rows(tables)[at], h)
        missed, asked = max(missed, own), max(asked, wanted)
    return missed, asked


@kernel
def _of_link(tables, index, h):
    """The same of one link; nothing of contacts."""
    link = LINKS.rows(tables)[index]
    missed = asked = 0.0
    if link.kind != CONTACT:
        softest = softest_joint(tables) * (1.0 / h)  # as the rows are scaled, to the last bit
        for r in range(link.first_row, link.first_row + link.row_count):
            row = ROWS.rows(tables)[r]
            if is_hard(row, softest):
                missed = max(missed, abs(h * row.cfm * FORCES.rows(tables)[r]))
                asked = max(asked, abs(h * row.rhs))
    return missed, asked
