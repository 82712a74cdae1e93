"""A whole island solved in the space of bodies: for large islands, and those whose envelope is wide.

    plan_bodies -> solve_in_body_space

Both of ODE's phases, as in `row_space`: pivoting first, where it converges soon; else the interior point method, and
pivoting from where that ends.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_RECORD
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS, UNBOUNDED
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve._body_space.box_lcp import Box, approach, pivot
from opendynamics.core.solve._body_space.minimum_degree import list_neighbours, minimum_degree, sort_columns
from opendynamics.core.solve._body_space.row_blocks import find_blocks, mark_immovable, regularised
from opendynamics.core.solve._body_space.system import System, find_residuals, scale_side, take_columns, take_root
from opendynamics.core.solve._body_space.unfixed_rows import count_unfixed, return_unfixed_rows, take_unfixed_rows
from opendynamics.core.solve._body_space.workspace import (
    floats_for_bodies,
    integers_for_bodies,
    use_floats,
    use_integers,
)
from opendynamics.core.solve._lcp.active_set import FIXED, FREE
from opendynamics.core.solve._lcp.residual import measure, report
from opendynamics.core.solve.dense import dot6, piece
from opendynamics.core.solve.friction_bounds import friction_bound

FIRST_ROUNDS, FIRST_PATIENCE = 6, 0
LAST_ROUNDS, LAST_PATIENCE = 6, 1

# A friction row this narrow, relative to the widest, is fixed.
NARROW = 1e-11


@entry(types.Tuple((types.boolean, types.int64, types.int64))(TABLES, ISLAND_RECORD))
def plan_bodies(tables, record):
    """Find the blocks of rows, order the bodies, and find the blocks of the factor.

    Returns whether there is room, the number of blocks of rows, and of those of the factor below its diagonal.
    """
    n, bodies, rows = record.rows, record.bodies, ROWS.rows(tables)
    if not INTEGERS.has_room(tables, integers_for_bodies(n, bodies)):
        return False, 0, 0
    ints = use_integers(tables, record)
    order, slots, block, column, filled = ints.order, ints.slots, ints.block, ints.column, ints.filled
    mark_immovable(tables, record, filled)
    for i in range(n):
        order[i] = i
    blocks = find_blocks(rows, record.first_row, n, order, slots, filled, block, ints.coupling)
    list_neighbours(bodies, blocks, block, slots, ints.scratch, ints.neighbours)
    size = minimum_degree(bodies, ints.scratch, ints.neighbours, ints.body_order, column, ints.pattern)
    if size < 0:
        INTEGERS.has_room(tables, 2 * len(INTEGERS.rows(tables)))
        return False, 0, 0
    place = piece(ints.scratch, 0, bodies)
    sort_columns(bodies, ints.body_order, place, column, ints.pattern, ints.row, ints.row_column, ints.row_at, filled)
    for k in range(blocks):
        a, b = slots[2 * block[k]], slots[2 * block[k] + 1]
        _set_positions(k, a, b, place, column, ints.pattern, ints.positions, ints.coupling)
    return FLOATS.has_room(tables, floats_for_bodies(n, bodies, size)), blocks, size


@kernel
def _set_positions(k, a, b, place, column, pattern, positions, coupling):
    """Write the places of block k's bodies in the order of elimination, and the factor's block that couples them."""
    positions[2 * k] = place[a] if a >= 0 else -1
    positions[2 * k + 1] = place[b] if b >= 0 else -1
    coupling[k] = 0
    if a >= 0 and b >= 0 and a != b:
        early, late = min(place[a], place[b]), max(place[a], place[b])
        while pattern[column[early] + coupling[k]] != late:
            coupling[k] += 1


@kernel
def open_island(tables, record, blocks, pattern_size):
    """The system and the box of what `plan_bodies` has laid out, with Ĵ filled in."""
    ints, floats = use_integers(tables, record), use_floats(tables, record, pattern_size)
    system = System(
        blocks,
        ints.block,
        ints.positions,
        ints.coupling,
        floats.scaled,
        floats.columns,
        record.bodies,
        ints.column,
        ints.pattern,
        ints.row,
        ints.row_column,
        ints.row_at,
        ints.filled,
        floats.diagonal,
        floats.panels,
    )
    box = Box(
        floats.b,
        floats.cfm,
        floats.row_diagonal,
        floats.lo,
        floats.hi,
        floats.x,
        ints.state,
        floats.residuals,
        floats.y,
    )
    _take_roots(tables, record, floats.roots)
    _scale_rows(tables, record, ints.slots, floats.roots, floats.scaled)
    take_columns(blocks, ints.block, floats.scaled, floats.columns)
    return system, box


@kernel
def solve_in_body_space(tables, record, blocks, pattern_size):
    """Solve what `plan_bodies` has laid out; writes the forces and the record's report."""
    n, row0, forces = record.rows, record.first_row, FORCES.rows(tables)
    floats = use_floats(tables, record, pattern_size)
    system, box = open_island(tables, record, blocks, pattern_size)
    spare = use_integers(tables, record).slots  # which the system has taken
    frictional = load_rows(tables, record, floats.scaled, box)
    record.iterations = 0
    residual = 0.0
    easy = True
    for phase in range(2 if frictional else 1):
        if phase == 1:
            freeze_friction(tables, record, box)
        rounds, easy = solve_phase(system, box, floats.vectors, floats.best, spare, easy)
        record.iterations += rounds
        far = measure(n, 0, box.diagonal, box.lo, box.hi, box.x, box.residuals)
        residual = max(residual, far) if far == far else far
    for i in range(n):
        forces[row0 + i] = box.x[i]
    report(record, residual, forces)


