"""A whole island solved in the space of bodies: for large islands, and those whose envelope is wide.

    plan_bodies -> solve_in_body_space

Both of ODE's stages, as in `elimination`: pivoting first, where it ends soon; else the interior point method, and
pivoting from where that ends.
"""

from __future__ import annotations

from opendynamics.core.arrays.rows import UNBOUNDED
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import dot6, piece
from opendynamics.core.solve.exact.active_set import FIXED, FREE
from opendynamics.core.solve.exact.body_space.box_lcp import approach_sparsely, pivot_sparsely
from opendynamics.core.solve.exact.body_space.minimum_degree import VECTORS as ORDER_VECTORS
from opendynamics.core.solve.exact.body_space.minimum_degree import list_neighbours, minimum_degree, sort_columns
from opendynamics.core.solve.exact.body_space.system import find_body_misfit, scale_side, take_root
from opendynamics.core.solve.exact.interior_point import VECTORS
from opendynamics.core.solve.exact.residual import measure, report
from opendynamics.core.solve.exact.row_space.matrix import find_blocks, mark_immovable, softness

FIRST_ROUNDS, FIRST_PATIENCE = 6, 0
LAST_ROUNDS, LAST_PATIENCE = 6, 1

# A friction row this narrow, in units of the widest, has no play.
NARROW = 1e-11


@kernel
def integers_for_bodies(n, bodies):
    """Integers that are likely to be enough."""
    return 12 * n + (10 + ORDER_VECTORS) * bodies + 3


@kernel
def floats_for_bodies(n, bodies, pattern, longest):
    return (20 + VECTORS) * n + 49 * bodies + 36 * pattern + max(36 * longest, 144)


@kernel
def _use_integers(n, bodies, integers):
    """Rows' order, slots, blocks, seats, homes, states, neighbours; bodies' order, column, row, filled; scratch, rest."""
    bodily = 10 * n + 1
    before = bodily + 4 * bodies + 2 + ORDER_VECTORS * bodies
    return (
        piece(integers, 0, n),
        piece(integers, n, 2 * n),
        piece(integers, 3 * n, n + 1),
        piece(integers, 4 * n + 1, 2 * n),
        piece(integers, 6 * n + 1, n),
        piece(integers, 7 * n + 1, n),
        piece(integers, 8 * n + 1, 2 * n),
        piece(integers, bodily, bodies),
        piece(integers, bodily + bodies, bodies + 1),
        piece(integers, bodily + 2 * bodies + 1, bodies + 1),
        piece(integers, bodily + 3 * bodies + 2, bodies),
        piece(integers, bodily + 4 * bodies + 2, ORDER_VECTORS * bodies),
        piece(integers, before, len(integers) - before),
    )


@kernel
def _use_pattern(rest):
    """Columns of the factor, and for each row the columns that have it, and where."""
    third = len(rest) // 3
    return piece(rest, 0, third), piece(rest, third, third), piece(rest, 2 * third, third)


@kernel
def _use_floats(n, bodies, pattern_size, longest, floats):
    """x, b, cfm, diagonal, lo, hi, misfit, x kept; interior point; Ĵ; y; M⁻¹ᐟ²; diagonal blocks, panels, scratch."""
    before = (8 + VECTORS) * n
    bodily = before + 12 * n
    return (
        piece(floats, 0, n),
        piece(floats, n, n),
        piece(floats, 2 * n, n),
        piece(floats, 3 * n, n),
        piece(floats, 4 * n, n),
        piece(floats, 5 * n, n),
        piece(floats, 6 * n, n),
        piece(floats, 7 * n, n),
        piece(floats, 8 * n, VECTORS * n),
        piece(floats, before, 12 * n),
        piece(floats, bodily, 6 * bodies),
        piece(floats, bodily + 6 * bodies, 7 * bodies),
        piece(floats, bodily + 13 * bodies, 36 * bodies),
        piece(floats, bodily + 49 * bodies, 36 * pattern_size),
        piece(floats, bodily + 49 * bodies + 36 * pattern_size, max(36 * longest, 144)),
    )


@kernel
def plan_bodies(rows, record, body_of, motions, integers):
    """Find the blocks of rows, order the bodies, and find the blocks of the factor.

    Returns the number of blocks of rows, of those of the factor below its diagonal (-1: no room), and how many of them
    the longest column has.
    """
    n, bodies = record.rows, record.bodies
    order, slots, block, seats, home, _, lists, body_order, column, row, filled, scratch, rest = _use_integers(
        n, bodies, integers
    )
    mark_immovable(record, body_of, motions, filled)
    for i in range(n):
        order[i] = i
    blocks = find_blocks(rows, record.first_row, n, order, slots, filled, block, home)
    list_neighbours(bodies, blocks, block, slots, scratch, lists)
    pattern, row_column, row_at = _use_pattern(rest)
    size = minimum_degree(bodies, scratch, lists, body_order, column, pattern)
    if size < 0:
        return blocks, -1, 0
    place = piece(scratch, 0, bodies)
    sort_columns(bodies, body_order, place, column, pattern, row, row_column, row_at, filled)
    longest = 0
    for k in range(bodies):
        longest = max(longest, column[k + 1] - column[k])
    for k in range(blocks):
        _seat(k, slots[2 * block[k]], slots[2 * block[k] + 1], place, column, pattern, seats, home)
    return blocks, size, longest


