"""Products of small blocks, written as vector instructions: LLVM does not find them in loops as short as these.

All arrays are float64; a number after an array is where in it a block begins.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, element, load, long, store
from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")


@intrinsic
def subtract_product(typingctx, target, t, t_stride, source, a, b, s_stride, blocks):
    """target -= A Bᵀ for a block B of 6 by 6 and a panel A of some blocks one below the other, both of them parts of `source`.

    Columns are `stride` apart.
    """

    def codegen(context, builder, signature, args):
        target, t, t_stride, source, a, b, s_stride, blocks = args
        source = data_of(context, builder, signature, 3, source)
        target = data_of(context, builder, signature, 0, target)
        weights = [builder.add(b, builder.mul(s_stride, ir.Constant(b.type, k))) for k in range(6)]

        def subtract(first, width):
            """Of the panel, `width` rows from `first` on."""
            columns = []
            for k in range(6):
                offset = builder.mul(s_stride, ir.Constant(s_stride.type, k))
                columns.append(load(builder, source, builder.add(builder.add(a, first), offset), width))
            for c in range(6):
                at = builder.add(builder.add(t, first), builder.mul(t_stride, ir.Constant(t.type, c)))
                total = load(builder, target, at, width)
                for k in range(6):
                    factor = builder.load(builder.gep(source, [builder.add(weights[k], ir.Constant(b.type, c))]))
                    product = builder.fmul(columns[k], broadcast(builder, factor, width), flags=FUSED)
                    total = builder.fsub(total, product, flags=FUSED)
                store(builder, total, target, at)

        rows = builder.mul(blocks, ir.Constant(blocks.type, 6))
        eights = builder.udiv(rows, ir.Constant(rows.type, 8))
        with cgutils.for_range(builder, eights) as loop:
            subtract(builder.mul(loop.index, ir.Constant(rows.type, 8)), 8)
        done = builder.mul(eights, ir.Constant(rows.type, 8))
        left = builder.sub(rows, done)
        for width in (2, 4, 6):
            with builder.if_then(builder.icmp_unsigned("==", left, ir.Constant(rows.type, width))):
                subtract(done, width)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, integer, source, integer, integer, integer, integer), codegen


@intrinsic
def invert_factor(typingctx, block):
    """block <- L⁻¹ for a block of 6 by 6, L Lᵀ, of which the lower triangle is read; zeros above.

    By L D Lᵀ, which has six divisions one after the other, but no square root between them. What is not positive definite
    ends as NaN.
    """

    def codegen(context, builder, signature, args):
        data = data_of(context, builder, signature, 0, args[0])
        one, zero = (ir.Constant(ir.DoubleType(), number) for number in (1.0, 0.0))
        a = {(i, j): _number(builder, data, 6 * j + i) for j in range(6) for i in range(j, 6)}
        inverses, factor = [], {}
        for j in range(6):
            inverses.append(builder.fdiv(one, a[j, j]))
            for i in range(j + 1, 6):
                factor[i, j] = builder.fmul(a[i, j], inverses[j])
            for k in range(j + 1, 6):
                for i in range(k, 6):
                    a[i, k] = _less(builder, a[i, k], factor[i, j], a[k, j])
        for j in range(6):
            column = {j: one}
            for i in range(j + 1, 6):
                column[i] = builder.fneg(factor[i, j])
                for k in range(j + 1, i):
                    column[i] = _less(builder, column[i], factor[i, k], column[k])
            for i in range(6):
                value = builder.fmul(column[i], _root(builder, inverses[i])) if i >= j else zero
                builder.store(value, builder.gep(data, [long(6 * j + i)]))
        return context.get_dummy_value()

    return types.none(block), codegen


@intrinsic
def multiply_by_transpose(typingctx, panel, at, stride, factor):
    """B <- B Wᵀ for a block of 6 by 6 at `at` in `panel`, columns `stride` apart, with W lower triangular."""

    def codegen(context, builder, signature, args):
        panel, at, stride, factor = args
        panel, factor = (data_of(context, builder, signature, k, array) for k, array in ((0, panel), (3, factor)))
        places = [builder.add(at, builder.mul(stride, ir.Constant(stride.type, c))) for c in range(6)]
        columns = [load(builder, panel, place, 6) for place in places]
        for c, place in enumerate(places):
            total = None
            for k in range(c + 1):
                weight = broadcast(builder, _number(builder, factor, 6 * k + c), 6)
                product = builder.fmul(columns[k], weight, flags=FUSED)
                total = product if total is None else builder.fadd(total, product, flags=FUSED)
            store(builder, total, panel, place)
        return context.get_dummy_value()

    return types.none(panel, types.int64, types.int64, factor), codegen


@intrinsic
def multiply_by_factor(typingctx, x, t, factor):
    """x <- W x for six numbers at `t`, with W lower triangular, and zeros above."""

    def codegen(context, builder, signature, args):
        x, t, factor = args
        x, factor = (data_of(context, builder, signature, k, array) for k, array in ((0, x), (2, factor)))
        sums = [None, None]
        for k in range(6):
            weight = broadcast(builder, builder.load(builder.gep(x, [builder.add(t, ir.Constant(t.type, k))])), 6)
            product = builder.fmul(load(builder, factor, ir.Constant(t.type, 6 * k), 6), weight, flags=FUSED)
            sums[k % 2] = product if sums[k % 2] is None else builder.fadd(sums[k % 2], product, flags=FUSED)
        store(builder, builder.fadd(*sums), x, t)
        return context.get_dummy_value()

    return types.none(x, types.int64, factor), codegen


@intrinsic
def subtract_block_times(typingctx, x, t, panel, at, stride, s):
    """Six numbers at `t` of x less B times the six at `s`, for the block B at `at` in `panel`."""

    def codegen(context, builder, signature, args):
        x, t, panel, at, stride, s = args
        x, panel = (data_of(context, builder, signature, k, array) for k, array in ((0, x), (2, panel)))
        sums = [load(builder, x, t, 6), None]
        for k in range(6):
            weight = broadcast(builder, builder.load(builder.gep(x, [builder.add(s, ir.Constant(s.type, k))])), 6)
            column = load(builder, panel, builder.add(at, builder.mul(stride, ir.Constant(stride.type, k))), 6)
            product = builder.fmul(column, weight, flags=FUSED)
            if k % 2:
                sums[1] = product if sums[1] is None else builder.fadd(sums[1], product, flags=FUSED)
            else:
                sums[0] = builder.fsub(sums[0], product, flags=FUSED)
        store(builder, builder.fsub(*sums), x, t)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(x, integer, panel, integer, integer, integer), codegen


@intrinsic
def solve_column_back(typingctx, x, t, panel, blocks, pattern, factor):
    """Six numbers at `t` of x <- Wᵀ (themselves - Σ Bᵀ x') over the panel's blocks B, whose bodies `pattern` names."""

    def codegen(context, builder, signature, args):
        x, t, panel, blocks, pattern, factor = args
        x, panel, pattern, factor = (
            data_of(context, builder, signature, k, array)
            for k, array in ((0, x), (2, panel), (4, pattern), (5, factor))
        )
        stride = builder.mul(blocks, ir.Constant(blocks.type, 6))
        sums = [cgutils.alloca_once_value(builder, ir.Constant(doubles(6), [0.0] * 6)) for _ in range(6)]
        with cgutils.for_range(builder, blocks) as loop:
            body = builder.load(builder.gep(pattern, [loop.index]))
            values = load(builder, x, builder.mul(body, ir.Constant(body.type, 6)), 6)
            at = builder.mul(loop.index, ir.Constant(blocks.type, 6))
            for c, total in enumerate(sums):
                column = load(builder, panel, builder.add(at, builder.mul(stride, ir.Constant(stride.type, c))), 6)
                product = builder.fmul(column, values, flags=FUSED)
                builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        own = [builder.load(builder.gep(x, [builder.add(t, ir.Constant(t.type, c))])) for c in range(6)]
        rest = [builder.fsub(a, _sum(builder, builder.load(b))) for a, b in zip(own, sums, strict=True)]
        for c in range(6):
            value = ir.Constant(ir.DoubleType(), 0.0)
            for k in range(c, 6):
                product = builder.fmul(_number(builder, factor, 6 * c + k), rest[k], flags=FUSED)
                value = builder.fadd(value, product, flags=FUSED)
            builder.store(value, builder.gep(x, [builder.add(t, ir.Constant(t.type, c))]))
        return context.get_dummy_value()

    return types.none(x, types.int64, panel, types.int64, pattern, factor), codegen


@intrinsic
def add_outer_products(typingctx, target, t, t_stride, rows, a, b, weights, first, end):
    """target += Σ weight a bᵀ over the rows from `first` to `end`, whose twelve numbers have a and b at these places.

    `target` is a block of 6 by 6 with columns `t_stride` apart, which stays in registers meanwhile.
    """

    def codegen(context, builder, signature, args):
        target, t, t_stride, rows, a, b, weights, first, end = args
        target, rows, weights = (
            data_of(context, builder, signature, k, array) for k, array in ((0, target), (3, rows), (6, weights))
        )
        places = [builder.add(t, builder.mul(t_stride, ir.Constant(t.type, c))) for c in range(6)]
        sums = [cgutils.alloca_once_value(builder, load(builder, target, at, 6)) for at in places]
        with cgutils.for_range_slice(builder, first, end, ir.Constant(first.type, 1), first.type) as (row, _):
            at = builder.mul(row, ir.Constant(row.type, 12))
            weight = builder.load(builder.gep(weights, [row]))
            column = load(builder, rows, builder.add(at, a), 6)
            at = builder.add(at, b)
            for c, total in enumerate(sums):
                factor = builder.load(builder.gep(rows, [builder.add(at, ir.Constant(at.type, c))]))
                factor = broadcast(builder, builder.fmul(weight, factor), 6)
                product = builder.fmul(column, factor, flags=FUSED)
                builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        for at, total in zip(places, sums, strict=True):
            store(builder, builder.load(total), target, at)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, integer, rows, integer, integer, weights, integer, integer), codegen


@intrinsic
def add_multiples(typingctx, target, t, rows, a, weights, first, end):
    """target += Σ weight a for six numbers, over the rows from `first` to `end`, whose twelve numbers have a at that place."""

    def codegen(context, builder, signature, args):
        target, t, rows, a, weights, first, end = args
        target, rows, weights = (
            data_of(context, builder, signature, k, array) for k, array in ((0, target), (2, rows), (4, weights))
        )
        total = cgutils.alloca_once_value(builder, load(builder, target, t, 6))
        with cgutils.for_range_slice(builder, first, end, ir.Constant(first.type, 1), first.type) as (row, _):
            weight = builder.load(builder.gep(weights, [row]))
            at = builder.add(builder.mul(row, ir.Constant(row.type, 12)), a)
            product = builder.fmul(load(builder, rows, at, 6), broadcast(builder, weight, 6), flags=FUSED)
            builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        store(builder, builder.load(total), target, t)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, rows, integer, weights, integer, integer), codegen


@intrinsic
def columns_times(typingctx, columns, at, stride, y, a, b):
    """Products of four rows with the six numbers at `a` of y, and the six at `b`.

    Twelve columns of the rows are at `at` in `columns`, with the stride `stride`.
    """

    def codegen(context, builder, signature, args):
        columns, at, stride, y, a, b = args
        columns, y = (data_of(context, builder, signature, k, array) for k, array in ((0, columns), (3, y)))
        sums: list[Any] = [None] * 3
        for c in range(12):
            place = builder.add(a if c < 6 else b, ir.Constant(a.type, c % 6))
            factor = broadcast(builder, builder.load(builder.gep(y, [place])), 4)
            column = load(builder, columns, builder.add(at, builder.mul(stride, ir.Constant(at.type, c))), 4)
            product = builder.fmul(column, factor, flags=FUSED)
            sums[c % 3] = product if c < 3 else builder.fadd(sums[c % 3], product, flags=FUSED)
        total = builder.fadd(builder.fadd(sums[0], sums[1]), sums[2])
        parts = [element(builder, total, k) for k in range(4)]
        return context.make_tuple(builder, signature.return_type, parts)

    integer = types.int64
    return types.UniTuple(types.float64, 4)(columns, integer, integer, y, integer, integer), codegen


@intrinsic
def add_multiple(typingctx, target, t, rows, a, weight):
    """target += weight a for six numbers."""

    def codegen(context, builder, signature, args):
        target, t, rows, a, weight = args
        rows = data_of(context, builder, signature, 2, rows)
        target = data_of(context, builder, signature, 0, target)
        product = builder.fmul(load(builder, rows, a, 6), broadcast(builder, weight, 6), flags=FUSED)
        store(builder, builder.fadd(load(builder, target, t, 6), product, flags=FUSED), target, t)
        return context.get_dummy_value()

    return types.none(target, types.int64, rows, types.int64, types.float64), codegen


def _number(builder, data, k):
    """Number k of an array."""
    return builder.load(builder.gep(data, [long(k)]))


def _less(builder, value, a, b):
    """value - a b."""
    return builder.fsub(value, builder.fmul(a, b, flags=FUSED), flags=FUSED)


def _root(builder, number):
    """The square root."""
    kind = ir.FunctionType(number.type, [number.type])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.sqrt.f64"), [number])


def _sum(builder, values):
    """The sum of six numbers, by halves."""
    parts = [element(builder, values, k) for k in range(6)]
    halves = [builder.fadd(parts[k], parts[k + 3]) for k in range(3)]
    return builder.fadd(builder.fadd(halves[0], halves[1]), halves[2])