@kernel
def solve_phase(system, box, vectors, best, spare, easy):
    """Solve the box LCP, by pivoting first if that is `easy`. Returns the rounds, and whether it was.

    `vectors`, `best` and `spare`: scratch, see `workspace`; of the integers, two a row.
    """
    unfixed, rounds = count_unfixed(box), 0
    part, own = system, box
    if unfixed < len(box.x):
        part, own = take_unfixed_rows(system, box, unfixed, vectors, spare)
    if easy:
        rounds, easy = pivot(part, own, vectors, FIRST_ROUNDS, FIRST_PATIENCE)
    if not easy:
        rounds += _solve_hard(part, own, vectors, best)
    if unfixed < len(box.x):
        return_unfixed_rows(system, box, own)
    return rounds, easy


@kernel
def _take_roots(tables, record, roots):
    for k in range(record.bodies):
        body = ISLAND_BODIES.rows(tables)[record.first_body + k]
        inverse_mass, inverse = MOTIONS.rows(tables)[body].inverse_mass, INERTIAS.rows(tables)[body].world_inverse
        take_root(inverse_mass, inverse, piece(roots, 7 * k, 7))


@kernel
def _scale_rows(tables, record, slots, roots, scaled):
    for i in range(record.rows):
        row = ROWS.rows(tables)[record.first_row + i]
        a, b = slots[2 * i], slots[2 * i + 1]
        for k in range(12 * i, 12 * i + 12):
            scaled[k] = 0.0
        if a >= 0:
            scale_side(row.j0, piece(roots, 7 * a, 7), scaled, 12 * i)
        if b >= 0:
            scale_side(row.j1, piece(roots, 7 * b, 7), scaled, 12 * i + 6)


@kernel
def load_rows(tables, record, scaled, box):
    """Right-hand sides, diagonal, and the bounds of the first phase. True: there will be a second one."""
    frictional = False
    b, cfm, diagonal, lo, hi, state = box.b, box.cfm, box.diagonal, box.lo, box.hi, box.state
    for i in range(record.rows):
        row = ROWS.rows(tables)[record.first_row + i]
        alone = dot6(scaled, 12 * i, scaled, 12 * i) + dot6(scaled, 12 * i + 6, scaled, 12 * i + 6)
        cfm[i] = regularised(row.cfm, alone)
        diagonal[i] = alone + cfm[i]
        b[i] = row.rhs
        lo[i], hi[i], state[i] = row.lo, row.hi, FREE
        if row.normal >= 0:
            lo[i], hi[i], state[i] = 0.0, 0.0, FIXED
            frictional = True
        if not diagonal[i] > 0.0:
            lo[i] = hi[i] = min(max(0.0, lo[i]), hi[i])
        if not lo[i] < hi[i]:
            state[i] = FIXED
    return frictional


@kernel
def _solve_hard(system, box, vectors, best):
    x, lo, hi, diagonal, residuals = box.x, box.lo, box.hi, box.diagonal, box.residuals
    n = len(x)
    rounds = approach(system, box, vectors)
    for i in range(n):
        best[i] = min(max(x[i], lo[i]), hi[i])
    before = measure(n, 0, diagonal, lo, hi, x, residuals)
    more, _ = pivot(system, box, vectors, LAST_ROUNDS, LAST_PATIENCE)
    for i in range(n):
        x[i] = min(max(x[i], lo[i]), hi[i])
    find_residuals(system, box.b, box.cfm, x, box.y, residuals)
    if not measure(n, 0, diagonal, lo, hi, x, residuals) <= before:
        for i in range(n):
            x[i] = best[i]
        find_residuals(system, box.b, box.cfm, x, box.y, residuals)
    return rounds + more


@kernel
def freeze_friction(tables, record, box):
    """Set the bounds that depend on a normal force, from the forces in `box.x`. Their rows start free."""
    n, x, lo, hi, diagonal, state = record.rows, box.x, box.lo, box.hi, box.diagonal, box.state
    widest = 0.0
    for i in range(n):
        row = ROWS.rows(tables)[record.first_row + i]
        if row.normal >= 0:
            hi[i] = friction_bound(row.hi, x[row.normal])
            if hi[i] < UNBOUNDED:
                widest = max(widest, hi[i])
    for i in range(n):
        if ROWS.rows(tables)[record.first_row + i].normal >= 0:
            state[i] = FREE if hi[i] > NARROW * widest and diagonal[i] > 0.0 else FIXED
            if state[i] == FIXED:
                hi[i] = 0.0
            lo[i] = -hi[i]
