"""Projected Gauss-Seidel (PGS), row by row, with over-relaxation w (SOR), in scratch memory.

With a_r = J_r M⁻¹ J_rᵀ + cfm and the bodies' accelerations q = M⁻¹ Jᵀλ kept up to date,

    λ_r <- clamp(λ_r + w / a_r (rhs_r - J_r q - cfm λ_r)),

where a friction row's bounds follow the current force of its normal row. Both rows of a pair use the smaller of their effective
masses and are projected onto the friction circle, so that friction opposes sliding.

Rows that share no movable body commute, to the last bit. They are therefore arranged so that neighbours seldom share one: the
processor would wait for the result of one row before it could begin the next.

Layout of the floats: BODY numbers for the static world and for each body, then ROW numbers for each row, then CHANGES numbers for
the static world and for each body. Layout of the integers: the order of the rows, then PLACE numbers for each row, the rows as
they are arranged, and memory of `arrange_rows`. Six numbers of a body take the room of a vector of eight, whose last two are 0.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import ZERO6, add_product, piece, put8, subtract_products
from opendynamics.core.solve.friction_bounds import friction_bound
from opendynamics.core.solve.prepared import effective_mass, inverse_mass_of, projected, response

# Of a body: its acceleration; and sums of positive and of negative changes of that in an iteration.
BODY = 8
RISEN, FALLEN = range(2)
CHANGES = 2

# Of a row: J0 and J1, M⁻¹ J0ᵀ and M⁻¹ J1ᵀ (BODY each), effective mass times w, right-hand side, CFM, bounds, force,
# and the largest number of each M⁻¹ Jᵀ.
RESPONSE, EFFECTIVE_MASS, RHS, CFM, LO, HI, FORCE, LARGEST = 16, 32, 33, 34, 35, 36, 37, 38
ROW = 40

# Offsets of its bodies and its normal row in the floats (-1: none), and `row.pair`.
BODY0, BODY1, NORMAL, PAIR = range(4)
PLACE = 4

# Offset of the static world in the floats; its acceleration stays 0.
STATIC = 0


@kernel
def has_room(tables, island):
    """Whether the island fits into the scratch memory."""
    floats = (BODY + CHANGES) * (island.bodies + 1) + ROW * island.rows
    integers = (4 + PLACE) * island.rows + island.bodies + 2
    return FLOATS.has_room(tables, floats) and INTEGERS.has_room(tables, integers)


@kernel
def _changes_of(island):
    """Offset of the sums of changes in the floats."""
    return BODY * (island.bodies + 1) + ROW * island.rows


@kernel
def prepare(tables, island, relaxation):
    """Copy the rows with their responses and effective masses; forces and accelerations start at zero.

    Both bodies of a row are treated here: passing the arrays to a kernel that LLVM calls twice takes as long as their arithmetic.
    """
    floats = FLOATS.rows(tables)
    first = BODY * (island.bodies + 1)
    changes = piece(floats, _changes_of(island), CHANGES * (island.bodies + 1))
    for k in range(first):
        floats[k] = 0.0
    for k in range(CHANGES * (island.bodies + 1)):
        changes[k] = 0.0
    for r in range(island.rows):
        row = ROWS.rows(tables)[island.first_row + r]
        own = piece(floats, first + ROW * r, ROW)
        place = piece(INTEGERS.rows(tables), island.rows + PLACE * r, PLACE)
        own[RHS], own[CFM], own[LO], own[HI], own[FORCE] = row.rhs, row.cfm, row.lo, row.hi, 0.0
        diagonal = row.cfm
        for side in range(2):
            slot, j = (row.slot0, row.j0) if side == 0 else (row.slot1, row.j1)
            jacobian, responses, place[BODY0 + side] = ZERO6, ZERO6, STATIC
            if slot >= 0:
                body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
                linear, angular = response(inverse_mass_of(tables, body), j)
                diagonal += projected(j, linear, angular)
                jacobian, place[BODY0 + side] = (j[0], j[1], j[2], j[3], j[4], j[5]), BODY * (slot + 1)
                responses = linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]
            put8(own, BODY * side, jacobian)
            put8(own, RESPONSE + BODY * side, responses)
            own[LARGEST + side] = _largest(responses)
        own[EFFECTIVE_MASS] = effective_mass(diagonal, relaxation)
        place[NORMAL] = first + ROW * row.normal if row.normal >= 0 else -1
        place[PAIR] = row.pair
        if row.pair < 0:
            _share_effective_mass(piece(floats, first + ROW * (r - 1), ROW), own)


@kernel
def _largest(numbers):
    """The largest absolute value."""
    largest = 0.0
    for k in range(6):
        largest = max(largest, abs(numbers[k]))
    return largest


@kernel
def _share_effective_mass(one, two):
    one[EFFECTIVE_MASS] = two[EFFECTIVE_MASS] = min(one[EFFECTIVE_MASS], two[EFFECTIVE_MASS])


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
def arrange_rows(tables, island):
    """Arrange the rows by their level: one more than the highest among earlier rows, in their order, of the same bodies.

    The result is that of the order, as rows of one body keep it and those of one level share no body.
    """
    integers, rows = INTEGERS.rows(tables), island.rows
    arranged = piece(integers, (1 + PLACE) * rows, rows)
    level = piece(integers, (2 + PLACE) * rows, rows)
    starts = piece(integers, (3 + PLACE) * rows, rows + 1)
    free = piece(integers, (4 + PLACE) * rows + 1, island.bodies + 1)  # level of a body's next row
    for k in range(rows + 1):
        starts[k] = 0
    for k in range(island.bodies + 1):
        free[k] = 0
    for k in range(rows):
        place = piece(integers, rows + PLACE * integers[k], PLACE)
        one, two = place[BODY0] // BODY, place[BODY1] // BODY
        level[k] = max(free[one], free[two])
        free[one] = free[two] = level[k] + 1
        free[STATIC] = 0
        starts[level[k] + 1] += 1
    for k in range(rows):
        starts[k + 1] += starts[k]
    for k in range(rows):
        arranged[starts[level[k]]] = integers[k]
        starts[level[k]] += 1


@kernel
def iterate_rows(tables, island, measured):
    """One iteration over all rows, as arranged; if `measured`, sum up the changes of the bodies' accelerations."""
    floats, integers = FLOATS.rows(tables), INTEGERS.rows(tables)
    first, places = BODY * (island.bodies + 1), island.rows
    arranged = piece(integers, (1 + PLACE) * island.rows, island.rows)
    changes = piece(floats, _changes_of(island), CHANGES * (island.bodies + 1))
    for k in range(island.rows):
        r = arranged[k]
        pair = integers[places + PLACE * r + PAIR]
        if pair < 0:
            continue  # it goes with the first of its pair
        own = piece(floats, first + ROW * r, ROW)
        place = piece(integers, places + PLACE * r, PLACE)
        new = own[FORCE] + own[EFFECTIVE_MASS] * _residual(floats, own, place)
        lo, hi = own[LO], own[HI]
        if place[NORMAL] >= 0:
            normal = floats[place[NORMAL] + FORCE]
            hi = friction_bound(hi, normal)
            lo = -hi
        if pair == 0:
            _push(floats, own, place, min(max(new, lo), hi), changes, measured)
            continue
        other = piece(floats, first + ROW * (r + 1), ROW)
        other_place = piece(integers, places + PLACE * (r + 1), PLACE)
        across = other[FORCE] + other[EFFECTIVE_MASS] * _residual(floats, other, other_place)
        length = sqrt(new * new + across * across)
        if length > hi:
            new, across = new * (hi / length), across * (hi / length)
        _push(floats, own, place, new, changes, measured)
        _push(floats, other, other_place, across, changes, measured)


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
            hi = friction_bound(hi, normal)
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
    residual = own[RHS] - own[CFM] * own[FORCE]
    residual = subtract_products(residual, own, 0, floats, place[BODY0])
    if place[BODY1] != STATIC:
        residual = subtract_products(residual, own, BODY, floats, place[BODY1])
    return residual


