"""Projected Gauss-Seidel (PGS), row by row, with over-relaxation w (SOR), in scratch memory.

With a_r = J_r M⁻¹ J_rᵀ + cfm and the bodies' accelerations q = M⁻¹ Jᵀλ kept up to date,

    λ_r <- clamp(λ_r + w / a_r (rhs_r - J_r q - cfm λ_r)),

where a friction row's bounds follow the current force of its normal row. Both rows of a pair use the smaller of their effective
masses and are projected onto the friction circle, so that friction opposes sliding.

Layout of the floats: a record of BODY numbers for each body and one for the static world, then ROW numbers for each row. Layout
of the integers: the order of the rows, then PLACE numbers for each row.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.prepared import effective_mass, inverse_mass_of, projected, response

# Of a body: acceleration 6; sums of positive and of negative changes in an iteration.
BODY, RISEN, FALLEN = 8, 6, 7

# Of a row: J0 and J1 (6 each), M⁻¹ J0ᵀ and M⁻¹ J1ᵀ (6 each), effective mass times w, right-hand side, CFM, bounds, force,
# and the largest number of each M⁻¹ Jᵀ.
RESPONSE, EFFECTIVE_MASS, RHS, CFM, LO, HI, FORCE, LARGEST = 12, 24, 25, 26, 27, 28, 29, 30
ROW = 32

# Offsets of its bodies and its normal row in the floats (-1: none), and `row.pair`.
BODY0, BODY1, NORMAL, PAIR = range(4)
PLACE = 4


@kernel
def has_room(tables, island):
    """Whether the island fits into the scratch memory."""
    floats = BODY * (island.bodies + 1) + ROW * island.rows
    return FLOATS.has_room(tables, floats) and INTEGERS.has_room(tables, (1 + PLACE) * island.rows)


@kernel
def prepare(tables, island, relaxation):
    """Copy the rows with their responses and effective masses; forces and accelerations start at zero."""
    floats = FLOATS.rows(tables)
    first = BODY * (island.bodies + 1)
    for k in range(first):
        floats[k] = 0.0
    for r in range(island.rows):
        row = ROWS.rows(tables)[island.first_row + r]
        own = piece(floats, first + ROW * r, ROW)
        place = piece(INTEGERS.rows(tables), island.rows + PLACE * r, PLACE)
        own[RHS], own[CFM], own[LO], own[HI], own[FORCE] = row.rhs, row.cfm, row.lo, row.hi, 0.0
        diagonal = row.cfm + _load_side(tables, island, row.slot0, row.j0, own, place, 0)
        diagonal += _load_side(tables, island, row.slot1, row.j1, own, place, 1)
        own[EFFECTIVE_MASS] = effective_mass(diagonal, relaxation)
        place[NORMAL] = first + ROW * row.normal if row.normal >= 0 else -1
        place[PAIR] = row.pair
        if row.pair < 0:
            _share_effective_mass(piece(floats, first + ROW * (r - 1), ROW), own)


@kernel
def _share_effective_mass(one, two):
    one[EFFECTIVE_MASS] = two[EFFECTIVE_MASS] = min(one[EFFECTIVE_MASS], two[EFFECTIVE_MASS])


@kernel
def _load_side(tables, island, slot, j, own, place, side):
    """Write J and M⁻¹ Jᵀ of one body to the row's record; returns J M⁻¹ Jᵀ."""
    jacobian, responses = piece(own, 6 * side, 6), piece(own, RESPONSE + 6 * side, 6)
    if slot < 0:
        place[BODY0 + side] = BODY * island.bodies
        for k in range(6):
            jacobian[k] = responses[k] = 0.0
        own[LARGEST + side] = 0.0
        return 0.0
    place[BODY0 + side] = BODY * slot
    body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
    linear, angular = response(inverse_mass_of(tables, body), j)
    largest = 0.0
    for k in range(3):
        responses[k], responses[3 + k] = linear[k], angular[k]
        largest = max(largest, max(abs(linear[k]), abs(angular[k])))
    for k in range(6):
        jacobian[k] = j[k]
    own[LARGEST + side] = largest
    return projected(j, linear, angular)


@kernel
def order_rows(tables, island):
    """Order the rows: those that depend on no other first, friction after them."""
    order = INTEGERS.rows(tables)
    count = 0
    for depends in range(2):
        for r in range(island.rows):
            if (order[island.rows + PLACE * r + NORMAL] >= 0) == (depends == 1):
                order[count] = r
                count += 1


