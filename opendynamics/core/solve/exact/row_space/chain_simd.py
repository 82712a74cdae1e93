"""Blocks of a chain of joints in vectors whose lanes are the rows of a block: see `chain`. All arrays are float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, element, load, long, store
from opendynamics.core.arrays.rows import ROW as ROW_FIELDS
from opendynamics.core.kernels import Later, intrinsic
from opendynamics.core.solve._body_space.row_blocks import SOFTEST
from opendynamics.core.solve.exact.row_space.simd import LANES

ir = Later("llvmlite.ir")
types = Later("numba.core.types")
cgutils = Later("numba.core.cgutils")

# A row of the table in doubles, which begins with both Jacobians, and the places of its CFM and right-hand side.
_DTYPE = np.dtype(ROW_FIELDS)
ROW_SIZE = _DTYPE.itemsize // 8
CFM, RHS = ((_DTYPE.fields or {})[name][1] // 8 for name in ("cfm", "rhs"))

# Pivots must stay above this fraction of their diagonal.
HEALTHY = 1e-5


@intrinsic
def combine(typingctx, target, at, factors, first, sources, source, count):
    """The vector target[at] becomes the sum of factors[first + k] times vector k from sources[source], for k below `count`."""

    def codegen(context, builder, signature, args):
        target, at, factors, first, sources, source, count = args
        target, factors, sources = (
            data_of(context, builder, signature, k, array) for k, array in ((0, target), (2, factors), (4, sources))
        )
        total = cgutils.alloca_once_value(builder, ir.Constant(doubles(LANES), [0.0] * LANES))
        with cgutils.for_range(builder, count) as loop:
            place = builder.add(source, builder.mul(loop.index, long(LANES)))
            _add(builder, total, factors, builder.add(first, loop.index), load(builder, sources, place, LANES))
        store(builder, builder.load(total), target, at)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, factors, integer, sources, integer, integer), codegen


def block_inverter(rows_here: int) -> Any:
    """Intrinsic that inverts the Schur complement of a block of `rows_here` rows."""

    def invert_block(typingctx, floats, rows, row, responses, couplings, eliminated, before, inverse, diagonal):
        """Write (A + cfm - Bᵀ H)⁻¹ of the rows from `row` to `inverse`, and the diagonal of A + cfm to `diagonal`.

        `responses`: twelve vectors M⁻¹ Jᵀ; `couplings` and `eliminated`: B and H, a vector for each of the `before` rows of the
        block before. Returns whether all pivots are far from zero, and all rows have a CFM.
        """

        def codegen(context, builder, signature, args):
            floats, rows, row, responses, couplings, eliminated, before, inverse, diagonal = args
            floats, rows = (data_of(context, builder, signature, k, array) for k, array in ((0, floats), (1, rows)))
            columns = [load(builder, floats, builder.add(responses, long(LANES * k)), LANES) for k in range(12)]
            healthy, lines, diagonals = ir.Constant(ir.IntType(1), 1), [], []
            for i in range(rows_here):
                first = builder.add(row, long(ROW_SIZE * i))
                line = _product(builder, rows, first, columns)
                own, cfm = element(builder, line, i), _number(builder, rows, builder.add(first, long(CFM)))
                least = builder.fmul(own, ir.Constant(ir.DoubleType(), SOFTEST))
                larger = builder.select(builder.fcmp_ordered(">", cfm, least), cfm, least)
                healthy = builder.and_(healthy, builder.fcmp_ordered(">", cfm, ir.Constant(ir.DoubleType(), 0.0)))
                diagonals.append(builder.fadd(own, larger))
                builder.store(diagonals[i], builder.gep(floats, [builder.add(diagonal, long(i))]))
                lines.append(cgutils.alloca_once_value(builder, _with(builder, line, diagonals[i], i)))
            with cgutils.for_range(builder, before) as loop:
                place = builder.mul(loop.index, long(LANES))
                other = builder.fneg(load(builder, floats, builder.add(eliminated, place), LANES))
                for i, line in enumerate(lines):
                    _add(builder, line, floats, builder.add(builder.add(couplings, place), long(i)), other)
            matrix = [builder.load(line) for line in lines]
            for k in range(rows_here):
                pivot = element(builder, matrix[k], k)
                least = builder.fmul(diagonals[k], ir.Constant(ir.DoubleType(), HEALTHY))
                healthy = builder.and_(healthy, builder.fcmp_ordered(">", pivot, least))
                _eliminate(builder, matrix, k, builder.fdiv(ir.Constant(ir.DoubleType(), 1.0), pivot))
            for k, line in enumerate(matrix):
                store(builder, line, floats, builder.add(inverse, long(LANES * k)))
            return builder.zext(healthy, ir.IntType(64))

        integer = types.int64
        return types.int64(floats, rows, integer, integer, integer, integer, integer, integer, integer), codegen

    return intrinsic(invert_block)


def _number(builder: Any, array: Any, at: Any) -> Any:
    return builder.load(builder.gep(array, [at]))


def _add(builder: Any, total: Any, factors: Any, at: Any, vector: Any) -> None:
    """Add a multiple of a vector to what is stored at `total`."""
    product = builder.fmul(broadcast(builder, _number(builder, factors, at), LANES), vector, flags=FUSED)
    builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)


def _product(builder: Any, rows: Any, first: Any, columns: list[Any]) -> Any:
    """J of the row that begins at `first`, times M⁻¹ Jᵀ by columns; three sums hide the latency of additions."""
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
