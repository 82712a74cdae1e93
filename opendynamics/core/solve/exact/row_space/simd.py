"""Panels of eight interleaved rows, as explicit vector instructions. All arrays are float64."""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, load, long, store
from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")

# Rows of a panel: as many numbers as a register of AVX-512 holds.
LANES = 8

# Rows that joints have most often fit into half of them.
FEW = 4

# Independent partial sums of one number, to hide the latency of additions.
SUMS = 4


@intrinsic
def subtract_before(typingctx, panel, j, row, at, first):
    """panel[j] -= Σ row[at + k - first] panel[k] for k from `first` to j."""

    def codegen(context, builder, signature, args):
        panel, j, row, at, first = args
        panel, row = (data_of(context, builder, signature, k, array) for k, array in ((0, panel), (2, row)))
        sums = [cgutils.alloca_once_value(builder, ir.Constant(doubles(LANES), [0.0] * LANES)) for _ in range(SUMS)]
        at = builder.sub(at, first)

        def add(k, total):
            factor = broadcast(builder, builder.load(builder.gep(row, [builder.add(at, k)])), LANES)
            product = builder.fmul(factor, _load(builder, panel, k), flags=FUSED)
            builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)

        complete = builder.add(first, builder.and_(builder.sub(j, first), long(-SUMS)))
        with cgutils.for_range_slice(builder, first, complete, long(SUMS), first.type) as (k, _):
            for number, total in enumerate(sums):
                add(builder.add(k, long(number)), total)
        with cgutils.for_range_slice(builder, complete, j, long(1), first.type) as (k, _):
            add(k, sums[0])
        one, two, three, four = (builder.load(total) for total in sums)
        total = builder.fadd(builder.fadd(one, two), builder.fadd(three, four))
        _store(builder, builder.fsub(_load(builder, panel, j), total), panel, j)
        return context.get_dummy_value()

    return types.none(panel, types.int64, row, types.int64, types.int64), codegen


@intrinsic
def scale_panel(typingctx, panel, target, factors, count):
    """target[k] = factors[k] panel[k] for the first `count` values of k."""

    def codegen(context, builder, signature, args):
        panel, target, factors, count = args
        panel, target, factors = (
            data_of(context, builder, signature, k, array) for k, array in enumerate((panel, target, factors))
        )
        with cgutils.for_range(builder, count) as loop:
            factor = broadcast(builder, builder.load(builder.gep(factors, [loop.index])), LANES)
            _store(builder, builder.fmul(factor, _load(builder, panel, loop.index)), target, loop.index)
        return context.get_dummy_value()

    return types.none(panel, target, factors, types.int64), codegen


@intrinsic
def panel_products(typingctx, panel, other, first, end, products):
    """Number m of products[r] is the product of row m of `panel` and row r of `other`, over k from `first` to `end`."""

    def codegen(context, builder, signature, args):
        panel, other, first, end, products = args
        panel, other, products = (
            data_of(context, builder, signature, k, array) for k, array in ((0, panel), (1, other), (4, products))
        )
        sums = [cgutils.alloca_once_value(builder, ir.Constant(doubles(LANES), [0.0] * LANES)) for _ in range(LANES)]
        with cgutils.for_range_slice(builder, first, end, long(1), first.type) as (k, _):
            own, place = _load(builder, panel, k), builder.mul(k, long(LANES))
            for r, total in enumerate(sums):
                factor = broadcast(builder, builder.load(builder.gep(other, [builder.add(place, long(r))])), LANES)
                product = builder.fmul(own, factor, flags=FUSED)
                builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        for r, total in enumerate(sums):
            _store(builder, builder.load(total), products, long(r))
        return context.get_dummy_value()

    return types.none(panel, other, types.int64, types.int64, products), codegen


@intrinsic
def put_products(typingctx, target, row, count, numbers, left, right, sixes, vectors):
    """Product of the two matrices at `left` and `right`, into rows of `target` from `row`.

    The left one has `count` rows of `sixes` times six numbers. Rows of the right one and of the target have `vectors` vectors.
    """

    def codegen(context, builder, signature, args):
        target, row, count, numbers, left, right, sixes, vectors = args
        target, numbers = (data_of(context, builder, signature, k, array) for k, array in ((0, target), (3, numbers)))
        width, length = builder.mul(vectors, long(LANES)), builder.mul(sixes, long(6))
        total = cgutils.alloca_once(builder, doubles(LANES))
        with cgutils.for_range(builder, count) as line:
            own = builder.gep(numbers, [builder.add(left, builder.mul(line.index, length))])
            place = builder.gep(target, [builder.mul(builder.add(row, line.index), width)])
            with cgutils.for_range(builder, vectors) as part:
                builder.store(ir.Constant(doubles(LANES), [0.0] * LANES), total)
                with cgutils.for_range_slice(builder, long(0), length, long(6), length.type) as (first, _):
                    value = builder.load(total)
                    for number in range(6):
                        k = builder.add(first, long(number))
                        other = builder.gep(numbers, [builder.add(right, builder.mul(width, k))])
                        factor = broadcast(builder, builder.load(builder.gep(own, [k])), LANES)
                        product = builder.fmul(factor, _load(builder, other, part.index), flags=FUSED)
                        value = builder.fadd(value, product, flags=FUSED)
                    builder.store(value, total)
                _store(builder, builder.load(total), place, part.index)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, integer, numbers, integer, integer, integer, integer), codegen


