"""Panels of eight rows, number k of all of them side by side, written as vector instructions. All arrays are float64."""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.simd import FUSED, data_of, doubles, load, long, spread, store
from opendynamics.core.kernels import Later, intrinsic

ir = Later("llvmlite.ir")
types = Later("numba.core.types")
cgutils = Later("numba.core.cgutils")

# Rows of a panel: as many numbers as a register of AVX-512 holds.
LANES = 8

# Sums that one number is taken from, so that the processor need not wait for each.
SUMS = 4


@intrinsic
def subtract_before(typingctx, panel, j, row, at, first):
    """panel[j] -= Σ row[at + k - first] panel[k] over k from `first` to j."""

    def codegen(context, builder, signature, args):
        panel, j, row, at, first = args
        panel, row = (data_of(context, builder, signature, k, array) for k, array in ((0, panel), (2, row)))
        sums = [cgutils.alloca_once_value(builder, ir.Constant(doubles(LANES), [0.0] * LANES)) for _ in range(SUMS)]
        at = builder.sub(at, first)

        def add(k, total):
            factor = spread(builder, builder.load(builder.gep(row, [builder.add(at, k)])), LANES)
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
            factor = spread(builder, builder.load(builder.gep(factors, [loop.index])), LANES)
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
                factor = spread(builder, builder.load(builder.gep(other, [builder.add(place, long(r))])), LANES)
                product = builder.fmul(own, factor, flags=FUSED)
                builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        for r, total in enumerate(sums):
            _store(builder, builder.load(total), products, long(r))
        return context.get_dummy_value()

    return types.none(panel, other, types.int64, types.int64, products), codegen


def _load(builder: Any, panel: Any, k: Any) -> Any:
    return load(builder, panel, builder.mul(k, long(LANES)), LANES)


def _store(builder: Any, value: Any, panel: Any, k: Any) -> None:
    store(builder, value, panel, builder.mul(k, long(LANES)))
