"""H = L Lᵀ in 6 by 6 blocks, a block a body, columns from left to right.

Column k has the inverse of its diagonal block at `diagonal[36 k]`, column by column; and below it a panel for all its
other blocks, at `panels[36 column[k]]`: six rows of the panel's length, so that element (r, c) is at c * length + r
and loops run along r. The blocks of a column are those of `minimum_degree.sort_columns`. (George & Liu 1981; Ng & Peyton
1993.)
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._body_space.simd import (
    invert_factor,
    multiply_by_factor,
    multiply_by_transpose,
    solve_column_back,
    subtract_block_times,
    subtract_product,
)
from opendynamics.core.solve.dense import piece


@kernel
def factorise_blocks(bodies, column, pattern, row, row_column, row_at, place, diagonal, panels):
    """Factorise in place; diagonal blocks end as their inverses. `place` is scratch."""
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
            subtract_product(corner, 0, 6, source, 6 * at, 6 * at, 6 * count, 1)
            other = at + 1
            while other < count:  # blocks that follow each other in both panels are one
                to, run = place[pattern[column[k] + other]], 1
                while other + run < count and place[pattern[column[k] + other + run]] == to + run:
                    run += 1
                subtract_product(own, 6 * to, 6 * blocks, source, 6 * other, 6 * at, 6 * count, run)
                other += run
        invert_factor(corner)
        for at in range(blocks):
            multiply_by_transpose(own, 6 * at, 6 * blocks, corner)


@kernel
def solve_blocks(bodies, column, pattern, diagonal, panels, x):
    """x <- H⁻¹ x, six numbers a body in the order of elimination."""
    for k in range(bodies):
        first, blocks = column[k], column[k + 1] - column[k]
        multiply_by_factor(x, 6 * k, piece(diagonal, 36 * k, 36))
        for at in range(blocks):
            subtract_block_times(x, 6 * pattern[first + at], panels, 36 * first + 6 * at, 6 * blocks, 6 * k)
    for k in range(bodies - 1, -1, -1):
        first, blocks = column[k], column[k + 1] - column[k]
        panel, bodies_below = piece(panels, 36 * first, 36 * blocks), piece(pattern, first, blocks)
        solve_column_back(x, 6 * k, panel, blocks, bodies_below, piece(diagonal, 36 * k, 36))
