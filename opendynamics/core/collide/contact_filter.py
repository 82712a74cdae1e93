"""Contact filter: excludes pairs by category bits and by common bodies."""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.geoms import ENABLED, GEOM_ORDER, GEOMS
from opendynamics.core.kernels import kernel


@kernel
def bits_match(a, b):
    """Whether the category bits of one share a bit with the collide bits of the other."""
    return a.category & b.collide != 0 or b.category & a.collide != 0


@kernel
def may_collide(a, b):
    """Whether two records belong to different bodies and their bits match."""
    return (a.owner != b.owner or a.owner == 0) and bits_match(a, b)


@kernel
def any_may_collide(tables):
    """Conservative test whether any two geoms match; False is certain."""
    order, geoms = GEOM_ORDER.rows(tables), GEOMS.rows(tables)
    if GEOM_ORDER.used(tables) == 0:
        return False
    categories = collides = np.uint64(0)
    for k in range(GEOM_ORDER.used(tables)):
        geom = geoms[order[k]]
        if geom.flags & ENABLED:
            categories |= geom.category
            collides |= geom.collide
            if categories & collides != 0:
                return True
    return False
