"""Pipeline stage: candidate pairs for speculative contacts.

Boxes are enlarged by half the margin, or by the possible motion of the geom in the step, while the broadphase runs.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import get3, length
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.swept_motion import SWEEPS, SWEPT_GEOMS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.collide.broadphase import FIND_PAIRS
from opendynamics.core.collide.ccd.swept_motion import radius_about
from opendynamics.core.collide.speculative import NEAR
from opendynamics.core.collide.speculative.predicted_motion import expect_motions
from opendynamics.core.kernels import caller, entry, kernel

call_find_pairs = caller(FIND_PAIRS)


@entry(NEAR)
def find_near_pairs(tables, h):
    """List pairs that are near or may meet in the step, in PAIRS. 0: out of memory; otherwise 1."""
    if not (SWEEPS.has_room(tables, MOTIONS.used(tables)) and SWEPT_GEOMS.has_room(tables, GEOMS.used(tables))):
        return 0
    expect_motions(tables, h)
    order = GEOM_ORDER.rows(tables)
    for k in range(GEOM_ORDER.used(tables)):
        _widen(tables, order[k])
    found = call_find_pairs(CHOICES.rows(tables)[0].find_pairs, tables)
    for k in range(GEOM_ORDER.used(tables)):
        for side in range(6):
            GEOMS.rows(tables)[order[k]].bounds[side] = SWEPT_GEOMS.rows(tables)[order[k]].bounds[side]
    return found


@kernel
def _widen(tables, index):
    """Enlarge a geom's box, and save the original."""
    geom, swept = GEOMS.rows(tables)[index], SWEPT_GEOMS.rows(tables)[index]
    sweep = SWEEPS.rows(tables)[geom.body]
    swept.radius = radius_about(geom, get3(sweep.position)) if geom.body != 0 else 0.0
    more = 0.5 * WORLDS.rows(tables)[0].margin
    if more == inf:
        more = length(get3(sweep.travel))
        if sweep.angle > 0.0:
            more += sweep.angle * swept.radius
    for side in range(0, 6, 2):
        swept.bounds[side], swept.bounds[side + 1] = geom.bounds[side], geom.bounds[side + 1]
        geom.bounds[side] -= more
        geom.bounds[side + 1] += more