@intrinsic
def subtract_row(typingctx, matrix, row, factor, other, first, vectors):
    """Subtract a multiple of row `other` from row `row`, both of `vectors` vectors, starting at vector `first`."""

    def codegen(context, builder, signature, args):
        matrix, row, factor, other, first, vectors = args
        matrix, factor = data_of(context, builder, signature, 0, matrix), broadcast(builder, factor, LANES)
        row, other = builder.mul(row, vectors), builder.mul(other, vectors)
        with cgutils.for_range_slice(builder, first, vectors, long(1), first.type) as (part, _):
            to = builder.add(row, part)
            product = builder.fmul(factor, _load(builder, matrix, builder.add(other, part)), flags=FUSED)
            _store(builder, builder.fsub(_load(builder, matrix, to), product, flags=FUSED), matrix, to)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(matrix, integer, types.float64, integer, integer, integer), codegen


@intrinsic
def product_with_row(typingctx, matrix, row, x, vectors):
    """Dot product of a row of `vectors` vectors with `x`."""

    def codegen(context, builder, signature, args):
        matrix, row, x, vectors = args
        matrix, x = data_of(context, builder, signature, 0, matrix), data_of(context, builder, signature, 2, x)
        row = builder.mul(row, vectors)
        total = cgutils.alloca_once_value(builder, ir.Constant(doubles(LANES), [0.0] * LANES))
        with cgutils.for_range(builder, vectors) as part:
            product = builder.fmul(
                _load(builder, matrix, builder.add(row, part.index)), _load(builder, x, part.index), flags=FUSED
            )
            builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        return _sum(builder, builder.load(total))

    return types.float64(matrix, types.int64, x, types.int64), codegen


def _sum(builder: Any, numbers: Any) -> Any:
    """Horizontal sum of a vector: halves are added until one number is left."""
    count = LANES
    while count > 1:
        count //= 2
        low, high = (
            builder.shuffle_vector(numbers, numbers, ir.Constant(ir.VectorType(ir.IntType(32), count), places))
            for places in (list(range(count)), list(range(count, 2 * count)))
        )
        numbers = builder.fadd(low, high)
    return builder.extract_element(numbers, ir.Constant(ir.IntType(32), 0))


def row_coupler(lanes: int, both: bool) -> Any:
    """Intrinsic that stores the couplings of rows with `lanes` columns from `j`, of `n`, through one body or both."""

    def store_couplings(typingctx, values, origin, first, end, jacobian, own, responses, n, j, other, fresh):
        """Products of rows from `first` to `end`, at offset `own` of their twelve numbers, with columns `other` ff. of M⁻¹ Jᵀ.

        Added to the stored values unless `fresh`.
        """
        wide, size = doubles(lanes), 12 if both else 6

        def codegen(context, builder, signature, args):
            values, origin, first, end, jacobian, own, responses, n, j, other, fresh = args
            values, origin, jacobian, responses = (
                data_of(context, builder, signature, k, array)
                for k, array in ((0, values), (1, origin), (4, jacobian), (6, responses))
            )
            columns = []
            for k in range(size):
                column = builder.mul(n, builder.add(other, long(k)))
                columns.append(load(builder, responses, builder.add(column, j), lanes))
            old = cgutils.alloca_once_value(builder, ir.Constant(wide, [0.0] * lanes))
            with cgutils.for_range_slice(builder, first, end, long(1), first.type) as (i, _):
                place = builder.add(builder.load(builder.gep(origin, [i])), j)
                builder.store(ir.Constant(wide, [0.0] * lanes), old)
                with builder.if_then(builder.icmp_signed("==", fresh, long(0))):
                    builder.store(load(builder, values, place, lanes), old)
                total, at = builder.load(old), builder.add(builder.mul(i, long(12)), own)
                for k, column in enumerate(columns):
                    factor = builder.load(builder.gep(jacobian, [builder.add(at, long(k))]))
                    product = builder.fmul(broadcast(builder, factor, lanes), column, flags=FUSED)
                    total = builder.fadd(total, product, flags=FUSED)
                store(builder, total, values, place)
            return context.get_dummy_value()

        integer = types.int64
        return types.none(
            values, origin, integer, integer, jacobian, integer, responses, integer, integer, integer, integer
        ), codegen

    return intrinsic(store_couplings)


def _load(builder: Any, panel: Any, k: Any) -> Any:
    return load(builder, panel, builder.mul(k, long(LANES)), LANES)


def _store(builder: Any, value: Any, panel: Any, k: Any) -> None:
    store(builder, value, panel, builder.mul(k, long(LANES)))
