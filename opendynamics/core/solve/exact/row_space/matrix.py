"""The matrix A = J M⁻¹ Jᵀ + cfm of an island's rows, in an envelope.

Rows without bounds come first, in the reverse of the island's order: it begins with a body in the middle of a tree and ends at
the leaves, and elimination from the leaves fills in less. Bounded rows keep the island's order. Consecutive rows that act on the
same two bodies form a block: two blocks are coupled if they share a body, and then all their rows are.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import ZERO6, dot_sides, piece, push_bodies, put6
from opendynamics.core.solve.exact.row_space.simd import FEW, LANES, row_coupler
from opendynamics.core.solve.prepared import inverse_mass_of, response

couple, couple_by_both = row_coupler(LANES, False), row_coupler(LANES, True)
couple_few, couple_few_by_both = row_coupler(FEW, False), row_coupler(FEW, True)


@kernel
def order_rows(rows, row0, n, bounded, order):
    """Fill `order` with the island's rows, the `bounded` ones last."""
    free, held = n - bounded, n - bounded
    for k in range(n):
        row = rows[row0 + k]
        if bounded > 0 and is_bounded(row):
            order[held] = k
            held += 1
        else:
            free -= 1
            order[free] = k


@kernel
def lay_out(blocks, block, block_first, first, origin):
    """Compute first column and offset of each row's envelope, padded by a vector; returns the total size."""
    size = 0
    for k in range(blocks):
        begin = block[block_first[k]]
        for i in range(block[k], block[k + 1]):
            first[i] = begin
            origin[i] = size - begin
            size += i - begin + LANES
    return size


@kernel
def lay_out_border(eliminated, n, first, origin, begin):
    """`lay_out` for the bounded rows alone, as a square matrix of whole vectors at `begin`. Returns where it ends."""
    width = (n - eliminated + LANES - 1) // LANES * LANES
    for i in range(eliminated, n):
        first[i] = eliminated
        origin[i] = begin + width * (i - eliminated) - eliminated
    return begin + width * (n - eliminated)


@kernel
def load_rows(tables, record, blocks, block, order, slots, jacobian, responses):
    """Copy the Jacobians in their new order, zeros for immovable bodies, and multiply them by M⁻¹ (`responses`)."""
    n = record.rows
    rows, row0, body_of = ROWS.rows(tables), record.first_row, ISLAND_BODIES.rows(tables)
    for k in range(blocks):
        begin, end = block[k], block[k + 1]
        for side in range(2):
            slot = slots[2 * begin + side]
            if slot < 0:
                for i in range(begin, end):
                    put6(jacobian, 12 * i + 6 * side, ZERO6)
                continue
            inverse_mass = inverse_mass_of(tables, body_of[record.first_body + slot])
            for i in range(begin, end):
                row = rows[row0 + order[i]]
                _load(row.j0 if side == 0 else row.j1, inverse_mass, jacobian, responses, n, i, side)


@kernel
def _load(j, inverse_mass, jacobian, responses, n, i, side):
    linear, angular = response(inverse_mass, j)
    put6(jacobian, 12 * i + 6 * side, (j[0], j[1], j[2], j[3], j[4], j[5]))
    for k in range(3):
        responses[n * (6 * side + k) + i] = linear[k]
        responses[n * (6 * side + 3 + k) + i] = angular[k]


@kernel
def fill_matrix(blocks, block, block_first, slots, jacobian, responses, n, origin, values):
    """Write J M⁻¹ Jᵀ to the envelope, without its cfm.

    Up to LANES numbers of a row are stored at once. Those beyond the end of a block are overwritten later; those beyond the
    diagonal, fewer than LANES, are padding.
    """
    for k in range(blocks):
        first, end = block[k], block[k + 1]
        a, b = slots[2 * first], slots[2 * first + 1]
        for other in range(block_first[k], k + 1):
            j, last = block[other], block[other + 1]
            c, d = slots[2 * j], slots[2 * j + 1]
            if a >= 0 and a == c and b == d:
                while j < last:
                    j = _couple_same(values, origin, first, end, jacobian, responses, n, j, last, b >= 0)
            else:
                fresh = 1
                for side in range(2):
                    slot = a if side == 0 else b
                    if slot >= 0 and (slot == c or slot == d):
                        there = 0 if slot == c else 6
                        _couple(values, origin, first, end, jacobian, 6 * side, responses, n, j, last, there, fresh)
                        fresh = 0
                if fresh:
                    for i in range(first, end):
                        for m in range(j, min(last, i + 1)):
                            values[origin[i] + m] = 0.0


@kernel
def _couple_same(values, origin, first, end, jacobian, responses, n, j, last, both):
    """Couplings of rows of the same two bodies, some columns. Returns the first remaining column."""
    begin = max(first, j)
    if both and last - j <= FEW:
        couple_few_by_both(values, origin, begin, end, jacobian, 0, responses, n, j, 0, 1)
        return j + FEW
    if both:
        couple_by_both(values, origin, begin, end, jacobian, 0, responses, n, j, 0, 1)
        return j + LANES
    couple(values, origin, begin, end, jacobian, 0, responses, n, j, 0, 1)
    return j + LANES


@kernel
def _couple(values, origin, first, end, jacobian, own, responses, n, j, last, other, fresh):
    """Couplings of rows that share one body."""
    if last - j <= FEW:
        couple_few(values, origin, first, end, jacobian, own, responses, n, j, other, fresh)
        return
    for m in range(j, last, LANES):
        couple(values, origin, max(first, m), end, jacobian, own, responses, n, m, other, fresh)


@kernel
def find_residuals(tables, record, blocks, block, order, slots, jacobian, x, wrenches, y, residuals):
    """residuals <- b - A x, by the bodies' Jᵀ x and y = M⁻¹ Jᵀ x, six numbers each, and six for immovable bodies."""
    rows, row0, bodies = ROWS.rows(tables), record.first_row, record.bodies
    for k in range(6 * (bodies + 1)):
        wrenches[k] = y[k] = 0.0
    for k in range(blocks):
        a, b = _places(slots, block[k], bodies)
        push_bodies(wrenches, a, b, jacobian, 12, x, block[k], block[k + 1])
    for slot in range(bodies):
        body, own = ISLAND_BODIES.rows(tables)[record.first_body + slot], piece(wrenches, 6 * slot, 6)
        linear, angular = response(inverse_mass_of(tables, body), own)
        put6(y, 6 * slot, (linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]))
    for k in range(blocks):
        a, b = _places(slots, block[k], bodies)
        for i in range(block[k], block[k + 1]):
            row = rows[row0 + order[i]]
            moved = dot_sides(jacobian, 12 * i, piece(y, a, 6), piece(y, b, 6), 0)
            residuals[i] = row.rhs - row.cfm * x[i] - moved


@kernel
def _places(slots, i, bodies):
    """Offsets of a row's two bodies."""
    a, b = slots[2 * i], slots[2 * i + 1]
    return 6 * (a if a >= 0 else bodies), 6 * (b if b >= 0 else bodies)
