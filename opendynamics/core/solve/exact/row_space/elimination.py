"""Solution of an island by elimination: rows without bounds first, then the small bounded problem that remains.

    plan -> eliminate_free_rows -> phases of `friction` -> complete

Joints that form trees are eliminated body by body (`joints.trees`), other rows in an envelope.

A second solution of an island in the same step, with other biases (`impacts`), reuses the elimination of the first.

Once the free rows are known, the solution is that of one linear system, and is refined as such.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.islands import ISLAND_RECORD
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve._body_space.row_blocks import find_blocks, mark_immovable, regularised
from opendynamics.core.solve._lcp.residual import measure, report
from opendynamics.core.solve.dense import at_line, piece
from opendynamics.core.solve.exact.joints.forest import find_forest
from opendynamics.core.solve.exact.joints.trees import eliminate_joints, fill_border, floats_of_forest, load_jacobians
from opendynamics.core.solve.exact.row_space.border import eliminate_border
from opendynamics.core.solve.exact.row_space.box_lcp import INTEGERS_A_ROW, use_part
from opendynamics.core.solve.exact.row_space.envelope import DEPENDENT, factorise
from opendynamics.core.solve.exact.row_space.free_rows import reduce_right_side, substitute_free_rows
from opendynamics.core.solve.exact.row_space.matrix import (
    fill_matrix,
    find_residuals,
    lay_out,
    lay_out_border,
    load_rows,
    order_rows,
)
from opendynamics.core.solve.exact.row_space.pivoting import place_of, solve_part
from opendynamics.core.solve.exact.row_space.workspace import (
    BLOCKS,
    NOTE,
    SIZE,
    STAMP,
    X,
    Z,
    floats_needed,
    integers_needed,
    joints_in_trees,
    note_at,
    note_joints,
    use_floats,
    use_integers,
    use_trees,
    values_at,
    vectors_of_border,
)
from opendynamics.core.solve.reactions import REACTIONS_SUMMED, write_reactions
from opendynamics.core.solve.warm_starting import MAX_ISLANDS, stamp_of

# Residual that needs no refinement, and the limit of refinements of a larger one.
FINE = 1e-14
REFINEMENTS = 3

# Growth of the residual above which a refinement is taken back.
WORSE = 10.0

# Multiplications of a factorisation, in all and per row, above which body space is faster.
MAX_WORK, MAX_WORK_A_ROW = 200_000, 400

# Most bounded rows with which joints are eliminated as trees: their matrix is dense.
MAX_BORDER = 96

# Results of planning.
NO_ROOM, READY, TOO_LARGE = range(3)


@entry(types.UniTuple(types.int64, 3)(TABLES, ISLAND_RECORD))
def plan(tables, record):
    """Order the island's rows, and eliminate its joints if they form trees, or else find the envelope of all rows.

    Returns a result code, the number of values, and that of blocks.
    """
    n, bodies, bounded, joints = record.rows, record.bodies, record.bounded_rows, 0
    if not INTEGERS.has_room(tables, integers_needed(n, bodies, bounded)):
        return NO_ROOM, 0, 0
    rows, ints = ROWS.rows(tables), use_integers(tables, record)
    mark_immovable(tables, record, ints.touched)
    order_rows(rows, record.first_row, n, bounded, ints.order)
    blocks = find_blocks(rows, record.first_row, n, ints.order, ints.slots, ints.touched, ints.block, ints.block_first)
    if bounded < min(n, MAX_BORDER):
        joints = find_forest(blocks, ints.block, ints.slots, n - bounded, bodies, ints.joints, ints.marks)
    if joints > 0:
        begin = at_line(values_at(record)) - values_at(record)
        end = lay_out_border(n - bounded, n, ints.first, ints.origin, begin)
        size = end + floats_of_forest(bodies, joints)
        if not FLOATS.has_room(tables, floats_needed(n, bodies, bounded, size, end)):
            return NO_ROOM, size, blocks
        if not _eliminate_trees(tables, record, size, joints):
            joints = 0
    note_joints(tables, record, joints)
    if joints == 0:
        size = lay_out(blocks, ints.block, ints.block_first, ints.first, ints.origin)
        if _work(n, n - bounded, ints.first) > max(MAX_WORK, MAX_WORK_A_ROW * n):
            return TOO_LARGE, size, blocks
        if not FLOATS.has_room(tables, floats_needed(n, bodies, bounded, size, size)):
            return NO_ROOM, size, blocks
    return READY, size, blocks


@kernel
def _eliminate_trees(tables, record, size, joints):
    """Eliminate joints that form trees. Returns whether all pivots were far from zero."""
    ints, floats = use_integers(tables, record), use_floats(tables, record, size)
    order, slots, diagonal, cfm = ints.order, ints.slots, floats.diagonal, floats.cfm
    load_jacobians(tables, record, order, slots, floats.jacobian, floats.responses, diagonal, cfm)
    return eliminate_joints(tables, record, use_trees(tables, record, size, joints), cfm) > DEPENDENT


@kernel
def _work(n, e, first):
    """Multiplications of one factorisation."""
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
    return work


@kernel
def invalidate_elimination(tables, record):
    """Invalidate what another world, or the same one before it was restored, may have left in this memory."""
    integers, at = INTEGERS.rows(tables), note_at(record)
    if at + NOTE <= len(integers):
        integers[at + STAMP] = 0


@kernel
def reuse_elimination(tables, record, island):
    """Reuse the elimination of the island's previous solution in this step, with the present right-hand sides.

    Returns whether it is there, the number of values, and that of blocks.
    """
    needed = integers_needed(record.rows, record.bodies, record.bounded_rows)
    if record.solutions == 0 or not INTEGERS.has_room(tables, needed):
        return False, 0, 0
    note = piece(INTEGERS.rows(tables), note_at(record), NOTE)
    if note[STAMP] != stamp_of(tables, record, island) - MAX_ISLANDS:
        return False, 0, 0
    _eliminate_right_side(tables, record, note[SIZE])
    return True, note[SIZE], note[BLOCKS]


@kernel
def record_elimination(tables, record, island, size, blocks):
    """Record that the elimination can be reused by a further solution."""
    note = piece(INTEGERS.rows(tables), note_at(record), NOTE)
    note[STAMP], note[SIZE], note[BLOCKS] = stamp_of(tables, record, island), size, blocks


@entry(types.void(TABLES, ISLAND_RECORD, types.int64, types.int64))
def eliminate_free_rows(tables, record, size, blocks):
    """Fill the matrix and eliminate the rows without bounds."""
    n, row0, rows = record.rows, record.first_row, ROWS.rows(tables)
    e = n - record.bounded_rows
    ints, floats = use_integers(tables, record), use_floats(tables, record, size)
    order, slots, block, first, origin = ints.order, ints.slots, ints.block, ints.first, ints.origin
    diagonal, values, inverse_pivots = floats.diagonal, floats.values, floats.inverse_pivots
    joints = joints_in_trees(tables, record)
    if joints > 0:  # which `plan` has eliminated
        fill_border(use_trees(tables, record, size, joints), e, n, origin, values_at(record))
        for i in range(e, n):
            values[origin[i] + i] += floats.cfm[i]
    else:
        load_rows(tables, record, blocks, block, order, slots, floats.jacobian, floats.responses)
        fill_matrix(blocks, block, ints.block_first, slots, floats.jacobian, floats.responses, n, origin, values)
        for i in range(n):
            own = values[origin[i] + i]
            diagonal[i] = own + regularised(rows[row0 + order[i]].cfm, own)
            values[origin[i] + i] = diagonal[i]
        factorise(values, origin, first, e, e, inverse_pivots)
        if 0 < e < n:
            eliminate_border(values, origin, first, n, e, inverse_pivots, floats.bounded)
    _eliminate_right_side(tables, record, size)


@kernel
def _eliminate_right_side(tables, record, size):
    n, rows = record.rows, ROWS.rows(tables)
    ints, floats = use_integers(tables, record), use_floats(tables, record, size)
    for i in range(n):
        floats.z[i] = rows[record.first_row + ints.order[i]].rhs
    reduce_right_side(tables, record, size, Z)
    record.iterations = 0


@entry(types.void(TABLES, ISLAND_RECORD, types.int64, types.int64, types.int64))
def complete(tables, record, size, blocks, free_count):
    """Substitute back, refine, and write forces, reactions and residual. `free_count`: number of free bounded rows."""
    n, row0, forces = record.rows, record.first_row, FORCES.rows(tables)
    e = n - record.bounded_rows
    ints, floats = use_integers(tables, record), use_floats(tables, record, size)
    order, x, z = ints.order, floats.x, floats.z
    for i in range(e):
        x[i] = z[i]
    substitute_free_rows(tables, record, size, X)
    residual = _measure(tables, record, blocks, ints, floats)
    for _ in range(REFINEMENTS):
        if residual <= FINE:
            break
        for i in range(n):
            floats.best[i] = x[i]
        _refine(tables, record, size, free_count, ints, floats)
        refined = _measure(tables, record, blocks, ints, floats)
        if not refined <= WORSE * residual:  # rounding errors only, see `few_bodies`
            for i in range(n):
                x[i] = floats.best[i]
            _measure(tables, record, blocks, ints, floats)
            break
        residual = refined
    for i in range(n):
        forces[row0 + order[i]] = x[i]
    write_reactions(tables, record, floats.wrenches)
    record.corrected = REACTIONS_SUMMED
    report(record, residual, forces)


@kernel
def _measure(tables, record, blocks, ints, floats):
    """Compute the residuals of x and their size."""
    n, z, wrenches, y = record.rows, floats.z, floats.wrenches, floats.accelerations
    find_residuals(
        tables, record, blocks, ints.block, ints.order, ints.slots, floats.jacobian, floats.x, wrenches, y, z
    )
    return measure(n, n - record.bounded_rows, floats.diagonal, floats.lo, floats.hi, floats.x, z)


@kernel
def _refine(tables, record, size, free_count, ints, floats):
    """x += A⁻¹ residuals in the free rows."""
    x, z, lo, hi, n, bounded = floats.x, floats.z, floats.lo, floats.hi, record.rows, record.bounded_rows
    e = n - bounded
    part = use_part(piece(ints.bounded, 2 * bounded, INTEGERS_A_ROW * bounded), floats.bounded, bounded)
    free, right, vectors = part.free, part.right, vectors_of_border(tables, record)
    reduce_right_side(tables, record, size, Z)
    for k in range(free_count):
        right[place_of(part, k, vectors)] = z[e + free[k]]
    for i in range(e, n):
        z[i] = 0.0
    solve_part(part, free_count, right, vectors)
    for k in range(free_count):
        z[e + free[k]] = right[place_of(part, k, vectors)]
    substitute_free_rows(tables, record, size, Z)
    for i in range(n):
        x[i] += z[i]
        if i >= e:
            x[i] = min(max(x[i], lo[i]), hi[i])