@kernel
def _push(floats, own, place, new, changes, measured):
    """Set the row's force and apply the change of acceleration to its bodies."""
    change = new - own[FORCE]
    own[FORCE] = new
    add_product(floats, place[BODY0], change, own, RESPONSE)
    if place[BODY1] != STATIC:
        add_product(floats, place[BODY1], change, own, RESPONSE + BODY)
    if measured:
        at = RISEN if change > 0.0 else FALLEN
        for side in range(2):
            changes[CHANGES * (place[BODY0 + side] // BODY) + at] += abs(change) * own[LARGEST + side]


@kernel
def largest_change(tables, island):
    """Largest sum of changes of one sign of a body's acceleration since the last call, m/s² or rad/s²."""
    changes = piece(FLOATS.rows(tables), _changes_of(island), CHANGES * (island.bodies + 1))
    largest = 0.0
    for k in range(CHANGES * (island.bodies + 1)):
        largest = max(largest, changes[k])
        changes[k] = 0.0
    return largest


@kernel
def force_of(tables, island, r):
    return FLOATS.rows(tables)[BODY * (island.bodies + 1) + ROW * r + FORCE]


@kernel
def write_forces(tables, island):
    for r in range(island.rows):
        FORCES.rows(tables)[island.first_row + r] = force_of(tables, island, r)
