"""Slices, dot products and the like (BLAS level 1), written so that LLVM makes vector instructions of them.

Two things hinder it otherwise. A sum may not be reordered without leave: `fast_kernel` gives it. And a signed index may
count from the end: unsigned ones cannot.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.kernels import Later, fast_kernel, intrinsic

types = Later("numba.core.types")
cgutils = Later("numba.core.cgutils")
arrayobj = Later("numba.np.arrayobj")


@intrinsic
def piece(typingctx, array, first, count):
    """array[first : first + count], without Numba's care for steps, negative numbers and ends that lie beyond."""

    def codegen(context, builder, signature, args):
        return _part(context, builder, signature.args[0], *args)

    return array(array, types.int64, types.int64), codegen


@intrinsic
def vector(typingctx, array, n, k):
    """Vector k of those of length n that stand in `array` one after the other."""

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
    """Products of the stretches of length n that begin at i and j with those that begin at k and m: ik, jk, im, jm."""
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
    """Product of six numbers from `i` on with six from `j` on."""
    first_a, first_b = np.uint64(i), np.uint64(j)
    total = 0.0
    for k in range(np.uint64(6)):
        total += a[first_a + k] * b[first_b + k]
    return total
