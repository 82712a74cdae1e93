"""Products of small blocks, written as vector instructions: LLVM does not find them in loops as short as these.

All arrays are float64; a number after an array is where in it a block begins.
"""

from __future__ import annotations

from opendynamics.core.kernels import Later, intrinsic

ir = Later("llvmlite.ir")
types = Later("numba.core.types")
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
def add_outer_product(typingctx, target, t, t_stride, rows, a, b, weight):
    """target += weight a bᵀ for a block of 6 by 6 with columns `t_stride` apart; a and b are parts of `rows`."""

    def codegen(context, builder, signature, args):
        target, t, t_stride, rows, a, b, weight = args
        rows = arrayobj.make_array(signature.args[3])(context, builder, rows).data
        target = arrayobj.make_array(signature.args[0])(context, builder, target).data
        column = _load(builder, rows, a, 6)
        for c in range(6):
            factor = builder.load(builder.gep(rows, [builder.add(b, ir.Constant(b.type, c))]))
            factor = _spread(builder, builder.fmul(weight, factor), 6)
            at = builder.add(t, builder.mul(t_stride, ir.Constant(t.type, c)))
            total = builder.fadd(_load(builder, target, at, 6), builder.fmul(column, factor, flags=FUSED), flags=FUSED)
            _store(builder, total, target, at)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(target, integer, integer, rows, integer, integer, types.float64), codegen


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
