"""Products and inverses of matrices of at most eight columns, a row in each vector. All matrices are in one array of float64.

Rows are eight numbers apart unless a stride is given. Numbers in places that a matrix does not have are undefined.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.lanes import LANES, repeat, transposed
from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, load, long, store
from opendynamics.core.kernels import Later, intrinsic

ir = Later("llvmlite.ir")
types = Later("numba.core.types")
cgutils = Later("numba.core.cgutils")

# Values of `base`: the rows to add to are zeros.
ZEROS = -1


def combiner(rows_here: int | None, terms: int | None, subtract: bool) -> Any:
    """Intrinsic that adds or subtracts linear combinations of vectors. What is None here, rows or terms, it is given."""

    def combine(typingctx, numbers, out, rows, base, factors, across, along, vectors, stride, count):
        """Row r of `out`: row r of `base` ± Σ factor[r, k] vector[k], over `count` values of k.

        Factor [r, k] is at `factors + across r + along k`, vector k at `vectors + stride k`.
        """

        def codegen(context, builder, signature, args):
            _, out, rows, base, factors, across, along, vectors, stride, count = args
            product = _Product(
                builder,
                data_of(context, builder, signature, 0, args[0]),
                (factors, across, along),
                (vectors, stride),
                subtract,
            )
            fresh = builder.icmp_signed("<", base, long(0))
            base = builder.select(fresh, out, base)
            zeros = ir.Constant(doubles(LANES), [0.0] * LANES)

            def start(r: Any) -> Any:
                old = load(builder, product.data, builder.add(base, builder.mul(r, long(LANES))), LANES)
                return builder.select(fresh, zeros, old)

            def finish(r: Any, total: Any) -> None:
                store(builder, total, product.data, builder.add(out, builder.mul(r, long(LANES))))

            if terms is not None:  # vectors stay in registers
                lines = [product.vector(long(k)) for k in range(terms)]
                with repeat(builder, rows) as r:
                    total = start(r)
                    for k, line in enumerate(lines):
                        total = product.add(total, r, long(k), line)
                    finish(r, total)
            elif rows_here is not None:  # sums stay in registers
                sums = [cgutils.alloca_once_value(builder, start(long(r))) for r in range(rows_here)]
                with repeat(builder, count) as k:
                    line = product.vector(k)
                    for r, place in enumerate(sums):
                        builder.store(product.add(builder.load(place), long(r), k, line), place)
                for r, place in enumerate(sums):
                    finish(long(r), builder.load(place))
            else:
                place = cgutils.alloca_once(builder, doubles(LANES))
                with repeat(builder, rows) as r:
                    builder.store(start(r), place)
                    with repeat(builder, count) as k:
                        builder.store(product.add(builder.load(place), r, k, product.vector(k)), place)
                    finish(r, builder.load(place))
            return context.get_dummy_value()

        return types.none(numbers, *[types.int64] * 9), codegen

    return intrinsic(combine)


class _Product:
    """Factors times vectors, where an intrinsic is compiled."""

    def __init__(self, builder: Any, data: Any, factors: Any, vectors: Any, subtract: bool) -> None:
        self.builder, self.data, self._factors, self._vectors, self._subtract = (
            builder,
            data,
            factors,
            vectors,
            subtract,
        )

    def vector(self, k: Any) -> Any:
        """Vector k."""
        first, stride = self._vectors
        return load(self.builder, self.data, self.builder.add(first, self.builder.mul(stride, k)), LANES)

    def add(self, total: Any, r: Any, k: Any, line: Any) -> Any:
        """`total` ± factor [r, k] times vector k, which is `line`."""
        builder, (first, across, along) = self.builder, self._factors
        place = builder.add(builder.add(first, builder.mul(across, r)), builder.mul(along, k))
        factor = builder.load(builder.gep(self.data, [place]))
        factor = builder.fneg(factor) if self._subtract else factor
        return builder.fadd(total, builder.fmul(broadcast(builder, factor, LANES), line, flags=FUSED), flags=FUSED)


# Products with six terms; with six rows; with any number of both.
add_six, subtract_six = combiner(None, 6, False), combiner(None, 6, True)
add_to_six, subtract_from_six = combiner(6, None, False), combiner(6, None, True)
add_rows = combiner(None, None, False)


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
            here = builder.icmp_signed("==", place, _splat(builder, k, places))
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


def _splat(builder: Any, number: Any, kind: Any) -> Any:
    nothing, zero = ir.Constant(kind, ir.Undefined), ir.IntType(32)
    one = builder.insert_element(nothing, number, ir.Constant(zero, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(zero, LANES), [0] * LANES))
