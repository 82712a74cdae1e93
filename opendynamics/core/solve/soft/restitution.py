"""Restitution: applied once after the sub-steps, limited so that it creates no energy.

Newton's rule, contact by contact, adds impulses P to the sums T of the sub-steps, in several iterations: a box that falls flat on
four contacts would tumble off after one. With velocities v before the step, v' after the
sub-steps and v'' with P, contacts do the work, for a fraction s of P,

    W(s) = Σ (T + s P) (½ J (v + v' + s (v'' - v')) - m),      m: motion of the surface,

which equals their change of energy. The largest s in [0, 1] with W(s) <= 0 is used; if W(0) > 0 (the bias does work where it
corrects penetration, and relaxation does not remove all of it), restitution may not add to it.

The remaining gain of islands without joints and external forces is limited in the same way: velocities keep a fraction s of all
impulses, v free + s (v' - v free), with the largest s for which contacts do no work. Poses keep all of them.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import add, cross
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_RECORD
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.impact_energy import last_root
from opendynamics.core.solve.soft.contact_lanes import BETWEEN, MOTION, TANGENT, begin_to_restore, restore_contacts
from opendynamics.core.solve.soft.contact_lanes import RESTORED as OF_POINT
from opendynamics.core.solve.soft.iterations import restore_rows
from opendynamics.core.solve.soft.plan.layout import (
    AT,
    BEFORE,
    BLOCKS,
    BODY,
    BODY0,
    BODY1,
    BODY_A,
    BODY_B,
    COLD,
    COLOUR,
    CONTACTS,
    COUNT,
    FIRST,
    FREE,
    IMPULSES,
    INVERSE_MASS,
    ITEM,
    ITEMS,
    LANE,
    LINK,
    LINKS_HERE,
    MANIFOLD,
    PLACE,
    POINT,
    POINTS,
    REST,
    RESTORED,
    ROW,
    ROWS_HERE,
    SHIFT,
    START,
    SUM,
    TOTAL,
    WIDTH,
    coloured_of,
    lanes_of,
    scratch_of,
)

W = WIDTH

# Iterations of Newton's rule: four contacts of a box converge by a factor of two in each.
ITERATIONS = 10


@entry(types.void(TABLES, ISLAND_RECORD))
def restore_bounces(tables, island):
    """Apply restitution to the contacts."""
    s = scratch_of(tables, island)
    _shift_spins(tables, island, 1.0)
    for slot in range(island.bodies):
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        for k in range(6):
            cold[BEFORE + k] = own[k]
    begin_to_restore(tables, island)
    for k in range(ITERATIONS):
        restore_rows(tables, island, k == 0)
        restore_contacts(tables, island)
    fixed, linear, square = _work_of_contacts(tables, island, True)
    share = last_root(square, linear, min(fixed, 0.0))
    for slot in range(island.bodies):
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        for k in range(6):
            own[k] = cold[BEFORE + k] + share * (own[k] - cold[BEFORE + k])
    _shift_spins(tables, island, -1.0)
    _sum_restored(tables, island, share)


@kernel
def limit_work(tables, island, substeps):
    """Keep the largest fraction of the contacts' impulses for which they do no work."""
    s = scratch_of(tables, island)
    _shift_spins(tables, island, 1.0)
    for slot in range(island.bodies):
        cold = vector(s.cold, COLD, slot)
        for k in range(6):
            cold[BEFORE + k] = cold[START + k] + substeps * cold[FREE + k]
    linear, square, _ = _work_of_contacts(tables, island, False)
    share = last_root(square, linear, 0.0) if linear < 0.0 else 0.0
    for slot in range(island.bodies if linear + square > 0.0 else 0):
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        if own[INVERSE_MASS] > 0.0:
            for k in range(6):
                own[k] = cold[BEFORE + k] + share * (own[k] - cold[BEFORE + k])
    _shift_spins(tables, island, -1.0)
    if linear + square > 0.0:
        _scale_impulses(tables, island, share)


@kernel
def _scale_impulses(tables, island, share):
    """Scale the sums of impulses."""
    s, plan, lanes = scratch_of(tables, island), INTEGERS.rows(tables), lanes_of(tables, island)
    for r in range(plan[ROWS_HERE]):
        vector(s.rows, ROW, r)[TOTAL] *= share
    for block in range(plan[BLOCKS + CONTACTS]):
        for k in range(W * (IMPULSES * block + SUM), W * IMPULSES * (block + 1)):
            lanes.impulses[k] *= share


@kernel
def _shift_spins(tables, island, sign):
    """Convert mean angular velocities of free rotation over the step to those at its ends, which have the energy; or back."""
    s = scratch_of(tables, island)
    for slot in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        own, cold, w = (
            vector(s.floats, BODY, slot),
            vector(s.cold, COLD, slot),
            MOTIONS.rows(tables)[body].angular_velocity,
        )
        for k in range(3):
            if sign > 0.0:
                cold[SHIFT + k] = w[k] - cold[START + 3 + k]
            own[3 + k] += sign * cold[SHIFT + k]
            cold[START + 3 + k] += sign * cold[SHIFT + k]


