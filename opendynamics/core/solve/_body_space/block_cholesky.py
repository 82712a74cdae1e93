"""H = L Lᵀ in 6 by 6 blocks, a block a body, columns from left to right.

Column k has its diagonal block at `diagonal[36 k]`, column by column, lower triangle; and below it a panel for all its
other blocks, at `panels[36 column[k]]`: six rows of the panel's length, so that element (r, c) stands at c * length + r
and loops run along r. The blocks of a column are those of `minimum_degree.sort_columns`. (George & Liu 1981; Ng & Peyton
1993.)
"""

from __future__ import annotations

import math

from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve._body_space.simd import subtract_block_product
from opendynamics.core.solve.dense import piece


@kernel
def factorise_blocks(bodies, column, pattern, row, row_column, row_at, place, diagonal, panels):
    """Factorise in place; diagonal elements end as their inverses. `place` is scratch."""
    for j in range(bodies):
        blocks = column[j + 1] - column[j]
        own = piece(panels, 36 * column[j], 36 * blocks)
        corner = piece(diagonal, 36 * j, 36)
        for at in range(blocks):
            place[pattern[column[j] + at]] = at
        for t in range(row[j], row[j + 1]):
            k, at = row_column[t], row_at[t]
            count = column[k + 1] - column[k]
            source = piece(panels, 36 * column[k], 36 * count)
            subtract_block_product(corner, 0, 6, source, 6 * at, 6 * at, 6 * count)
            for other in range(at + 1, count):
                to = 6 * place[pattern[column[k] + other]]
                subtract_block_product(own, to, 6 * blocks, source, 6 * other, 6 * at, 6 * count)
        _factorise_corner(corner)
        _divide_panel(own, 6 * blocks, corner)


@fast_kernel
def _factorise_corner(a):
    """Cholesky of a 6 by 6 block; its diagonal becomes the inverses."""
    for j in range(6):
        pivot = a[7 * j]
        for k in range(j):
            pivot -= a[6 * k + j] * a[6 * k + j]
        inverse = 1.0 / math.sqrt(pivot)
        a[7 * j] = inverse
        for i in range(j + 1, 6):
            value = a[6 * j + i]
            for k in range(j):
                value -= a[6 * k + i] * a[6 * k + j]
            a[6 * j + i] = value * inverse


@fast_kernel
def _divide_panel(panel, length, corner):
    """panel <- panel L⁻ᵀ."""
    for c in range(6):
        to = piece(panel, c * length, length)
        for k in range(c):
            factor = corner[6 * k + c]
            source = piece(panel, k * length, length)
            for r in range(length):
                to[r] -= factor * source[r]
        inverse = corner[7 * c]
        for r in range(length):
            to[r] *= inverse


@fast_kernel
def solve_blocks(bodies, column, pattern, buffer, diagonal, panels, x):
    """x <- H⁻¹ x, six numbers a body in the order of elimination."""
    for k in range(bodies):
        mine, corner = piece(x, 6 * k, 6), piece(diagonal, 36 * k, 36)
        for i in range(6):
            value = mine[i]
            for j in range(i):
                value -= corner[6 * j + i] * mine[j]
            mine[i] = value * corner[7 * i]
        length = 6 * (column[k + 1] - column[k])
        if length > 0:
            _combine_panel(piece(panels, 36 * column[k], 6 * length), length, mine, buffer)
            for at in range(length // 6):
                target, source = piece(x, 6 * pattern[column[k] + at], 6), piece(buffer, 6 * at, 6)
                for i in range(6):
                    target[i] -= source[i]
    for back in range(bodies):
        k = bodies - 1 - back
        mine, corner = piece(x, 6 * k, 6), piece(diagonal, 36 * k, 36)
        length = 6 * (column[k + 1] - column[k])
        for at in range(length // 6):
            source, target = piece(x, 6 * pattern[column[k] + at], 6), piece(buffer, 6 * at, 6)
            for i in range(6):
                target[i] = source[i]
        for i in range(6):
            column_i = piece(panels, 36 * column[k] + i * length, length)
            total = 0.0
            for r in range(length):
                total += column_i[r] * buffer[r]
            mine[i] -= total
        for down in range(6):
            i = 5 - down
            value = mine[i]
            for j in range(i + 1, 6):
                value -= corner[6 * i + j] * mine[j]
            mine[i] = value * corner[7 * i]


@fast_kernel
def _combine_panel(panel, length, weights, total):
    """total <- sum of the panel's six columns, weighted."""
    f0, f1, f2, f3, f4, f5 = weights[0], weights[1], weights[2], weights[3], weights[4], weights[5]
    p0, p1, p2 = piece(panel, 0, length), piece(panel, length, length), piece(panel, 2 * length, length)
    p3, p4, p5 = piece(panel, 3 * length, length), piece(panel, 4 * length, length), piece(panel, 5 * length, length)
    for r in range(length):
        total[r] = f0 * p0[r] + f1 * p1[r] + f2 * p2[r] + f3 * p3[r] + f4 * p4[r] + f5 * p5[r]
