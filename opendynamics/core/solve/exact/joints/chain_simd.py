"""A block of a chain of joints in vectors whose lanes are the rows of the block: see `chain`. All arrays are float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.core.algebra.lanes import LANES, Numbers, transposed
from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, element, load, long, store
from opendynamics.core.arrays.rows import ROW as ROW_FIELDS
from opendynamics.core.kernels import LazyModule, intrinsic
from opendynamics.core.solve._body_space.row_blocks import MIN_CFM
from opendynamics.core.solve.prepared import responses_of_lanes

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")

# A row of the table in doubles, which begins with both Jacobians, and the places of its CFM and right-hand side.
_DTYPE = np.dtype(ROW_FIELDS)
ROW_SIZE = _DTYPE.itemsize // 8
CFM, RHS = ((_DTYPE.fields or {})[name][1] // 8 for name in ("cfm", "rhs"))

# Most rows of a block.
MAX_ROWS = 6

# Numbers of a block that only the next one needs: B, S⁻¹ and z.
COUPLINGS, INVERSE = 0, LANES * MAX_ROWS
REDUCED = 2 * LANES * MAX_ROWS
CURRENT = REDUCED + LANES

# Pivots must stay above this fraction of their diagonal.
HEALTHY = 1e-5


def block_eliminator(rows_here: int) -> Any:
    """Intrinsic that eliminates the block before from a block of `rows_here` rows."""

    def eliminate(
        typingctx, floats, rows, row, mass0, inertia0, mass1, inertia1, last, side, before, own, current, diagonal
    ):
        """Compute u and H at `own`, S⁻¹ and z at `current`, where those of the block before are; the diagonal of A + cfm.

        `row`: where the block's first row is; `mass0`, `inertia0`, ...: the inverse masses and inertias of its bodies. `last`:
        where the Jacobian of the first of the `before` rows of the block before is, for the body on `side` of this block.
        Returns whether all pivots are far from zero, and all rows have a CFM.
        """

        def codegen(context, builder, signature, args):
            floats, rows, row, mass0, inertia0, mass1, inertia1, last, side, before, own, current, diagonal = args
            floats, rows = (data_of(context, builder, signature, k, array) for k, array in ((0, floats), (1, rows)))
            columns = _columns(builder, rows, row, rows_here)
            jacobian = [Numbers(builder, column) for column in columns[:12]]
            near = responses_of_lanes(builder, jacobian[:6], mass0, inertia0)
            far = responses_of_lanes(builder, jacobian[6:], mass1, inertia1)
            second = builder.icmp_signed("!=", side, long(0))
            shared = [builder.select(second, theirs.value, ours.value) for theirs, ours in zip(far, near, strict=True)]
            couplings, inverse, reduced = (builder.add(current, long(k)) for k in (COUPLINGS, INVERSE, REDUCED))
            eliminated = builder.add(own, long(LANES))
            _couple(builder, rows, last, shared, before, floats, couplings)
            _multiply(builder, floats, inverse, couplings, before, eliminated)
            healthy, lines, diagonals = _diagonal_block(
                builder, rows, row, [each.value for each in near + far], columns[CFM], rows_here
            )
            for i, each in enumerate(diagonals):
                builder.store(each, builder.gep(floats, [builder.add(diagonal, long(i))]))
            z = cgutils.alloca_once_value(builder, _right_sides(builder, rows, row, rows_here))
            with cgutils.for_range(builder, before) as loop:
                other = builder.fneg(load(builder, floats, _line(builder, eliminated, loop.index), LANES))
                coupling = _line(builder, couplings, loop.index)
                for i, line in enumerate(lines):
                    _add(builder, line, _number(builder, floats, builder.add(coupling, long(i))), other)
                _add(builder, z, _number(builder, floats, builder.add(reduced, loop.index)), other)
            matrix, right = [builder.load(line) for line in lines], builder.load(z)
            healthy = builder.and_(healthy, _invert(builder, matrix, diagonals))
            solved = _zero(builder)
            for k, line in enumerate(matrix):
                store(builder, line, floats, builder.add(inverse, long(LANES * k)))
                _add(builder, solved, element(builder, right, k), line)
            store(builder, right, floats, reduced)
            store(builder, builder.load(solved), floats, own)
            return builder.zext(healthy, ir.IntType(64))

        integer, number, nine = types.int64, types.float64, types.UniTuple(types.float64, 9)
        inverse_masses = number, nine, number, nine
        return types.int64(
            floats, rows, integer, *inverse_masses, integer, integer, integer, integer, integer, integer
        ), codegen

    return intrinsic(eliminate)


def _columns(builder: Any, rows: Any, row: Any, rows_here: int) -> list[Any]:
    """The first sixteen numbers of the rows: both Jacobians, and then the others."""
    halves = []
    for half in (0, LANES):
        own = [load(builder, rows, builder.add(row, long(ROW_SIZE * r + half)), LANES) for r in range(rows_here)]
        halves.append(own + [ir.Constant(doubles(LANES), [0.0] * LANES)] * (LANES - rows_here))
    return [column for half in halves for column in transposed(builder, half)]


def _couple(builder: Any, rows: Any, last: Any, shared: list[Any], before: Any, floats: Any, couplings: Any) -> None:
    """Write B: the Jacobian of the block before times M⁻¹ Jᵀ of the body they share."""
    with cgutils.for_range(builder, before) as loop:
        other = builder.add(last, builder.mul(loop.index, long(ROW_SIZE)))
        store(builder, _product(builder, rows, other, shared), floats, _line(builder, couplings, loop.index))


def _multiply(builder: Any, floats: Any, inverse: Any, couplings: Any, before: Any, eliminated: Any) -> None:
    """Write H = S'⁻¹ B."""
    with cgutils.for_range(builder, before) as loop:
        total, line = _zero(builder), _line(builder, inverse, loop.index)
        with cgutils.for_range(builder, before) as inner:
            coupling = load(builder, floats, _line(builder, couplings, inner.index), LANES)
            _add(builder, total, _number(builder, floats, builder.add(line, inner.index)), coupling)
        store(builder, builder.load(total), floats, _line(builder, eliminated, loop.index))


