"""An island's rows and the matrix A = J M⁻¹ Jᵀ + cfm of their couplings, in an envelope.

Rows are taken in the island's order, those without bounds before the others. Neighbours that act on the same two
bodies make a block: two blocks are coupled if they share a body, and then all their rows are.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve.dense import dot6, piece
from opendynamics.core.solve.prepared import inverse_mass_of, response


@kernel
def order_rows(rows, row0, n, bounded, order):
    """Fill `order` with the island's rows, the `bounded` ones last."""
    free, held = 0, n - bounded
    for k in range(n):
        row = rows[row0 + k]
        if bounded > 0 and is_bounded(row):
            order[held] = k
            held += 1
        else:
            order[free] = k
            free += 1


@kernel
def lay_out(blocks, block, block_first, first, origin):
    """Where each row's envelope begins and stands; returns the room that all of them take."""
    size = 0
    for k in range(blocks):
        begin = block[block_first[k]]
        for i in range(block[k], block[k + 1]):
            first[i] = begin
            origin[i] = size - begin
            size += i - begin + 1
    return size


@kernel
def load_rows(tables, record, blocks, block, order, slots, jacobian, responses):
    """Copy the Jacobians in their new order, and multiply them by M⁻¹ (`responses`)."""
    rows, row0, body_of = ROWS.rows(tables), record.first_row, ISLAND_BODIES.rows(tables)
    for k in range(blocks):
        begin, end = block[k], block[k + 1]
        a, b = slots[2 * begin], slots[2 * begin + 1]
        if a >= 0:
            inverse_mass = inverse_mass_of(tables, body_of[record.first_body + a])
            for i in range(begin, end):
                _load(rows[row0 + order[i]].j0, inverse_mass, jacobian, responses, 12 * i)
        if b >= 0:
            inverse_mass = inverse_mass_of(tables, body_of[record.first_body + b])
            for i in range(begin, end):
                _load(rows[row0 + order[i]].j1, inverse_mass, jacobian, responses, 12 * i + 6)


@kernel
def _load(j, inverse_mass, jacobian, responses, at):
    to, out = piece(jacobian, at, 6), piece(responses, at, 6)
    linear, angular = response(inverse_mass, j)
    for k in range(6):
        to[k] = j[k]
    out[0], out[1], out[2] = linear
    out[3], out[4], out[5] = angular


@kernel
def fill_matrix(blocks, block, block_first, slots, jacobian, responses, origin, values):
    """J M⁻¹ Jᵀ into the envelope, without its cfm."""
    for k in range(blocks):
        i0, i1 = block[k], block[k + 1]
        for other in range(block_first[k], k + 1):
            j0, j1 = block[other], block[other + 1]
            fresh = True
            for side_i in range(2):
                slot = slots[2 * i0 + side_i]
                for side_j in range(2):
                    if slot >= 0 and slot == slots[2 * j0 + side_j]:
                        _add_products(
                            values, origin, jacobian, responses, i0, i1, j0, j1, 6 * side_i, 6 * side_j, fresh
                        )
                        fresh = False
            if fresh:
                for i in range(i0, i1):
                    for j in range(j0, min(j1, i + 1)):
                        values[origin[i] + j] = 0.0


@fast_kernel
def _add_products(values, origin, jacobian, responses, i0, i1, j0, j1, side_i, side_j, fresh):
    """Add the products of two blocks' rows for one body that both act on; to zero, if `fresh`."""
    for i in range(i0, i1):
        mine = piece(jacobian, 12 * i + side_i, 6)
        a, b, c, d, e, f = mine[0], mine[1], mine[2], mine[3], mine[4], mine[5]
        last = min(j1, i + 1)
        target = piece(values, origin[i] + j0, last - j0)
        others = piece(responses, 12 * j0 + side_j, 12 * (last - j0))
        for j in range(last - j0):
            at = 12 * j
            value = (
                a * others[at]
                + b * others[at + 1]
                + c * others[at + 2]
                + d * others[at + 3]
                + e * others[at + 4]
                + f * others[at + 5]
            )
            target[j] = value if fresh else target[j] + value


@kernel
def find_residuals(rows, row0, n, order, slots, jacobian, responses, x, y, residuals):
    """residuals <- b - A x, through y = M⁻¹ Jᵀ x, six numbers a body."""
    for k in range(len(y)):
        y[k] = 0.0
    for i in range(n):
        for side in range(2):
            slot = slots[2 * i + side]
            if slot >= 0:
                for k in range(6):
                    y[6 * slot + k] += responses[12 * i + 6 * side + k] * x[i]
    for i in range(n):
        row = rows[row0 + order[i]]
        value = row.rhs - row.cfm * x[i]
        for side in range(2):
            slot = slots[2 * i + side]
            if slot >= 0:
                value -= dot6(jacobian, 12 * i + 6 * side, y, 6 * slot)
        residuals[i] = value