@kernel
def _seat(k, a, b, place, column, pattern, seats, home):
    """Where the bodies of block k stand in the order, and where in the earlier one's column they meet."""
    seats[2 * k] = place[a] if a >= 0 else -1
    seats[2 * k + 1] = place[b] if b >= 0 else -1
    home[k] = 0
    if a >= 0 and b >= 0 and a != b:
        early, late = min(place[a], place[b]), max(place[a], place[b])
        while pattern[column[early] + home[k]] != late:
            home[k] += 1


@kernel
def solve_in_body_space(
    rows, record, body_of, motions, inertias, forces, blocks, pattern_size, longest, integers, floats
):
    """Solve what `plan_bodies` has laid out; writes the forces and the record's report."""
    n, bodies, row0 = record.rows, record.bodies, record.first_row
    order, slots, block, seats, home, state, _, _, column, row_start, filled, _, rest = _use_integers(
        n, bodies, integers
    )
    pattern, row_column, row_at = _use_pattern(rest)
    x, b, soft, own, lo, hi, misfit, kept, v, scaled, y, roots, diagonal, panels, buffer = _use_floats(
        n, bodies, pattern_size, longest, floats
    )
    columns = (column, pattern, row_start, row_column, row_at, filled)
    system = (blocks, block, seats, home, scaled, bodies, columns, buffer, diagonal, panels)
    for k in range(bodies):
        body = body_of[record.first_body + k]
        take_root(motions[body].inverse_mass, inertias[body].world_inverse, piece(roots, 7 * k, 7))
    _scale_rows(rows, row0, order, slots, roots, scaled)
    frictional = _load_rows(rows, row0, order, scaled, b, soft, own, lo, hi, state)
    record.iterations = 0
    residual = 0.0
    easy = True
    for stage in range(2 if frictional else 1):
        if stage == 1:
            _freeze_friction(rows, row0, order, x, own, lo, hi, state, forces)
        if easy:
            rounds, easy = pivot_sparsely(
                system, b, soft, own, lo, hi, state, x, misfit, y, v, FIRST_ROUNDS, FIRST_PATIENCE
            )
            record.iterations += rounds
        if not easy:
            record.iterations += _solve_surely(system, b, soft, own, lo, hi, state, x, misfit, y, v, kept)
        far = measure(n, 0, own, lo, hi, x, misfit)
        residual = max(residual, far) if far == far else far
    for i in range(n):
        forces[row0 + order[i]] = x[i]
    report(record, residual, forces)


@kernel
def _scale_rows(rows, row0, order, slots, roots, scaled):
    for i in range(len(order)):
        row = rows[row0 + order[i]]
        a, b = slots[2 * i], slots[2 * i + 1]
        for k in range(12 * i, 12 * i + 12):
            scaled[k] = 0.0
        if a >= 0:
            scale_side(row.j0, piece(roots, 7 * a, 7), scaled, 12 * i)
        if b >= 0:
            scale_side(row.j1, piece(roots, 7 * b, 7), scaled, 12 * i + 6)


@kernel
def _load_rows(rows, row0, order, scaled, b, soft, own, lo, hi, state):
    """Right sides, diagonal, and the bounds of stage one. True: there will be a stage two."""
    frictional = False
    for i in range(len(order)):
        row = rows[row0 + order[i]]
        alone = dot6(scaled, 12 * i, scaled, 12 * i) + dot6(scaled, 12 * i + 6, scaled, 12 * i + 6)
        soft[i] = softness(row.cfm, alone)
        own[i] = alone + soft[i]
        b[i] = row.rhs
        lo[i], hi[i], state[i] = row.lo, row.hi, FREE
        if row.normal >= 0:
            lo[i], hi[i], state[i] = 0.0, 0.0, FIXED
            frictional = True
        if not own[i] > 0.0:
            lo[i] = hi[i] = min(max(0.0, lo[i]), hi[i])
        if not lo[i] < hi[i]:
            state[i] = FIXED
    return frictional


@kernel
def _solve_surely(system, b, soft, own, lo, hi, state, x, misfit, y, v, kept):
    n = len(x)
    rounds = approach_sparsely(system, b, soft, own, lo, hi, state, x, misfit, y, v)
    for i in range(n):
        kept[i] = min(max(x[i], lo[i]), hi[i])
    before = measure(n, 0, own, lo, hi, x, misfit)
    more, _ = pivot_sparsely(system, b, soft, own, lo, hi, state, x, misfit, y, v, LAST_ROUNDS, LAST_PATIENCE)
    for i in range(n):
        x[i] = min(max(x[i], lo[i]), hi[i])
    find_body_misfit(system, b, soft, x, y, misfit)
    if not measure(n, 0, own, lo, hi, x, misfit) <= before:
        for i in range(n):
            x[i] = kept[i]
        find_body_misfit(system, b, soft, x, y, misfit)
    return rounds + more


@kernel
def _freeze_friction(rows, row0, order, x, own, lo, hi, state, forces):
    """Bounds that depend on a normal force, from the forces of stage one; their rows start free."""
    n = len(x)
    for i in range(n):
        forces[row0 + order[i]] = x[i]
    widest = 0.0
    for i in range(n):
        row = rows[row0 + order[i]]
        if row.normal >= 0:
            normal_force = forces[row0 + row.normal]
            hi[i] = abs(row.hi * normal_force) if normal_force != 0.0 else 0.0
            lo[i] = -hi[i]
            if hi[i] < UNBOUNDED:
                widest = max(widest, hi[i])
    for i in range(n):
        if rows[row0 + order[i]].normal >= 0:
            state[i] = FREE if hi[i] > NARROW * widest and own[i] > 0.0 else FIXED
            if state[i] == FIXED:
                lo[i] = hi[i] = 0.0
