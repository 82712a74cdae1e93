"""Kinematic loops of an island: connected pairs of bodies beyond those of a spanning tree.

Their number bounds the fill-in of a direct factorisation, independent of the bounds. Reads islands and links.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLAND_LINKS, LINKS
from opendynamics.core.kernels import kernel

# Loops of a net of 20 x 20 ball joints: above it a direct solution takes longer than sub-steps.
MAX_LOOPS = 400


@kernel
def count_loops(tables, island):
    """Number of loops of an island; 0 for a tree, or for a few bodies connected to the static world only."""
    pairs, body0, body1 = 0, -1, -1
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]  # those of a pair come one after the other
        pairs += link.body0 != body0 or link.body1 != body1
        body0, body1 = link.body0, link.body1
    return max(pairs - island.bodies, 0)
