"""Slices, dot products and the like (BLAS level 1), written so that LLVM vectorizes them.

Two things prevent that otherwise: a sum may not be reordered unless `fast_kernel` allows it, and a signed index may be negative
and count from the end, an unsigned one cannot. Operations on six numbers are explicit vector instructions on float64 arrays, some
of which read or write vectors of eight.

A vector load from where single numbers were just stored waits for the processor's store queue (failed store forwarding). So
`put6` stores what `dot12` soon reads, and loops of any length end in a scalar loop: masked vectors cost more than they gain where
each number is stored as it is computed (row-wise factorisations: 1.3 times the time).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, element, load, long, store
from opendynamics.core.kernels import LazyModule, fast_kernel, intrinsic, kernel

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")
arrayobj = LazyModule("numba.np.arrayobj")


# Doubles of a cache line: vectors that cross one take twice as long to load.
LINE = 8


ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def at_line(offset):
    """The next offset at which a cache line begins."""
    return (offset + LINE - 1) // LINE * LINE


@intrinsic
def piece(typingctx, array, first, count):
    """array[first : first + count], without Numba's handling of strides, negative indices and ends out of bounds."""

    def codegen(context, builder, signature, args):
        return _part(context, builder, signature.args[0], *args)

    return array(array, types.int64, types.int64), codegen


@intrinsic
def vector(typingctx, array, n, k):
    """Vector k of an array of contiguous vectors of length n."""

    def codegen(context, builder, signature, args):
        whole, length, number = args
        return _part(context, builder, signature.args[0], whole, builder.mul(length, number), length)

    return array(array, types.int64, types.int64), codegen


def _part(context, builder, array_type, array, first, count):
    whole = arrayobj.make_array(array_type)(context, builder, array)
    part = arrayobj.make_array(array_type)(context, builder)
    arrayobj.populate_array(
        part,
        data=builder.gep(whole.data, [first]),
        shape=cgutils.pack_array(builder, [count]),
        strides=whole.strides,
        itemsize=whole.itemsize,
        meminfo=None,
    )
    return part._getvalue()


@fast_kernel
def dot(a, i, b, j, n):
    """Sum of a[i + k] b[j + k] over the first `n` values of k; 0 if n is not positive."""
    total = 0.0
    if n > 0:
        first_a, first_b = np.uint64(i), np.uint64(j)
        for k in range(np.uint64(n)):
            total += a[first_a + k] * b[first_b + k]
    return total


@fast_kernel
def four_dots(a, i, j, k, m, n):
    """Dot products of the slices of length n at i and j with those at k and m: ik, jk, im, jm."""
    ik, jk, im, jm = 0.0, 0.0, 0.0, 0.0
    if n > 0:
        first_i, first_j, first_k, first_m = np.uint64(i), np.uint64(j), np.uint64(k), np.uint64(m)
        for t in range(np.uint64(n)):
            ik += a[first_i + t] * a[first_k + t]
            jk += a[first_j + t] * a[first_k + t]
            im += a[first_i + t] * a[first_m + t]
            jm += a[first_j + t] * a[first_m + t]
    return ik, jk, im, jm


@fast_kernel
def subtract(a, i, factor, b, j, n):
    """a[i + k] -= factor b[j + k] for the first `n` values of k."""
    if n > 0:
        first_a, first_b = np.uint64(i), np.uint64(j)
        for k in range(np.uint64(n)):
            a[first_a + k] -= factor * b[first_b + k]


@fast_kernel
def dot6(a, i, b, j):
    """Dot product of the six numbers at `i` with the six at `j`."""
    first_a, first_b = np.uint64(i), np.uint64(j)
    total = 0.0
    for k in range(np.uint64(6)):
        total += a[first_a + k] * b[first_b + k]
    return total


@intrinsic
def dot12(typingctx, a, i, b, j):
    """Dot product of the twelve numbers at `i` with the twelve at `j`."""

    def codegen(context, builder, signature, args):
        a, i, b, j = args
        a, b = data_of(context, builder, signature, 0, a), data_of(context, builder, signature, 2, b)
        product = builder.fmul(load(builder, a, i, 6), load(builder, b, j, 6), flags=FUSED)
        i, j = builder.add(i, long(6)), builder.add(j, long(6))
        beyond = builder.fmul(load(builder, a, i, 6), load(builder, b, j, 6), flags=FUSED)
        return _sum(builder, builder.fadd(product, beyond, flags=FUSED))

    return types.float64(a, types.int64, b, types.int64), codegen


@intrinsic
def dot_sides(typingctx, row, i, a, b, j):
    """Dot product of the twelve numbers of `row` with six of `a`, then six of `b`, both at `j`."""

    def codegen(context, builder, signature, args):
        row, i, a, b, j = args
        row, a, b = (data_of(context, builder, signature, k, array) for k, array in ((0, row), (2, a), (3, b)))
        product = builder.fmul(load(builder, row, i, 6), load(builder, a, j, 6), flags=FUSED)
        beyond = builder.fmul(load(builder, row, builder.add(i, long(6)), 6), load(builder, b, j, 6), flags=FUSED)
        return _sum(builder, builder.fadd(product, beyond, flags=FUSED))

    return types.float64(row, types.int64, a, b, types.int64), codegen


