"""Gauss-Seidel iterations over an island's rows, in the order of its links: with bias, relaxation, and restitution.

A normal row has the separation s = s at the start + J d - surface velocity t. A gap may close in the sub-step, J v = -s/h'; under
penetration, with bias,

    λ <- max(0, λ + a m (min(-rate s, max_bias) - J v) - b λ),     m the effective mass, a = 1 - b the mass scale,
                                                                   b the impulse scale of the soft constraint,

and in relaxation with bias 0, a = 1, b = 0. Hard rows of joints correct `erp` of their error in the sub-step, with b from a
damping ratio.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.lanes import LANES
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import add6, dot_sides, piece, vector
from opendynamics.core.solve.soft import blocks
from opendynamics.core.solve.soft.blocks import (
    apply_block,
    contact_velocities,
    hold_block,
    push_contact,
    solve_block,
)
from opendynamics.core.solve.soft.plan.layout import (
    AT,
    BODY,
    BODY0,
    BODY1,
    CFM,
    COUNT,
    COUPLING,
    COUPLING1,
    EFFECTIVE_MASS,
    FIRST,
    HARD,
    HI,
    IMPULSE,
    IMPULSE_SCALE,
    JOINT,
    LINK,
    LINKS_HERE,
    LO,
    MASS_SCALE,
    MAX_COUPLED,
    MOVED,
    NORMAL,
    PAIR,
    PLACE,
    RATE,
    REBOUND,
    RESPONSE,
    REST,
    RESTORED,
    ROW,
    SEPARATION,
    SOURCE,
    TARGET,
    TOGETHER,
    TOTAL,
    VELOCITY,
    scratch_of,
)

# Impulse scale of the hard rows of joints: that of a damping ratio of 2 with an ERP of 0.2. Without it, warm starting lets chains
# ring.
JOINT_IMPULSE_SCALE = 1.0 / 6.0

# Largest velocity of position correction, m/s.
MAX_SPEED = 3.0


@kernel
def apply_impulses(tables, island):
    """Warm starting: apply the rows' impulses to the bodies."""
    s = scratch_of(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        link = vector(s.links, LINK, k)
        place = vector(s.places, PLACE, link[FIRST])
        a, b = vector(s.floats, BODY, place[BODY0]), vector(s.floats, BODY, place[BODY1])
        if link[HARD] > 0:
            apply_block(piece(s.floats, link[AT], JOINT), a, b)
        for r in range(link[FIRST] + link[HARD], link[FIRST] + link[COUNT]):
            own = vector(s.rows, ROW, r)
            _push(own, a, b, own[IMPULSE])


@kernel
def sum_impulses(tables, island):
    """Add the impulses of a sub-step to the sums; relaxation adds those of blocks."""
    s = scratch_of(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        link = vector(s.links, LINK, k)
        for r in range(link[FIRST] + link[HARD], link[FIRST] + link[COUNT]):
            own = vector(s.rows, ROW, r)
            own[TOTAL] += own[IMPULSE]


@kernel
def iterate(tables, island, step, elapsed, biased, max_bias, changes):
    """One iteration over all rows. Returns the largest change of an impulse, and the largest impulse; those of blocks are in the
    lanes of `changes`.
    """
    s = scratch_of(tables, island)
    largest_change = largest = 0.0
    aim, impulse_scale, summed = (blocks.AIM, JOINT_IMPULSE_SCALE, 0.0) if biased else (blocks.REST, 0.0, 1.0)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        link = vector(s.links, LINK, k)
        r, end = link[FIRST], link[FIRST] + link[COUNT]
        if link[AT] == TOGETHER:
            change, normal = _solve_contact(s, r, step, elapsed, biased, max_bias)
            largest_change, largest = max(largest_change, change), max(largest, normal)
            continue
        if link[AT] < 0:
            own, place = vector(s.rows, ROW, r), vector(s.places, PLACE, r)
            a, b = vector(s.floats, BODY, place[BODY0]), vector(s.floats, BODY, place[BODY1])
            change = _solve_normal(own, a, b, step, elapsed, biased, max_bias)
            largest_change, largest = max(largest_change, abs(change)), max(largest, own[IMPULSE])
            r += 1
        elif link[HARD] > 0:
            place = vector(s.places, PLACE, r)
            a, b = vector(s.floats, BODY, place[BODY0]), vector(s.floats, BODY, place[BODY1])
            solve_block(
                piece(s.floats, link[AT], JOINT), a, b, aim, 1.0 - impulse_scale, impulse_scale, summed, changes
            )
            r += link[HARD]
        while r < end:
            own, place = vector(s.rows, ROW, r), vector(s.places, PLACE, r)
            a, b = vector(s.floats, BODY, place[BODY0]), vector(s.floats, BODY, place[BODY1])
            if place[PAIR] > 0:
                other = vector(s.rows, ROW, r + 1)
                change = _solve_pair(s, own, other, place, a, b)
                r += 1
            else:
                change = _solve_row(s, own, place, a, b, TARGET if biased else REST)
                beyond = r - link[FIRST] - link[HARD]
                if link[HARD] > 0 and beyond < MAX_COUPLED and change != 0.0:
                    at = blocks.COUPLED + LANES * beyond
                    hold_block(piece(s.floats, link[AT], JOINT), at, a, b, change, summed)
            largest_change, largest = max(largest_change, abs(change)), max(largest, abs(own[IMPULSE]))
            r += 1
    return largest_change, largest


@kernel
def _velocity(own, a, b, at):
    """J times the velocity, or the displacement, of both bodies."""
    return dot_sides(own, 0, a, b, at)


@kernel
def _push(own, a, b, impulse):
    add6(a, VELOCITY, impulse, own, RESPONSE)
    add6(b, VELOCITY, impulse, own, RESPONSE + 6)


@kernel
def _set_impulse(own, a, b, new):
    """Set a row's impulse and apply the change to its bodies. Returns the change."""
    change = new - own[IMPULSE]
    own[IMPULSE] = new
    _push(own, a, b, change)
    return change


@kernel
def _solve_normal(own, a, b, step, elapsed, biased, max_bias):
    new = _normal_impulse(
        own, _velocity(own, a, b, VELOCITY), _velocity(own, a, b, MOVED), step, elapsed, biased, max_bias
    )
    return _set_impulse(own, a, b, new)


@kernel
def _normal_impulse(own, velocity, moved, step, elapsed, biased, max_bias):
    """Impulse of a normal row, from J times the velocities and the displacements."""
    motion, impulse = own[REST], own[IMPULSE]
    separation = own[SEPARATION] + moved - motion * elapsed
    aim, mass_scale, impulse_scale, cfm = motion, 1.0, 0.0, own[CFM]
    if separation > 0.0:
        aim -= separation / step
        cfm = 0.0
    elif biased or cfm > 0.0:
        speed = -own[RATE] * separation
        aim += min(speed, max_bias)
        mass_scale, impulse_scale = own[MASS_SCALE], own[IMPULSE_SCALE]
        if speed > max_bias:  # limit the velocity, not the load that the spring carries
            impulse_scale *= max_bias / speed
            mass_scale = 1.0 - impulse_scale
    residual = aim - velocity - cfm * impulse
    return max(impulse + own[EFFECTIVE_MASS] * mass_scale * residual - impulse_scale * impulse, 0.0)


@kernel
def _solve_contact(s, r, step, elapsed, biased, max_bias):
    """Solve the normal row and the friction of a contact, in turn. Returns the largest change, and the normal impulse."""
    own, one, other = vector(s.rows, ROW, r), vector(s.rows, ROW, r + 1), vector(s.rows, ROW, r + 2)
    place = vector(s.places, PLACE, r)
    a, b = vector(s.floats, BODY, place[BODY0]), vector(s.floats, BODY, place[BODY1])
    velocity, along, across, moved = contact_velocities(s.rows, ROW * r, a, b)
    new = _normal_impulse(own, velocity, moved, step, elapsed, biased, max_bias)
    change = new - own[IMPULSE]
    own[IMPULSE] = new
    along, across = along + one[COUPLING] * change, across + other[COUPLING] * change
    aim = TARGET if biased else REST
    hi, hi1 = one[HI] * new if new > 0.0 else 0.0, other[HI] * new if new > 0.0 else 0.0  # HI may be infinite
    if vector(s.places, PLACE, r + 1)[PAIR] > 0:
        first, second = _in_circle(_free_impulse(one, along, TARGET), _free_impulse(other, across, TARGET), hi)
        first, second = first - one[IMPULSE], second - other[IMPULSE]
    else:
        first = min(max(_free_impulse(one, along, aim), -hi), hi) - one[IMPULSE]
        across += other[COUPLING1] * first
        second = min(max(_free_impulse(other, across, aim), -hi1), hi1) - other[IMPULSE]
    one[IMPULSE] += first
    other[IMPULSE] += second
    push_contact(s.rows, ROW * r, a, b, (change, first, second))
    return max(abs(change), max(abs(first), abs(second))), new


@kernel
def _bound(s, own, place):
    """Bound of a friction row's impulse; 0 without a normal impulse, also for infinite friction."""
    if place[NORMAL] < 0:
        return own[HI]
    normal = vector(s.rows, ROW, place[NORMAL])[IMPULSE]
    return own[HI] * normal if normal > 0.0 else 0.0


@kernel
def _free_impulse(own, velocity, aim):
    """Impulse of a row without its bounds."""
    return own[IMPULSE] + own[EFFECTIVE_MASS] * (own[aim] - velocity - own[CFM] * own[IMPULSE])


@kernel
def _in_circle(new, across, hi):
    """Two impulses, projected on a circle."""
    length = sqrt(new * new + across * across)
    if length > hi:
        new, across = new * (hi / length), across * (hi / length)
    return new, across


@kernel
def _solve_row(s, own, place, a, b, aim):
    new = _free_impulse(own, _velocity(own, a, b, VELOCITY), aim)
    if own[aim] != own[REST]:  # a stop: as stiff as hard rows
        new -= JOINT_IMPULSE_SCALE * new
    if place[NORMAL] >= 0:
        hi = _bound(s, own, place)
        new = min(max(new, -hi), hi)
    else:
        new = min(max(new, own[LO]), own[HI])
    return _set_impulse(own, a, b, new)


@kernel
def _solve_pair(s, own, other, place, a, b):
    """Solve both rows of a friction cone, projected on its circle."""
    new = _free_impulse(own, _velocity(own, a, b, VELOCITY), TARGET)
    across = _free_impulse(other, _velocity(other, a, b, VELOCITY), TARGET)
    new, across = _in_circle(new, across, _bound(s, own, place))
    change = abs(_set_impulse(own, a, b, new))
    return max(change, abs(_set_impulse(other, a, b, across)))


@kernel
def restore_rows(tables, island, first):
    """Restitution by Newton's rule, for contacts with an impulse that approached faster than their threshold. `first`: whether
    this is the first of several iterations.
    """
    s = scratch_of(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        link = vector(s.links, LINK, k)
        if link[AT] >= 0:
            continue
        own, place = vector(s.rows, ROW, link[FIRST]), vector(s.places, PLACE, link[FIRST])
        if first:
            own[RESTORED] = 0.0
        if own[REBOUND] > -inf and own[TOTAL] > 0.0:
            a, b = vector(s.floats, BODY, place[BODY0]), vector(s.floats, BODY, place[BODY1])
            before = own[IMPULSE]
            new = max(before + own[EFFECTIVE_MASS] * (own[REBOUND] - _velocity(own, a, b, VELOCITY)), 0.0)
            own[RESTORED] += _set_impulse(own, a, b, new)


@kernel
def write_forces(tables, island, h):
    """Write the rows' forces, as means over the step."""
    s = scratch_of(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        link = vector(s.links, LINK, k)
        for r in range(link[COUNT]):
            hard = r < link[HARD]
            total = s.floats[link[AT] + blocks.TOTAL + r] if hard else vector(s.rows, ROW, link[FIRST] + r)[TOTAL]
            FORCES.rows(tables)[vector(s.places, PLACE, link[FIRST] + r)[SOURCE]] = total / h
