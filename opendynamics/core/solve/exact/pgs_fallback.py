"""PGS fallback: many iterations of projected Gauss-Seidel, for an island on which every other method failed.

No iteration increases the error. The reported residual is the largest force change in the last iteration, relative to the largest
force.
"""

from __future__ import annotations

from math import isfinite

from opendynamics.core import types
from opendynamics.core.arrays.islands import ISLAND_RECORD
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.gauss_seidel import (
    arrange_rows,
    force_of,
    has_room,
    iterate_rows,
    order_rows,
    prepare,
    write_forces,
)

ITERATIONS = 2000
FINE = 1e-12


@kernel
def is_finite(tables, island):
    """Whether all numbers of the island's problem are finite."""
    total = 0.0
    for r in range(island.first_row, island.first_row + island.rows):
        row = ROWS.rows(tables)[r]
        total += 0.0 * (row.rhs + row.cfm)
        for k in range(6):
            total += 0.0 * (row.j0[k] + row.j1[k])
    return isfinite(total)


@entry(types.int64(TABLES, ISLAND_RECORD))
def iterate_island(tables, island):
    """Iterate over the island's rows. 1: done, 0: out of memory."""
    if not has_room(tables, island):
        return 0
    prepare(tables, island, 1.0)
    order_rows(tables, island)
    arrange_rows(tables, island)
    forces = FORCES.rows(tables)
    island.faulty = 0
    for iteration in range(ITERATIONS):
        write_forces(tables, island)
        iterate_rows(tables, island, False)
        change, largest = 0.0, 0.0
        for r in range(island.rows):
            after = force_of(tables, island, r)
            change = max(change, abs(after - forces[island.first_row + r]))
            largest = max(largest, abs(after))
        island.iterations = iteration + 1
        island.residual = change / largest if largest > 0.0 else 0.0
        if change <= FINE * largest:
            break
    write_forces(tables, island)
    return 1
