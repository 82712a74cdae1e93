"""Prefetching. An island's links are scattered over the tables, which no processor can predict."""

from __future__ import annotations

from opendynamics.core.arrays.blocks.load_ahead import prefetch, prefetch_two_lines
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, LINKS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.kernels import kernel

# Number of links by which contacts and joints are prefetched.
AHEAD = 12


@kernel
def look_ahead(tables, island, k):
    """Have the contact or joint of link k loaded, if there is such a link."""
    if k < island.links:
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[island.first_link + k]]
        if link.kind == CONTACT:
            prefetch_two_lines(CONTACTS.rows(tables), link.index)
        else:
            prefetch(JOINTS.rows(tables), link.index)