def _diagonal_block(
    builder: Any, rows: Any, row: Any, responses: list[Any], cfms: Any, rows_here: int
) -> tuple[Any, list[Any], list[Any]]:
    """A + cfm of the block. Returns whether all rows have a CFM, variables for the lines, and the diagonal."""
    healthy, lines, diagonals = ir.Constant(ir.IntType(1), 1), [], []
    for i in range(rows_here):
        line = _product(builder, rows, builder.add(row, long(ROW_SIZE * i)), responses)
        alone, cfm = element(builder, line, i), element(builder, cfms, i)
        least = builder.fmul(alone, ir.Constant(ir.DoubleType(), MIN_CFM))
        larger = builder.select(builder.fcmp_ordered(">", cfm, least), cfm, least)
        healthy = builder.and_(healthy, builder.fcmp_ordered(">", cfm, ir.Constant(ir.DoubleType(), 0.0)))
        diagonals.append(builder.fadd(alone, larger))
        lines.append(cgutils.alloca_once_value(builder, _with(builder, line, diagonals[i], i)))
    return healthy, lines, diagonals


def _invert(builder: Any, matrix: list[Any], diagonals: list[Any]) -> Any:
    """Invert a matrix in place. Returns whether all pivots are far from zero."""
    healthy = ir.Constant(ir.IntType(1), 1)
    for k in range(len(matrix)):
        pivot = element(builder, matrix[k], k)
        least = builder.fmul(diagonals[k], ir.Constant(ir.DoubleType(), HEALTHY))
        healthy = builder.and_(healthy, builder.fcmp_ordered(">", pivot, least))
        _eliminate(builder, matrix, k, builder.fdiv(ir.Constant(ir.DoubleType(), 1.0), pivot))
    return healthy


def _right_sides(builder: Any, rows: Any, row: Any, rows_here: int) -> Any:
    """The right-hand sides of the rows."""
    vector = ir.Constant(doubles(LANES), [0.0] * LANES)
    for i in range(rows_here):
        vector = _with(builder, vector, _number(builder, rows, builder.add(row, long(ROW_SIZE * i + RHS))), i)
    return vector


def _zero(builder: Any) -> Any:
    """A variable for a vector."""
    return cgutils.alloca_once_value(builder, ir.Constant(doubles(LANES), [0.0] * LANES))


def _line(builder: Any, first: Any, k: Any) -> Any:
    """Address of vector k."""
    return builder.add(first, builder.mul(k, long(LANES)))


def _number(builder: Any, array: Any, at: Any) -> Any:
    return builder.load(builder.gep(array, [at]))


def _add(builder: Any, total: Any, factor: Any, vector: Any) -> None:
    """Add a multiple of a vector to what is stored at `total`."""
    product = builder.fmul(broadcast(builder, factor, LANES), vector, flags=FUSED)
    builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)


def _product(builder: Any, rows: Any, first: Any, columns: list[Any]) -> Any:
    """Sum of the numbers from `first` on times the columns; three sums hide the latency of additions."""
    sums: list[Any] = [None, None, None]
    for k, column in enumerate(columns):
        factor = broadcast(builder, _number(builder, rows, builder.add(first, long(k))), LANES)
        product, part = builder.fmul(factor, column, flags=FUSED), sums[k % 3]
        sums[k % 3] = product if part is None else builder.fadd(part, product, flags=FUSED)
    return builder.fadd(builder.fadd(sums[0], sums[1]), sums[2])


def _with(builder: Any, vector: Any, number: Any, lane: int) -> Any:
    return builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))


def _eliminate(builder: Any, matrix: list[Any], k: int, reciprocal: Any) -> None:
    """A step of Gauss and Jordan's inversion, without pivoting: row k takes its unknown from all others."""
    one = ir.Constant(ir.DoubleType(), 1.0)
    matrix[k] = builder.fmul(_with(builder, matrix[k], one, k), broadcast(builder, reciprocal, LANES))
    for i in range(len(matrix)):
        if i != k:
            factor = broadcast(builder, builder.fneg(element(builder, matrix[i], k)), LANES)
            rest = _with(builder, matrix[i], ir.Constant(ir.DoubleType(), 0.0), k)
            matrix[i] = builder.fadd(rest, builder.fmul(factor, matrix[k], flags=FUSED), flags=FUSED)
