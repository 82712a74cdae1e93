"""ODE's two stages for the bounded rows that are left when the others are eliminated.

Stage one leaves out the rows whose bounds depend on a normal force; stage two freezes those bounds at mu times the
normal forces found.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel, version_kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.active_set import FREE
from opendynamics.core.solve.exact.row_space.box_lcp import INTEGERS_A_ROW
from opendynamics.core.solve.exact.row_space.envelope import DEPENDENT
from opendynamics.core.solve.exact.row_space.workspace import use_floats, use_integers


def stages_with(solve_bounded):
    """A kernel that takes the bounded rows through both stages by `solve_bounded`.

    It returns whether they are solved, the number of free rows, and their smallest relative pivot.
    """

    def solve_stages(rows, record, size, forces, integers, floats):
        n, bounded, row0 = record.rows, record.bounded_rows, record.first_row
        e = n - bounded
        order, _, _, _, first, origin, _, border = use_integers(n, record.bodies, integers)
        x, z, lo, hi, _, diagonal, _, _, _, values, rest = use_floats(n, record.bodies, size, floats)
        frictional = _bound_rows(rows, row0, bounded, e, order, first, origin, lo, hi, border)
        _hold_dependent(bounded, e, values, diagonal, lo, hi, border)
        members, worst = 0, 1.0
        for stage in range(2 if frictional else 1):
            if stage == 1:
                _freeze_friction(rows, row0, n, e, order, x, lo, hi, forces)
                _hold_dependent(bounded, e, values, diagonal, lo, hi, border)
            rounds, solved, members, worst = solve_bounded(
                values,
                piece(border, 0, bounded),
                piece(border, bounded, bounded),
                bounded,
                piece(z, e, bounded),
                piece(lo, e, bounded),
                piece(hi, e, bounded),
                piece(x, e, bounded),
                piece(border, 2 * bounded, INTEGERS_A_ROW * bounded),
                rest,
            )
            record.iterations += rounds
            if not solved:
                return False, members, worst
        return True, members, worst

    return version_kernel(solve_stages, solve_bounded)


@kernel
def _bound_rows(rows, row0, bounded, e, order, first, origin, lo, hi, border):
    """The matrix of the bounded rows, their bounds in stage one, every row free. True: there will be a stage two."""
    frictional = False
    for i in range(bounded):
        border[i] = origin[e + i] + e
        border[bounded + i] = max(first[e + i] - e, 0)
        border[6 * bounded + i] = FREE
        row = rows[row0 + order[e + i]]
        lo[e + i], hi[e + i] = row.lo, row.hi
        if row.normal >= 0:
            lo[e + i], hi[e + i] = 0.0, 0.0
            frictional = True
    return frictional


@kernel
def _hold_dependent(bounded, e, values, diagonal, lo, hi, border):
    """A bounded row in which nothing is left that the rows without bounds do not decide carries no force."""
    for i in range(bounded):
        if not values[border[i] + i] > DEPENDENT * diagonal[e + i]:
            lo[e + i] = hi[e + i] = min(max(0.0, lo[e + i]), hi[e + i])


@kernel
def _freeze_friction(rows, row0, n, e, order, x, lo, hi, forces):
    """Bounds that depend on a normal force, from the forces of stage one."""
    for i in range(e, n):
        forces[row0 + order[i]] = x[i]
    for i in range(e, n):
        row = rows[row0 + order[i]]
        if row.normal >= 0:
            normal_force = forces[row0 + row.normal]
            hi[i] = abs(row.hi * normal_force) if normal_force != 0.0 else 0.0
            lo[i] = -hi[i]