@kernel
def _speeds(s, slot, u, turn):
    """A body's contribution to J v of a row: before the step, after the sub-steps, and the change by restitution."""
    start = rest = added = 0.0
    if slot < len(s.cold) // COLD:
        own, cold = vector(s.floats, BODY, slot), vector(s.cold, COLD, slot)
        for k in range(3):
            start += u[k] * cold[START + k] + turn[k] * cold[START + 3 + k]
            rest += u[k] * cold[BEFORE + k] + turn[k] * cold[BEFORE + 3 + k]
            added += u[k] * (own[k] - cold[BEFORE + k]) + turn[k] * (own[3 + k] - cold[BEFORE + 3 + k])
    return start, rest, added


@kernel
def _add_work(work, total, more, near, far, motion):
    """The three coefficients of W, with one row's."""
    mean = 0.5 * (near[0] + far[0] + near[1] + far[1]) - motion
    gained = 0.5 * (near[2] + far[2])
    return work[0] + total * mean, work[1] + total * gained + more * mean, work[2] + more * gained


@kernel
def _work_of_contacts(tables, island, restored):
    """The coefficients of W; `restored`: whether restitution has given them more."""
    one, other = _work_of_rows(tables, island, restored), _work_of_manifolds(tables, island, restored)
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


@kernel
def _work_of_rows(tables, island, restored):
    s, work = scratch_of(tables, island), (0.0, 0.0, 0.0)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        link = vector(s.links, LINK, k)
        if link[AT] >= 0:
            continue
        for r in range(link[FIRST], link[FIRST] + link[COUNT]):
            own, place = vector(s.rows, ROW, r), vector(s.places, PLACE, r)
            near = _speeds(s, place[BODY0], (own[0], own[1], own[2]), (own[3], own[4], own[5]))
            far = _speeds(s, place[BODY1], (own[6], own[7], own[8]), (own[9], own[10], own[11]))
            more = own[RESTORED] if restored and r == link[FIRST] else 0.0
            work = _add_work(work, own[TOTAL], more, near, far, own[REST])
    return work


@kernel
def _work_of_manifolds(tables, island, restored):
    s, own, lanes = scratch_of(tables, island), coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    work = (0.0, 0.0, 0.0)
    for n in range(INTEGERS.rows(tables)[ITEMS + CONTACTS]):
        record = vector(own.items, ITEM, n)
        if record[COLOUR] < 0:
            continue
        g, i = record[LANE] // W, record[LANE] % W
        normal, t = (
            _three(lanes.manifolds, W * MANIFOLD * g + i),
            _three(lanes.manifolds, W * (MANIFOLD * g + TANGENT) + i),
        )
        across = cross(normal, t)
        motion = _three(lanes.manifolds, W * (MANIFOLD * g + MOTION) + i)
        for block in range(own.first[g], own.first[g] + record[POINTS]):
            at, sums = W * POINT * block + i, W * (IMPULSES * block + SUM) + i
            r0 = _three(lanes.points, at)
            r1 = add(r0, _three(lanes.manifolds, W * (MANIFOLD * g + BETWEEN) + i))
            for k in range(3):
                u = normal if k == 0 else t if k == 1 else across
                a, b = cross(r0, u), cross(r1, u)
                near = _speeds(s, record[BODY_A], u, a)
                far = _speeds(s, record[BODY_B], (-u[0], -u[1], -u[2]), (-b[0], -b[1], -b[2]))
                more = lanes.points[at + W * OF_POINT] if restored and k == 0 else 0.0
                work = _add_work(work, lanes.impulses[sums + W * k], more, near, far, motion[k])
    return work


@kernel
def _three(numbers, at):
    return float(numbers[at]), float(numbers[at + W]), float(numbers[at + 2 * W])


@kernel
def _sum_restored(tables, island, share):
    """Add the impulses of restitution to the sums of impulses."""
    s, own, lanes = scratch_of(tables, island), coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        link = vector(s.links, LINK, k)
        if link[AT] < 0:
            normal = vector(s.rows, ROW, link[FIRST])
            normal[TOTAL] += share * normal[RESTORED]
    for n in range(INTEGERS.rows(tables)[ITEMS + CONTACTS]):
        record = vector(own.items, ITEM, n)
        if record[COLOUR] >= 0:
            g, i = record[LANE] // W, record[LANE] % W
            for block in range(own.first[g], own.first[g] + record[POINTS]):
                lanes.impulses[W * (IMPULSES * block + SUM) + i] += (
                    share * lanes.points[W * (POINT * block + OF_POINT) + i]
                )