@kernel
def iterate_rows(tables, island, measured):
    """One iteration over all rows, in order; if `measured`, sum up the changes of the bodies' accelerations."""
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    first, places = BODY * (island.bodies + 1), island.rows
    for k in range(island.rows):
        r = integers[k]
        pair = integers[places + PLACE * r + PAIR]
        if pair < 0:
            continue  # it goes with the first of its pair
        own = piece(floats, first + ROW * r, ROW)
        place = piece(integers, places + PLACE * r, PLACE)
        new = own[FORCE] + own[EFFECTIVE_MASS] * _residual(floats, own, place)
        lo, hi = own[LO], own[HI]
        if place[NORMAL] >= 0:
            normal = floats[place[NORMAL] + FORCE]
            hi = abs(hi * normal) if normal != 0.0 else 0.0
            lo = -hi
        if pair == 0:
            _push(floats, own, place, min(max(new, lo), hi), measured)
            continue
        other = piece(floats, first + ROW * (r + 1), ROW)
        other_place = piece(integers, places + PLACE * (r + 1), PLACE)
        across = other[FORCE] + other[EFFECTIVE_MASS] * _residual(floats, other, other_place)
        length = sqrt(new * new + across * across)
        if length > hi:
            new, across = new * (hi / length), across * (hi / length)
        _push(floats, own, place, new, measured)
        _push(floats, other, other_place, across, measured)


@kernel
def measure_rows(tables, island, relaxation):
    """Residual of the natural map: force change if each row, or pair, were solved by itself, relative to the largest force.

    `relaxation` is that of `prepare`.
    """
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    first, places = BODY * (island.bodies + 1), island.rows
    farthest = largest = 0.0
    for r in range(island.rows):
        own = piece(floats, first + ROW * r, ROW)
        place = piece(integers, places + PLACE * r, PLACE)
        if place[PAIR] < 0:
            continue
        lo, hi = own[LO], own[HI]
        if place[NORMAL] >= 0:
            normal = floats[place[NORMAL] + FORCE]
            hi = abs(hi * normal) if normal != 0.0 else 0.0
            lo = -hi
        goal = own[FORCE] + own[EFFECTIVE_MASS] / relaxation * _residual(floats, own, place)
        if place[PAIR] == 0:
            jump = abs(min(max(goal, lo), hi) - own[FORCE])
        else:
            other = piece(floats, first + ROW * (r + 1), ROW)
            other_place = piece(integers, places + PLACE * (r + 1), PLACE)
            across = other[FORCE] + other[EFFECTIVE_MASS] / relaxation * _residual(floats, other, other_place)
            length = sqrt(goal * goal + across * across)
            share = hi / length if length > hi else 1.0
            jump = max(abs(goal * share - own[FORCE]), abs(across * share - other[FORCE]))
            largest = max(largest, abs(other[FORCE]))
        farthest, largest = max(farthest, jump), max(largest, abs(own[FORCE]))
    return farthest / largest if largest > 0.0 else farthest


@kernel
def _residual(floats, own, place):
    """rhs - J q - cfm λ."""
    one, two = piece(floats, place[BODY0], 6), piece(floats, place[BODY1], 6)
    residual = own[RHS] - own[CFM] * own[FORCE]
    for k in range(6):
        residual -= own[k] * one[k]
    for k in range(6):
        residual -= own[6 + k] * two[k]
    return residual


@kernel
def _push(floats, own, place, new, measured):
    """Set the row's force and apply the change of acceleration to its bodies."""
    change = new - own[FORCE]
    own[FORCE] = new
    one, two = piece(floats, place[BODY0], BODY), piece(floats, place[BODY1], BODY)
    for k in range(6):
        one[k] += change * own[RESPONSE + k]
    for k in range(6):
        two[k] += change * own[RESPONSE + 6 + k]
    if measured:
        at = RISEN if change > 0.0 else FALLEN
        one[at] += abs(change) * own[LARGEST]
        two[at] += abs(change) * own[LARGEST + 1]


@kernel
def largest_change(tables, island):
    """Largest sum of changes of one sign of a body's acceleration since the last call, m/s² or rad/s²."""
    floats = FLOATS.rows(tables)
    largest = 0.0
    for b in range(island.bodies):
        body = piece(floats, BODY * b, BODY)
        largest = max(largest, max(body[RISEN], body[FALLEN]))
        body[RISEN] = body[FALLEN] = 0.0
    return largest


@kernel
def force_of(tables, island, r):
    return FLOATS.rows(tables)[BODY * (island.bodies + 1) + ROW * r + FORCE]


@kernel
def write_forces(tables, island):
    for r in range(island.rows):
        FORCES.rows(tables)[island.first_row + r] = force_of(tables, island, r)
