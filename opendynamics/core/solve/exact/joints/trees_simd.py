"""Products and inverses of matrices of at most eight columns, a row in each vector. All matrices are in one array of float64.

Rows are eight numbers apart unless a stride is given. Numbers in places that a matrix does not have are undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.core.algebra.lanes import LANES, repeat, transposed
from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, load, long, store
from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")

# Values of `base`: the rows to add to are zeros.
ZEROS = -1


class _Combination:
    """Row r of the result: row r of a base ± Σ factor [r, k] vector [k], where an intrinsic is compiled."""

    def __init__(self, builder: Any, data: Any, places: list[Any], subtract: bool) -> None:
        self.builder, self._data, self._subtract = builder, data, subtract
        (
            self._out,
            self.rows,
            base,
            self._factors,
            self._across,
            self._along,
            self._vectors,
            self._stride,
            self.count,
        ) = places
        self._fresh = builder.icmp_signed("<", base, long(0))
        self._base = builder.select(self._fresh, self._out, base)

    def _place(self, first: Any, stride: Any, k: Any) -> Any:
        return self.builder.add(first, self.builder.mul(stride, k))

    def start(self, r: Any) -> Any:
        """Row r of the base."""
        zeros = ir.Constant(doubles(LANES), [0.0] * LANES)
        old = load(self.builder, self._data, self._place(self._base, long(LANES), r), LANES)
        return self.builder.select(self._fresh, zeros, old)

    def vector(self, k: Any) -> Any:
        """Vector k."""
        return load(self.builder, self._data, self._place(self._vectors, self._stride, k), LANES)

    def add(self, total: Any, r: Any, k: Any, vector: Any) -> Any:
        """`total` ± factor [r, k] times a vector."""
        place = self._place(self._place(self._factors, self._across, r), self._along, k)
        factor = self.builder.load(self.builder.gep(self._data, [place]))
        factor = self.builder.fneg(factor) if self._subtract else factor
        product = self.builder.fmul(broadcast(self.builder, factor, LANES), vector, flags=FUSED)
        return self.builder.fadd(total, product, flags=FUSED)

    def finish(self, r: Any, total: Any) -> None:
        """Write row r."""
        store(self.builder, total, self._data, self._place(self._out, long(LANES), r))


def _with_terms(made: _Combination, terms: int) -> None:
    """All rows, each with `terms` terms; the vectors stay in registers."""
    vectors = [made.vector(long(k)) for k in range(terms)]
    with repeat(made.builder, made.rows) as r:
        total = made.start(r)
        for k, vector in enumerate(vectors):
            total = made.add(total, r, long(k), vector)
        made.finish(r, total)


def _with_rows(made: _Combination, rows: int) -> None:
    """So many rows, with all terms; the sums stay in registers."""
    builder = made.builder
    sums = [cgutils.alloca_once_value(builder, made.start(long(r))) for r in range(rows)]
    with repeat(builder, made.count) as k:
        vector = made.vector(k)
        for r, place in enumerate(sums):
            builder.store(made.add(builder.load(place), long(r), k, vector), place)
    for r, place in enumerate(sums):
        made.finish(long(r), builder.load(place))


def _with_any(made: _Combination, _: int) -> None:
    """All rows, with all terms."""
    builder, place = made.builder, cgutils.alloca_once(made.builder, doubles(LANES))
    with repeat(builder, made.rows) as r:
        builder.store(made.start(r), place)
        with repeat(builder, made.count) as k:
            builder.store(made.add(builder.load(place), r, k, made.vector(k)), place)
        made.finish(r, builder.load(place))


def combiner(write: Callable[[_Combination, int], None], size: int, subtract: bool) -> Any:
    """Intrinsic that adds or subtracts linear combinations of vectors; `size`: rows or terms that `write` knows when compiled."""

    def combine(typingctx, numbers, out, rows, base, factors, across, along, vectors, stride, count):
        """Row r of `out`: row r of `base` ± Σ factor [r, k] vector [k], over `count` values of k.

        Factor [r, k] is at `factors + across r + along k`, vector k at `vectors + stride k`.
        """

        def codegen(context, builder, signature, args):
            write(_Combination(builder, data_of(context, builder, signature, 0, args[0]), args[1:], subtract), size)
            return context.get_dummy_value()

        return types.none(numbers, *[types.int64] * 9), codegen

    return intrinsic(combine)


# Products with six terms; with six rows; with any number of both.
add_six, subtract_six = combiner(_with_terms, 6, False), combiner(_with_terms, 6, True)
add_to_six, subtract_from_six = combiner(_with_rows, 6, False), combiner(_with_rows, 6, True)
add_rows = combiner(_with_any, 0, False)


@intrinsic
def transpose(typingctx, numbers, rows, stride, count, columns):
    """Write the six columns of a matrix of `count` rows, `stride` numbers apart, to `columns`, with zeros for rows it lacks."""

    def codegen(context, builder, signature, args):
        _, rows, stride, count, columns = args
        data = data_of(context, builder, signature, 0, args[0])
        zeros, lines = ir.Constant(doubles(LANES), [0.0] * LANES), []
        for k in range(LANES):
            if k < 6:
                line = load(builder, data, builder.add(rows, builder.mul(stride, long(k))), LANES)
                lines.append(builder.select(builder.icmp_signed("<", long(k), count), line, zeros))
            else:
                lines.append(zeros)
        for k, column in enumerate(transposed(builder, lines)[:6]):
            store(builder, column, data, builder.add(columns, long(LANES * k)))
        return context.get_dummy_value()

    return types.none(numbers, *[types.int64] * 4), codegen


@intrinsic
def invert(typingctx, numbers, matrix, count):
    """Invert a symmetric matrix of `count` rows in place (Gauss-Jordan). Returns the least pivot relative to its diagonal."""

    def codegen(context, builder, signature, args):
        _, matrix, count = args
        data = data_of(context, builder, signature, 0, args[0])
        number, places = ir.DoubleType(), ir.VectorType(ir.IntType(64), LANES)
        diagonal = cgutils.alloca_once(builder, number, size=LANES)
        worst = cgutils.alloca_once_value(builder, ir.Constant(number, 1.0))

        def line(k: Any) -> Any:
            return builder.add(matrix, builder.mul(k, long(LANES)))

        def entry(i: Any, k: Any) -> Any:
            return builder.load(builder.gep(data, [builder.add(line(i), k)]))

        with repeat(builder, count) as k:
            builder.store(entry(k, k), builder.gep(diagonal, [k]))
        with repeat(builder, count) as k:
            pivot = entry(k, k)
            relative = builder.fdiv(pivot, builder.load(builder.gep(diagonal, [k])))
            least = builder.fcmp_unordered("<", relative, builder.load(worst))  # NaN is the worst
            builder.store(builder.select(least, relative, builder.load(worst)), worst)
            reciprocal = builder.fdiv(ir.Constant(number, 1.0), pivot)
            place = ir.Constant(places, list(range(LANES)))
            here = builder.icmp_signed("==", place, broadcast(builder, k, LANES))
            own = load(builder, data, line(k), LANES)
            own = builder.select(here, ir.Constant(doubles(LANES), [1.0] * LANES), own)
            own = builder.fmul(own, broadcast(builder, reciprocal, LANES))
            with repeat(builder, count) as i, builder.if_then(builder.icmp_signed("!=", i, k)):
                factor = broadcast(builder, builder.fneg(entry(i, k)), LANES)
                rest = load(builder, data, line(i), LANES)
                rest = builder.select(here, ir.Constant(doubles(LANES), [0.0] * LANES), rest)
                product = builder.fmul(factor, own, flags=FUSED)
                store(builder, builder.fadd(rest, product, flags=FUSED), data, line(i))
            store(builder, own, data, line(k))
        return builder.load(worst)

    return types.float64(numbers, types.int64, types.int64), codegen
