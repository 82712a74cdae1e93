"""Systems (A + E) x = r solved in the space of bodies, six numbers each, instead of that of rows.

With Ĵ = J M⁻¹ᐟ² and a diagonal E > 0:   H = 1 + Ĵᵀ E⁻¹ Ĵ,   y = H⁻¹ Ĵᵀ E⁻¹ r,   x = E⁻¹ (r - Ĵ y)

A body with k contacts couples 3 k rows with each other, but is one block of H. Rows with 1/E = 0 stay where they are.
A block of rows acts on the same two bodies. Ĵ is stored twice: row by row for sums over a block's rows, and column by column,
in groups of GROUP rows, for products of all of them with a body's numbers.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._body_space.block_cholesky import factorise_blocks, solve_blocks
from opendynamics.core.solve._body_space.simd import add_multiples, add_outer_products, columns_times

# Rows of a block whose columns are contiguous; the last group of a block may have fewer.
GROUP = 4


@kernel
def take_root(inverse_mass, turn, root):
    """M⁻¹ᐟ² of a body: 1/√m, and the lower triangle G of G Gᵀ = its inverse inertia."""
    root[0] = math.sqrt(inverse_mass)
    a = math.sqrt(max(turn[0], 0.0))
    b, c = (turn[3] / a, turn[6] / a) if a > 0.0 else (0.0, 0.0)
    d = math.sqrt(max(turn[4] - b * b, 0.0))
    e = (turn[7] - b * c) / d if d > 0.0 else 0.0
    f = math.sqrt(max(turn[8] - c * c - e * e, 0.0))
    root[1], root[2], root[3], root[4], root[5], root[6] = a, b, c, d, e, f


@kernel
def scale_side(j, root, scaled, at):
    """Six numbers of a row's Ĵ."""
    for k in range(3):
        scaled[at + k] = root[0] * j[k]
    scaled[at + 3] = j[3] * root[1] + j[4] * root[2] + j[5] * root[3]
    scaled[at + 4] = j[4] * root[4] + j[5] * root[5]
    scaled[at + 5] = j[5] * root[6]


class System(NamedTuple):
    """An island's rows in blocks, and the factor of H."""

    blocks: Any
    block: Any  # first row of each block
    positions: Any  # of each block's two bodies, their places in the order of elimination
    coupling: Any  # of each block, index in the earlier body's column of the factor's block that couples both bodies
    scaled: Any  # Ĵ, twelve numbers a row
    columns: Any  # Ĵ, twelve columns a group of rows
    bodies: Any
    column: Any  # of the factor, see `block_cholesky`
    pattern: Any
    row: Any
    row_column: Any
    row_at: Any
    place: Any  # scratch
    diagonal: Any
    panels: Any


@kernel
def factorise_system(system, inverse):
    """H = L Lᵀ, from the inverse of E."""
    _assemble(system, inverse)
    factorise_blocks(
        system.bodies,
        system.column,
        system.pattern,
        system.row,
        system.row_column,
        system.row_at,
        system.place,
        system.diagonal,
        system.panels,
    )


@kernel
def solve_system(system, inverse, right, y, x):
    """x <- (A + E)⁻¹ right for rows that are not held, 0 for the others. `y` is scratch, six numbers a body."""
    for i in range(len(right)):
        x[i] = inverse[i] * right[i]
    bodies_times(system.blocks, system.block, system.positions, system.scaled, system.bodies, x, y)
    solve_blocks(system.bodies, system.column, system.pattern, system.diagonal, system.panels, y)
    rows_times(system.blocks, system.block, system.positions, system.columns, y, x)
    for i in range(len(right)):
        x[i] = inverse[i] * (right[i] - x[i])


@kernel
def find_residuals(system, b, cfm, x, y, residuals):
    """residuals <- b - (Ĵ Ĵᵀ + cfm) x, with y = Ĵᵀ x."""
    bodies_times(system.blocks, system.block, system.positions, system.scaled, system.bodies, x, y)
    rows_times(system.blocks, system.block, system.positions, system.columns, y, residuals)
    for i in range(len(x)):
        residuals[i] = b[i] - residuals[i] - cfm[i] * x[i]


@kernel
def _assemble(system, inverse):
    """H."""
    block, positions, scaled, bodies, column = (
        system.block,
        system.positions,
        system.scaled,
        system.bodies,
        system.column,
    )
    diagonal, panels = system.diagonal, system.panels
    for i in range(36 * bodies):
        diagonal[i] = 0.0
    for i in range(36 * column[bodies]):
        panels[i] = 0.0
    for k in range(bodies):
        for i in range(6):
            diagonal[36 * k + 7 * i] = 1.0
    for k in range(system.blocks):
        a, b, i, end = positions[2 * k], positions[2 * k + 1], block[k], block[k + 1]
        if a >= 0:
            add_outer_products(diagonal, 36 * a, 6, scaled, 0, 0, inverse, i, end)
        if b >= 0:
            add_outer_products(diagonal, 36 * b, 6, scaled, 6, 6, inverse, i, end)
        if a >= 0 and b >= 0 and a != b:
            early = min(a, b)
            side = 0 if a == early else 6
            first, length = 36 * column[early] + 6 * system.coupling[k], 6 * (column[early + 1] - column[early])
            add_outer_products(panels, first, length, scaled, 6 - side, side, inverse, i, end)


@kernel
def take_columns(blocks, block, scaled, columns):
    """Copy Ĵ to groups of columns."""
    for k in range(blocks):
        first, end = block[k], block[k + 1]
        while first < end:
            count = min(GROUP, end - first)
            for i in range(count):
                for c in range(12):
                    columns[12 * first + c * count + i] = scaled[12 * (first + i) + c]
            first += count


@kernel
def rows_times(blocks, block, positions, columns, y, result):
    """result <- Ĵ y."""
    for k in range(blocks):
        a, b = 6 * max(positions[2 * k], 0), 6 * max(positions[2 * k + 1], 0)  # a side without a body is zero in Ĵ
        first, end = block[k], block[k + 1]
        while first < end:
            count = min(GROUP, end - first)
            products = columns_times(columns, 12 * first, count, y, a, b)
            result[first] = products[0]
            if count > 1:
                result[first + 1] = products[1]
            if count > 2:
                result[first + 2] = products[2]
            if count > 3:
                result[first + 3] = products[3]
            first += count


@kernel
def bodies_times(blocks, block, positions, scaled, bodies, x, y):
    """y <- Ĵᵀ x."""
    for i in range(6 * bodies):
        y[i] = 0.0
    for k in range(blocks):
        a, b = positions[2 * k], positions[2 * k + 1]
        if a >= 0:
            add_multiples(y, 6 * a, scaled, 0, x, block[k], block[k + 1])
        if b >= 0:
            add_multiples(y, 6 * b, scaled, 6, x, block[k], block[k + 1])
