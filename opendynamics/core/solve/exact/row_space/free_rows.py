"""Rows without bounds: their contribution to the right-hand side of the others, and their forces once those are known.

They have been eliminated in an envelope or, where the joints form trees, body by body.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.islands import ISLAND_RECORD
from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.exact.joints.trees import NOWHERE, acceleration_along, set_motions, solve_joints
from opendynamics.core.solve.exact.row_space.envelope import eliminate, substitute
from opendynamics.core.solve.exact.row_space.workspace import (
    joints_in_trees,
    use_floats,
    use_integers,
    use_trees,
    vector_at,
)


@entry(types.void(TABLES, ISLAND_RECORD, types.int64, types.int64))
def reduce_right_side(tables, record, size, which):
    """Subtract A_bu A_uu⁻¹ b_u from the right-hand sides b_b of bounded rows, in a vector of the floats."""
    n, at, joints = record.rows, vector_at(record, which), joints_in_trees(tables, record)
    e, b = n - record.bounded_rows, piece(FLOATS.rows(tables), at, n)
    if joints == 0:
        ints, floats = use_integers(tables, record), use_floats(tables, record, size)
        eliminate(floats.values, ints.origin, ints.first, n, e, b)
    elif e < n:
        trees = use_trees(tables, record, size, joints)
        set_motions(trees, n, n, b)
        solve_joints(trees, at, NOWHERE)
        for i in range(e, n):
            b[i] -= acceleration_along(trees, i)


@entry(types.void(TABLES, ISLAND_RECORD, types.int64, types.int64))
def substitute_free_rows(tables, record, size, which):
    """Compute the forces of rows without bounds from those of the others, in a vector that `reduce_right_side` left."""
    n, at, joints = record.rows, vector_at(record, which), joints_in_trees(tables, record)
    e, x = n - record.bounded_rows, piece(FLOATS.rows(tables), at, n)
    if joints == 0:
        ints, floats = use_integers(tables, record), use_floats(tables, record, size)
        substitute(floats.values, ints.origin, ints.first, n, e, floats.inverse_pivots, x)
    else:
        trees = use_trees(tables, record, size, joints)
        set_motions(trees, e, n, x)
        solve_joints(trees, at, at)
