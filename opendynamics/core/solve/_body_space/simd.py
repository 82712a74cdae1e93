"""Products of small blocks, written as vector instructions: LLVM does not find them in loops as short as these.

All arrays are float64; a number after an array is where in it a block begins.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.kernels import Later, intrinsic

ir = Later("llvmlite.ir")
types = Later("numba.core.types")
cgutils = Later("numba.core.cgutils")
arrayobj = Later("numba.np.arrayobj")

# A product and a sum may become one instruction.
FUSED = ("contract",)


@intrinsic
def subtract_block_product(typingctx, target, t, t_stride, source, a, b, s_stride):
    """target -= A Bᵀ for blocks of 6 by 6, columns `stride` apart, both of them parts of `source`."""

    def codegen(context, builder, signature, args):
        target, t, t_stride, source, a, b, s_stride = args
        source = arrayobj.make_array(signature.args[3])(context, builder, source).data
        target = arrayobj.make_array(signature.args[0])(context, builder, target).data
        columns = []
        offsets = []
        for k in range(6):
            offset = builder.mul(s_stride, ir.Constant(s_stride.type, k))
            columns.append(_load(builder, source, builder.add(a, offset), 6))
            offsets.append(builder.add(b, offset))
        for c in range(6):
            at = builder.add(t, builder.mul(t_stride, ir.Constant(t.type, c)))
            total = _load(builder, target, at, 6)
            for k in range(6):
                factor = builder.load(builder.gep(source, [builder.add(offsets[k], ir.Constant(b.type, c))]))
                product = builder.fmul(columns[k], _spread(builder, factor, 6), flags=FUSED)
                total = builder.fsub(total, product, flags=FUSED)
            _store(builder, total, target, at)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, integer, source, integer, integer, integer), codegen


@intrinsic
def add_outer_products(typingctx, target, t, t_stride, rows, a, b, weights, first, end):
    """target += Σ weight a bᵀ over the rows from `first` to `end`, whose twelve numbers have a and b at these places.

    `target` is a block of 6 by 6 with columns `t_stride` apart, which stays in registers meanwhile.
    """

    def codegen(context, builder, signature, args):
        target, t, t_stride, rows, a, b, weights, first, end = args
        target, rows, weights = (
            arrayobj.make_array(signature.args[k])(context, builder, array).data
            for k, array in ((0, target), (3, rows), (6, weights))
        )
        places = [builder.add(t, builder.mul(t_stride, ir.Constant(t.type, c))) for c in range(6)]
        sums = [cgutils.alloca_once_value(builder, _load(builder, target, at, 6)) for at in places]
        with cgutils.for_range_slice(builder, first, end, ir.Constant(first.type, 1), first.type) as (row, _):
            at = builder.mul(row, ir.Constant(row.type, 12))
            weight = builder.load(builder.gep(weights, [row]))
            column = _load(builder, rows, builder.add(at, a), 6)
            at = builder.add(at, b)
            for c, total in enumerate(sums):
                factor = builder.load(builder.gep(rows, [builder.add(at, ir.Constant(at.type, c))]))
                factor = _spread(builder, builder.fmul(weight, factor), 6)
                product = builder.fmul(column, factor, flags=FUSED)
                builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        for at, total in zip(places, sums, strict=True):
            _store(builder, builder.load(total), target, at)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, integer, rows, integer, integer, weights, integer, integer), codegen


@intrinsic
def add_multiples(typingctx, target, t, rows, a, weights, first, end):
    """target += Σ weight a for six numbers, over the rows from `first` to `end`, whose twelve numbers have a at that place."""

    def codegen(context, builder, signature, args):
        target, t, rows, a, weights, first, end = args
        target, rows, weights = (
            arrayobj.make_array(signature.args[k])(context, builder, array).data
            for k, array in ((0, target), (2, rows), (4, weights))
        )
        total = cgutils.alloca_once_value(builder, _load(builder, target, t, 6))
        with cgutils.for_range_slice(builder, first, end, ir.Constant(first.type, 1), first.type) as (row, _):
            weight = builder.load(builder.gep(weights, [row]))
            at = builder.add(builder.mul(row, ir.Constant(row.type, 12)), a)
            product = builder.fmul(_load(builder, rows, at, 6), _spread(builder, weight, 6), flags=FUSED)
            builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        _store(builder, builder.load(total), target, t)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, rows, integer, weights, integer, integer), codegen


@intrinsic
def columns_times(typingctx, columns, at, stride, y, a, b):
    """Products of four rows with the six numbers at `a` of y, and the six at `b`.

    Of the rows, twelve columns stand at `at` in `columns`, `stride` apart.
    """

    def codegen(context, builder, signature, args):
        columns, at, stride, y, a, b = args
        columns, y = (
            arrayobj.make_array(signature.args[k])(context, builder, array).data for k, array in ((0, columns), (3, y))
        )
        sums: list[Any] = [None] * 3
        for c in range(12):
            place = builder.add(a if c < 6 else b, ir.Constant(a.type, c % 6))
            factor = _spread(builder, builder.load(builder.gep(y, [place])), 4)
            column = _load(builder, columns, builder.add(at, builder.mul(stride, ir.Constant(at.type, c))), 4)
            product = builder.fmul(column, factor, flags=FUSED)
            sums[c % 3] = product if c < 3 else builder.fadd(sums[c % 3], product, flags=FUSED)
        total = builder.fadd(builder.fadd(sums[0], sums[1]), sums[2])
        parts = [builder.extract_element(total, ir.Constant(ir.IntType(32), k)) for k in range(4)]
        return context.make_tuple(builder, signature.return_type, parts)

    integer = types.int64
    return types.UniTuple(types.float64, 4)(columns, integer, integer, y, integer, integer), codegen


@intrinsic
def add_multiple(typingctx, target, t, rows, a, weight):
    """target += weight a for six numbers."""

    def codegen(context, builder, signature, args):
        target, t, rows, a, weight = args
        rows = arrayobj.make_array(signature.args[2])(context, builder, rows).data
        target = arrayobj.make_array(signature.args[0])(context, builder, target).data
        product = builder.fmul(_load(builder, rows, a, 6), _spread(builder, weight, 6), flags=FUSED)
        _store(builder, builder.fadd(_load(builder, target, t, 6), product, flags=FUSED), target, t)
        return context.get_dummy_value()

    return types.none(target, types.int64, rows, types.int64, types.float64), codegen


def _vector(width):
    return ir.VectorType(ir.DoubleType(), width)


def _load(builder, data, at, width):
    pointer = builder.bitcast(builder.gep(data, [at]), _vector(width).as_pointer())
    return builder.load(pointer, align=8)


def _store(builder, value, data, at):
    builder.store(value, builder.bitcast(builder.gep(data, [at]), value.type.as_pointer()), align=8)


def _spread(builder, number, width):
    """A vector with `number` in every place."""
    one = builder.insert_element(ir.Constant(_vector(width), ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(one, ir.Constant(one.type, ir.Undefined), places)
