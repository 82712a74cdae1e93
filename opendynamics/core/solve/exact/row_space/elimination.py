"""An island solved by elimination: rows without bounds first, then the small bounded problem that remains.

    plan -> prepare -> solve_stages -> finish

With its free rows known the whole is one linear system, and is refined as such.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.kernels import kernel, version_kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.residual import measure, report
from opendynamics.core.solve.exact.row_space.box_lcp import INTEGERS_A_ROW
from opendynamics.core.solve.exact.row_space.envelope import eliminate, factorise, substitute
from opendynamics.core.solve.exact.row_space.friction import stages_with
from opendynamics.core.solve.exact.row_space.matrix import (
    fill_matrix,
    find_blocks,
    find_misfit,
    lay_out,
    load_rows,
    mark_immovable,
    order_rows,
    softness,
)
from opendynamics.core.solve.exact.row_space.pivoting import solve_part, use_part
from opendynamics.core.solve.exact.row_space.workspace import floats_needed, integers_needed, use_floats, use_integers

# Pivots that stay above this part of their diagonal lose too few digits for a refinement to be worth its time.
HEALTHY = 1e-5

# A residual that needs no refinement, and how often a larger one is refined.
FINE = 1e-14
REFINEMENTS = 3

# Multiplications that a factorisation may take, in all or a row, before the space of bodies is the better one.
MOST_WORK, MOST_WORK_A_ROW = 200_000, 400

# How elimination ended.
NO_ROOM, DONE, UNSOLVED, TOO_LARGE = range(4)


def eliminate_with(solve_bounded):
    """A kernel that solves an island by elimination, its bounded rows by `solve_bounded`, and says how that ended."""
    solve_stages = stages_with(solve_bounded)

    def eliminate_island(tables, island):
        record = ISLANDS.rows(tables)[island]
        n, bodies, bounded = record.rows, record.bodies, record.bounded_rows
        if not INTEGERS.has_room(tables, integers_needed(n, bodies, bounded)):
            return NO_ROOM
        rows, forces, integers = ROWS.rows(tables), FORCES.rows(tables), INTEGERS.rows(tables)
        body_of, motions = ISLAND_BODIES.rows(tables), MOTIONS.rows(tables)
        size, blocks, work = _plan(rows, record, body_of, motions, integers)
        if work > max(MOST_WORK, MOST_WORK_A_ROW * n):
            return TOO_LARGE
        if not FLOATS.has_room(tables, floats_needed(n, bodies, bounded, size)):
            return NO_ROOM
        floats = FLOATS.rows(tables)
        worst = _prepare(rows, record, body_of, motions, INERTIAS.rows(tables), size, blocks, integers, floats)
        members = 0
        if bounded > 0:
            solved, members, worst_free = solve_stages(rows, record, size, forces, integers, floats)
            if not solved:
                return UNSOLVED
            worst = min(worst, worst_free)
        _finish(rows, record, size, worst, members, forces, integers, floats)
        return DONE

    return version_kernel(eliminate_island, solve_bounded)


@kernel
def _plan(rows, record, body_of, motions, integers):
    """Order the island's rows and find their envelope.

    Returns its size, the number of blocks, and how many multiplications one factorisation takes.
    """
    n, bodies = record.rows, record.bodies
    order, slots, block, block_first, first, origin, touched, _ = use_integers(n, bodies, integers)
    mark_immovable(record, body_of, motions, touched)
    order_rows(rows, record.first_row, n, record.bounded_rows, order)
    blocks = find_blocks(rows, record.first_row, n, order, slots, touched, block, block_first)
    size = lay_out(blocks, block, block_first, first, origin)
    e = n - record.bounded_rows
    work, widest = 0, 0
    for i in range(n):
        width, border = e - first[i], i - max(first[i], e)
        if i < e:
            width = i - first[i]
            widest = max(widest, width)
            work += width * width // 2
        elif width > 0:
            work += width * (min(width, widest) + border)
        work += border * border // 2 if border > 0 else 0
    return size, blocks, work


@kernel
def _prepare(rows, record, body_of, motions, inertias, size, blocks, integers, floats):
    """Fill the matrix and eliminate the rows without bounds. Returns their smallest relative pivot."""
    n, bodies, row0 = record.rows, record.bodies, record.first_row
    e = n - record.bounded_rows
    order, slots, block, block_first, first, origin, _, _ = use_integers(n, bodies, integers)
    _, z, _, _, inverse_pivots, diagonal, jacobian, response, _, values, _ = use_floats(n, bodies, size, floats)
    load_rows(rows, record, body_of, motions, inertias, blocks, block, order, slots, jacobian, response)
    for i in range(n):
        z[i] = rows[row0 + order[i]].rhs
    fill_matrix(blocks, block, block_first, slots, jacobian, response, origin, values)
    for i in range(n):
        own = values[origin[i] + i]
        diagonal[i] = own + softness(rows[row0 + order[i]].cfm, own)
        values[origin[i] + i] = diagonal[i]
    worst = factorise(values, origin, first, n, e, inverse_pivots)
    eliminate(values, origin, first, n, e, z)
    record.iterations = 0
    return worst


@kernel
def _finish(rows, record, size, worst, members, forces, integers, floats):
    """Substitute back, refine, and write the forces and the residual."""
    n, bodies, bounded, row0 = record.rows, record.bodies, record.bounded_rows, record.first_row
    e = n - bounded
    order, slots, _, _, first, origin, _, border = use_integers(n, bodies, integers)
    x, z, lo, hi, inverse_pivots, diagonal, jacobian, response, y, values, rest = use_floats(n, bodies, size, floats)
    for i in range(e):
        x[i] = z[i]
    substitute(values, origin, first, n, e, inverse_pivots, x)
    find_misfit(rows, row0, n, order, slots, jacobian, response, x, y, z)
    residual = measure(n, e, diagonal, lo, hi, x, z)
    for attempt in range(REFINEMENTS):
        if residual <= FINE and (attempt > 0 or worst > HEALTHY):
            break
        _refine(n, bounded, members, values, origin, first, inverse_pivots, border, rest, x, z, lo, hi)
        find_misfit(rows, row0, n, order, slots, jacobian, response, x, y, z)
        residual = measure(n, e, diagonal, lo, hi, x, z)
    for i in range(n):
        forces[row0 + order[i]] = x[i]
    report(record, residual, forces)


@kernel
def _refine(n, bounded, members, values, origin, first, inverse_pivots, border, floats, x, z, lo, hi):
    """x += A⁻¹ misfit in the free rows."""
    e = n - bounded
    free, _, part_origin, part_first, pull, part_pivots, _, _, _, part = use_part(
        bounded, piece(border, 2 * bounded, INTEGERS_A_ROW * bounded), floats
    )
    eliminate(values, origin, first, n, e, z)
    for k in range(members):
        pull[k] = z[e + free[k]]
    for i in range(e, n):
        z[i] = 0.0
    solve_part(part, part_origin, part_first, members, part_pivots, pull)
    for k in range(members):
        z[e + free[k]] = pull[k]
    substitute(values, origin, first, n, e, inverse_pivots, z)
    for i in range(n):
        x[i] += z[i]
        if i >= e:
            x[i] = min(max(x[i], lo[i]), hi[i])
