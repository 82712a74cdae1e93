"""Loops of an island: pairs of bodies that touch or are joined beyond those that hold it together as a tree.

They say how far the factor of a direct solution fills in, whatever the bounds. Reads islands and links.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLAND_LINKS, LINKS
from opendynamics.core.kernels import kernel

# Loops of a net of 20 x 20 ball joints, where a direct solution takes as long as sub-steps: beyond it, it takes longer.
MOST_LOOPS = 400


@kernel
def count_loops(tables, island):
    """How many loops an island has; for one that is a tree, or a few bodies with nothing but the static world, 0."""
    pairs, body0, body1 = 0, -1, -1
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]  # those of a pair come one after the other
        pairs += link.body0 != body0 or link.body1 != body1
        body0, body1 = link.body0, link.body1
    return max(pairs - island.bodies, 0)
