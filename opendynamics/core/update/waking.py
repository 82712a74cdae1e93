"""Waking the sleeping bodies that a geom touches or may touch, for Python, where the geom is about to change or has changed.

Reads a copy of the geom's record, its box up to date, and the world's geoms; writes which bodies are enabled. What a sleeping
body rests on is kept nowhere: boxes that meet are enough, and a body that was woken without need falls asleep again.
"""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.arrays.bodies import ENABLED, FAULTY, MOTIONS
from opendynamics.core.arrays.geoms import ALIVE, GEOMS
from opendynamics.core.arrays.geoms import ENABLED as GEOM_ENABLED
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shapes import RAY, has_trait
from opendynamics.core.collide.bounds import refresh_geom
from opendynamics.core.collide.contact_filter import bits_match
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.update.sleeping import wake_body

RECORDS = types.Array(GEOMS.dtype, 1, "C")

# Boxes meet that are as near as so much of the sleeping body's size: bodies may rest a rounding error apart.
NEAR = 1e-3


@entry(types.void(TABLES, RECORDS))
def wake_near(tables, changed):
    """Wake what the geom `changed[0]`, of any world or none, may touch."""
    geom, motions = changed[0], MOTIONS.rows(tables)
    if not geom.flags & GEOM_ENABLED or (geom.kind >= 0 and has_trait(geom.kind, RAY)):
        return
    margin = WORLDS.rows(tables)[0].margin
    if margin == inf:
        margin = 0.0
    for index in range(GEOMS.used(tables)):
        other = GEOMS.rows(tables)[index]
        motion = motions[other.body]
        if other.body == 0 or motion.flags & (ENABLED | FAULTY) or motion.inverse_mass == 0.0:
            continue
        if other.flags & ALIVE and other.flags & GEOM_ENABLED and bits_match(geom, other):
            refresh_geom(tables, index)
            if _boxes_meet(geom.bounds, other.bounds, margin):
                wake_body(tables, other.body)


@kernel
def _boxes_meet(a, b, margin):
    size, apart = 0.0, -inf
    for k in range(0, 6, 2):
        size = max(size, b[k + 1] - b[k])
        apart = max(apart, a[k] - b[k + 1], b[k] - a[k + 1])
    return apart <= margin + (NEAR * size if size < inf else 0.0)
