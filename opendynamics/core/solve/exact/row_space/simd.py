"""Panels of eight rows, number k of all of them side by side, written as vector instructions. All arrays are float64."""

from __future__ import annotations

from typing import Any

from opendynamics.core.kernels import Later, intrinsic

ir = Later("llvmlite.ir")
types = Later("numba.core.types")
cgutils = Later("numba.core.cgutils")
arrayobj = Later("numba.np.arrayobj")

# Rows of a panel: as many numbers as a register of AVX-512 holds.
LANES = 8

# Sums that one number is taken from, so that the processor need not wait for each.
SUMS = 4

# A product and a sum may become one instruction.
FUSED = ("contract",)


@intrinsic
def subtract_before(typingctx, panel, j, row, at, first):
    """panel[j] -= Σ row[at + k - first] panel[k] over k from `first` to j."""

    def codegen(context, builder, signature, args):
        panel, j, row, at, first = args
        panel, row = (_data(context, builder, signature, k, array) for k, array in ((0, panel), (2, row)))
        sums = [cgutils.alloca_once_value(builder, ir.Constant(_vector(), [0.0] * LANES)) for _ in range(SUMS)]
        at = builder.sub(at, first)

        def add(k, total):
            factor = _spread(builder, builder.load(builder.gep(row, [builder.add(at, k)])))
            product = builder.fmul(factor, _load(builder, panel, k), flags=FUSED)
            builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)

        complete = builder.add(first, builder.and_(builder.sub(j, first), _long(-SUMS)))
        with cgutils.for_range_slice(builder, first, complete, _long(SUMS), first.type) as (k, _):
            for number, total in enumerate(sums):
                add(builder.add(k, _long(number)), total)
        with cgutils.for_range_slice(builder, complete, j, _long(1), first.type) as (k, _):
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
            _data(context, builder, signature, k, array) for k, array in enumerate((panel, target, factors))
        )
        with cgutils.for_range(builder, count) as loop:
            factor = _spread(builder, builder.load(builder.gep(factors, [loop.index])))
            _store(builder, builder.fmul(factor, _load(builder, panel, loop.index)), target, loop.index)
        return context.get_dummy_value()

    return types.none(panel, target, factors, types.int64), codegen


@intrinsic
def panel_products(typingctx, panel, other, first, end, products):
    """Number m of products[r] is the product of row m of `panel` and row r of `other`, over k from `first` to `end`."""

    def codegen(context, builder, signature, args):
        panel, other, first, end, products = args
        panel, other, products = (
            _data(context, builder, signature, k, array) for k, array in ((0, panel), (1, other), (4, products))
        )
        sums = [cgutils.alloca_once_value(builder, ir.Constant(_vector(), [0.0] * LANES)) for _ in range(LANES)]
        with cgutils.for_range_slice(builder, first, end, _long(1), first.type) as (k, _):
            own, place = _load(builder, panel, k), builder.mul(k, _long(LANES))
            for r, total in enumerate(sums):
                factor = _spread(builder, builder.load(builder.gep(other, [builder.add(place, _long(r))])))
                product = builder.fmul(own, factor, flags=FUSED)
                builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        for r, total in enumerate(sums):
            _store(builder, builder.load(total), products, _long(r))
        return context.get_dummy_value()

    return types.none(panel, other, types.int64, types.int64, products), codegen


def _data(context: Any, builder: Any, signature: Any, k: int, array: Any) -> Any:
    return arrayobj.make_array(signature.args[k])(context, builder, array).data


def _long(number: int) -> Any:
    return ir.Constant(ir.IntType(64), number)


def _vector() -> Any:
    return ir.VectorType(ir.DoubleType(), LANES)


def _address(builder: Any, panel: Any, k: Any) -> Any:
    return builder.bitcast(builder.gep(panel, [builder.mul(k, _long(LANES))]), _vector().as_pointer())


def _load(builder: Any, panel: Any, k: Any) -> Any:
    return builder.load(_address(builder, panel, k), align=8)


def _store(builder: Any, value: Any, panel: Any, k: Any) -> None:
    builder.store(value, _address(builder, panel, k), align=8)


def _spread(builder: Any, number: Any) -> Any:
    """A vector with `number` in every place."""
    nothing, places = ir.Constant(_vector(), ir.Undefined), ir.VectorType(ir.IntType(32), LANES)
    one = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(places, [0] * LANES))
