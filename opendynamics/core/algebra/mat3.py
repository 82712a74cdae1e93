"""3x3 matrices as tuples of nine floats, row by row."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import dot
from opendynamics.core.kernels import kernel


@kernel
def get9(array):
    """The first nine numbers of `array` as a matrix."""
    return array[0], array[1], array[2], array[3], array[4], array[5], array[6], array[7], array[8]


@kernel
def set9(array, m):
    """Write matrix `m` to the first nine places of `array`."""
    array[0] = m[0]
    array[1] = m[1]
    array[2] = m[2]
    array[3] = m[3]
    array[4] = m[4]
    array[5] = m[5]
    array[6] = m[6]
    array[7] = m[7]
    array[8] = m[8]


@kernel
def row0(m):
    return m[0], m[1], m[2]


@kernel
def row1(m):
    return m[3], m[4], m[5]


@kernel
def row2(m):
    return m[6], m[7], m[8]


@kernel
def column0(m):
    return m[0], m[3], m[6]


@kernel
def column1(m):
    return m[1], m[4], m[7]


@kernel
def column2(m):
    return m[2], m[5], m[8]


@kernel
def times(m, v):
    """m v."""
    return dot(row0(m), v), dot(row1(m), v), dot(row2(m), v)


@kernel
def transposed_times(m, v):
    """mᵀ v."""
    return dot(column0(m), v), dot(column1(m), v), dot(column2(m), v)


@kernel
def transposed(m):
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


@kernel
def product(a, b):
    """a b."""
    x = times(a, column0(b))
    y = times(a, column1(b))
    z = times(a, column2(b))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def product_transposed(a, b):
    """a bᵀ."""
    x = times(a, row0(b))
    y = times(a, row1(b))
    z = times(a, row2(b))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def turned(r, m):
    """r m rᵀ: the tensor `m` of a turned frame, seen from outside."""
    return product(r, product_transposed(m, r))


@kernel
def determinant(m):
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])


@kernel
def inverse(m, d):
    """Inverse of `m` whose determinant is `d`, by cofactors."""
    k = 1.0 / d
    return (
        (m[4] * m[8] - m[5] * m[7]) * k,
        (m[2] * m[7] - m[1] * m[8]) * k,
        (m[1] * m[5] - m[2] * m[4]) * k,
        (m[5] * m[6] - m[3] * m[8]) * k,
        (m[0] * m[8] - m[2] * m[6]) * k,
        (m[2] * m[3] - m[0] * m[5]) * k,
        (m[3] * m[7] - m[4] * m[6]) * k,
        (m[1] * m[6] - m[0] * m[7]) * k,
        (m[0] * m[4] - m[1] * m[3]) * k,
    )


@kernel
def cross_matrix(v):
    """[v]x, the matrix with [v]x u = v x u."""
    return 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0
