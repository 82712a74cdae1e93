"""Contact points of many pairs of staged geoms in one call: the narrowphase of ODE's loop.

Reads the staged geoms (`geom_copies.py`); writes POINTS, pair after pair, with the indices of both geoms, and for each pair the
range of its points. Pairs that need Python (user-defined colliders, kernels that are not loaded yet, spaces), and pairs without a
body, are collided one by one later: their end is NOT_COLLIDED.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import FLOATS, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.geom_copies import INDICES
from opendynamics.core.collide.narrowphase.dispatch import are_loaded, collide_two, colliders_of
from opendynamics.core.kernels import entry, kernel

NOT_COLLIDED = -1


@entry(types.int64(TABLES, types.Array(types.int64, 2, "C"), types.int64, types.int64, types.int64, *[INDICES] * 3))
def collide_listed(stage, pairs, first, limit, python_collider, starts, ends, left_out):
    """Collide the pairs from index `first`, with at most `limit` points each; returns the number of points, -1: out of memory.

    `python_collider`: address of the collider that calls Python. Pairs whose end is NOT_COLLIDED already are skipped.
    """
    if not FLOATS.has_room(stage, SCRATCH):
        return -1
    count = 0
    for k in range(first, len(pairs)):
        a, b = pairs[k, 0], pairs[k, 1]
        if ends[k] == NOT_COLLIDED or not _can_collide(stage, a, b, python_collider):
            ends[k] = NOT_COLLIDED
            continue
        if not POINTS.has_room(stage, count + limit):
            return -1
        kind_a, kind_b = GEOMS.rows(stage)[a].kind, GEOMS.rows(stage)[b].kind
        here, there = GEOMS.address(stage, a), GEOMS.address(stage, b)
        points, scratch = POINTS.address(stage, count), FLOATS.address(stage, 0)
        REPORTS.rows(stage)[0].contacts_left_out = 0
        found = collide_two(stage, kind_a, kind_b, here, there, limit, points, scratch)
        if found < 0:  # refused: an error is raised when the pair is collided by itself
            ends[k] = NOT_COLLIDED
            continue
        left_out[k] = REPORTS.rows(stage)[0].contacts_left_out
        starts[k] = count
        for p in range(count, count + found):
            POINTS.rows(stage)[p].geom_a = a
            POINTS.rows(stage)[p].geom_b = b
        count += found
        ends[k] = count
    return count


@kernel
def _can_collide(stage, a, b, python_collider):
    """Whether two staged geoms have a collider that needs no Python, and a body between them."""
    one, other = GEOMS.rows(stage)[a], GEOMS.rows(stage)[b]
    if one.kind < 0 or other.kind < 0 or (one.body == 0 and other.body == 0):
        return False
    forward, backward = colliders_of(stage, one.kind, other.kind)
    return are_loaded(forward, backward) and forward != python_collider and backward != python_collider
