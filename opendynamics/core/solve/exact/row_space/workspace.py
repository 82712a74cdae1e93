"""Scratch memory of `elimination`: layout of the integers and floats."""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import LINE, at_line, piece
from opendynamics.core.solve.exact.joints.forest import JOINT, integers_of_forest
from opendynamics.core.solve.exact.joints.trees import BODY, SCRATCH, Trees, floats_of_forest
from opendynamics.core.solve.exact.row_space.border import panels_needed
from opendynamics.core.solve.exact.row_space.box_lcp import FLOATS_A_ROW, INTEGERS_A_ROW, tableau_size
from opendynamics.core.solve.impact_energy import FLOATS_A_BODY


class Integers(NamedTuple):
    """The island's ordered rows, blocks of rows, the envelope, and data of the bounded rows."""

    order: Any  # rows, those with bounds last
    slots: Any  # two movable bodies a row
    block: Any  # first row of each block
    block_first: Any  # earliest block that each is coupled with
    first: Any  # of each row, the envelope's first column
    origin: Any  # and its place: element (i, j) is at origin[i] + j
    touched: Any  # of each body, the first block that acts on it
    joints: Any  # if they form trees, each with the bodies that it connects: see `forest`
    marks: Any  # three integers a body
    bounded: Any  # the bounded rows' origin and first, and their scratch


class Floats(NamedTuple):
    """Vectors over rows and bodies, the matrix, and data of the bounded rows."""

    x: Any
    z: Any
    lo: Any
    hi: Any
    inverse_pivots: Any  # of rows in the envelope
    cfm: Any  # regularised, of joints in trees
    diagonal: Any
    best: Any  # x before a refinement
    jacobian: Any  # twelve numbers a row
    responses: Any  # M⁻¹ Jᵀ, twelve columns of all rows, or of bounded rows twelve numbers each
    wrenches: Any  # Jᵀ x, six a body and six of what does not move
    accelerations: Any  # M⁻¹ Jᵀ x likewise
    values: Any  # the envelope's elements, and then the matrices of trees
    bounded: Any  # first panels of `border`, then a box LCP's


# After the integers: the stamp of the solution whose elimination can be reused, the size of its values, its blocks, and the
# number of joints if they form trees, or else 0.
STAMP, SIZE, BLOCKS, JOINTS = range(4)
NOTE = 4


@kernel
def integers_needed(n, bodies, bounded):
    return 7 * n + 1 + bodies + integers_of_forest(n, bodies) + (2 + INTEGERS_A_ROW) * bounded + NOTE


@kernel
def floats_needed(n, bodies, bounded, size, matrix):
    """`size`: number of all values, of which `matrix` are those of S, or of the envelope."""
    of_bounded = max(
        FLOATS_A_ROW * bounded + LINE + matrix + tableau_size(bounded), panels_needed(bounded, n - bounded)
    )
    return at_line(FLOATS_A_BODY * bodies + 32 * n + 12 * (bodies + 1) + size) + of_bounded


@kernel
def note_at(record):
    """Offset in the integers of the record of the elimination."""
    return integers_needed(record.rows, record.bodies, record.bounded_rows) - NOTE


@kernel
def use_integers(tables, record):
    integers, n, bodies = INTEGERS.rows(tables), record.rows, record.bodies
    forest = 7 * n + 1 + bodies
    marks, before = forest + JOINT * n, forest + integers_of_forest(n, bodies)
    return Integers(
        piece(integers, 0, n),
        piece(integers, n, 2 * n),
        piece(integers, 3 * n, n + 1),
        piece(integers, 4 * n + 1, n),
        piece(integers, 5 * n + 1, n),
        piece(integers, 6 * n + 1, n),
        piece(integers, 7 * n + 1, bodies),
        piece(integers, forest, JOINT * n),
        piece(integers, marks, 3 * bodies),
        piece(integers, before, len(integers) - before),
    )


# Vectors of the floats, by their place; the fifth and sixth are twelve each. x is read in whole vectors of eight, times zeros
# beyond its end: what follows it must be finite, so the bounds come later.
X, Z, CFM, DIAGONAL, JACOBIAN, RESPONSES, LO, HI, INVERSE_PIVOTS, BEST = 0, 1, 2, 3, 4, 16, 28, 29, 30, 31


@kernel
def vector_at(record, k):
    """Offset in the floats of a vector over the rows."""
    return FLOATS_A_BODY * record.bodies + k * record.rows


@kernel
def values_at(record):
    """Offset in the floats of the envelope."""
    return vector_at(record, 32) + 12 * (record.bodies + 1)


@kernel
def note_joints(tables, record, joints):
    """Note how many joints form trees."""
    INTEGERS.rows(tables)[note_at(record) + JOINTS] = joints


@kernel
def joints_in_trees(tables, record):
    """Number of joints if they form trees, or else 0."""
    return INTEGERS.rows(tables)[note_at(record) + JOINTS]


@kernel
def vectors_of_border(tables, record):
    """Vectors of a row of S if it is square, as with trees, or else 0."""
    return at_line(record.bounded_rows) // LINE if joints_in_trees(tables, record) > 0 else 0


@kernel
def use_trees(tables, record, size, joints):
    """Trees of this many joints, behind the other values; `size`: the number of all values."""
    ints, bodies = use_integers(tables, record), record.bodies
    scratch = at_line(values_at(record) + size - floats_of_forest(bodies, joints))
    first = scratch + SCRATCH
    return Trees(
        FLOATS.rows(tables),
        scratch,
        first,
        first + BODY * bodies,
        vector_at(record, JACOBIAN),
        vector_at(record, RESPONSES),
        ints.joints,
        joints,
        ints.slots,
        piece(ints.marks, 0, bodies),
        piece(ints.marks, bodies, bodies),
        piece(ints.marks, 2 * bodies, bodies),
    )


@kernel
def use_floats(tables, record, size):
    """`size`: number of values. The floats of `impacts`, which it writes between two solutions, come first."""
    floats, n, bodies = FLOATS.rows(tables), record.rows, record.bodies
    here, before = vector_at(record, 0), values_at(record)
    there = before - 6 * (bodies + 1)
    of_bounded = at_line(before + size)
    return Floats(
        piece(floats, here + X * n, n),
        piece(floats, here + Z * n, n),
        piece(floats, here + LO * n, n),
        piece(floats, here + HI * n, n),
        piece(floats, here + INVERSE_PIVOTS * n, n),
        piece(floats, here + CFM * n, n),
        piece(floats, here + DIAGONAL * n, n),
        piece(floats, here + BEST * n, n),
        piece(floats, here + JACOBIAN * n, 12 * n),
        piece(floats, here + RESPONSES * n, 12 * n),
        piece(floats, there - 6 * (bodies + 1), 6 * (bodies + 1)),
        piece(floats, there, 6 * (bodies + 1)),
        piece(floats, before, size),
        piece(floats, of_bounded, len(floats) - of_bounded),
    )