@intrinsic
def add6(typingctx, a, i, factor, b, j):
    """a[i + k] += factor b[j + k] for six values of k."""

    def codegen(context, builder, signature, args):
        a, i, factor, b, j = args
        a, b = data_of(context, builder, signature, 0, a), data_of(context, builder, signature, 3, b)
        product = builder.fmul(load(builder, b, j, 6), broadcast(builder, factor, 6), flags=FUSED)
        total = builder.fadd(load(builder, a, i, 6), product, flags=FUSED)
        store(builder, total, a, i)
        return context.get_dummy_value()

    return types.none(a, types.int64, types.float64, b, types.int64), codegen


def _put(width: int) -> Any:
    """An intrinsic that writes the six numbers of a tuple as a vector of `width`, the rest 0."""

    def put(typingctx, a, i, numbers):
        """a[i + k] = numbers[k] for the six of a tuple."""

        def codegen(context, builder, signature, args):
            a, i, numbers = args
            a, places = data_of(context, builder, signature, 0, a), ir.IntType(32)
            value = ir.Constant(doubles(width), ir.Undefined)
            for k in range(width):
                number = builder.extract_value(numbers, k) if k < 6 else ir.Constant(ir.DoubleType(), 0.0)
                value = builder.insert_element(value, number, ir.Constant(places, k))
            store(builder, value, a, i)
            return context.get_dummy_value()

        return types.none(a, types.int64, numbers), codegen

    return intrinsic(put)


put6 = _put(6)
put8 = _put(8)  # two more places, which become 0


@intrinsic
def subtract_products(typingctx, total, a, i, b, j):
    """total - a[i] b[j] - a[i + 1] b[j + 1] - ..., six products of vectors of eight, each rounded and subtracted in turn."""

    def codegen(context, builder, signature, args):
        total, a, i, b, j = args
        a, b = data_of(context, builder, signature, 1, a), data_of(context, builder, signature, 3, b)
        products = builder.fmul(load(builder, a, i, 8), load(builder, b, j, 8))
        for k in range(6):
            total = builder.fsub(total, element(builder, products, k))
        return total

    return types.float64(total, a, types.int64, b, types.int64), codegen


@intrinsic
def add_product(typingctx, a, i, factor, b, j):
    """a[i + k] += factor b[j + k] for eight values of k; products are rounded."""

    def codegen(context, builder, signature, args):
        a, i, factor, b, j = args
        a, b = data_of(context, builder, signature, 0, a), data_of(context, builder, signature, 3, b)
        product = builder.fmul(load(builder, b, j, 8), broadcast(builder, factor, 8))
        store(builder, builder.fadd(load(builder, a, i, 8), product), a, i)
        return context.get_dummy_value()

    return types.none(a, types.int64, types.float64, b, types.int64), codegen


@intrinsic
def push_bodies(typingctx, wrenches, a, b, jacobian, stride, x, first, end):
    """Add Jᵀ x of the rows from `first` to `end`, `stride` numbers apart, to the six numbers at `a` and those at `b`."""

    def codegen(context, builder, signature, args):
        wrenches, a, b, jacobian, stride, x, first, end = args
        wrenches, jacobian, x = (
            data_of(context, builder, signature, k, array) for k, array in ((0, wrenches), (3, jacobian), (5, x))
        )
        sums = [cgutils.alloca_once_value(builder, load(builder, wrenches, at, 6)) for at in (a, b)]
        with cgutils.for_range_slice(builder, first, end, long(1), first.type) as (k, _):
            force = broadcast(builder, builder.load(builder.gep(x, [k])), 6)
            own = builder.mul(k, stride)
            for side, total in enumerate(sums):
                numbers = load(builder, jacobian, builder.add(own, long(6 * side)), 6)
                product = builder.fmul(force, numbers, flags=FUSED)
                builder.store(builder.fadd(builder.load(total), product, flags=FUSED), total)
        for at, total in zip((a, b), sums, strict=True):
            store(builder, builder.load(total), wrenches, at)
        return context.get_dummy_value()

    integer = types.int64
    return types.none(wrenches, integer, integer, jacobian, integer, x, integer, integer), codegen


def _sum(builder: Any, numbers: Any) -> Any:
    """Sum of six numbers: the halves are added, then the rest one by one."""
    low, high = (
        builder.shuffle_vector(numbers, numbers, ir.Constant(ir.VectorType(ir.IntType(32), 3), places))
        for places in ([0, 1, 2], [3, 4, 5])
    )
    half = builder.fadd(low, high)
    first, second, third = (element(builder, half, k) for k in range(3))
    return builder.fadd(builder.fadd(first, second), third)
