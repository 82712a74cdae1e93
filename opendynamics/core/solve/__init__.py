"""Rows to forces: how an island's constraint forces are found. One file of this family is one solver.

A solver's `solve(tables, island)` reads the island's rows, the bodies' inverse masses and the row bounds, and writes
the row forces λ to the forces table. It returns 1 when done and 0 after noting a shortage of room; it must change
nothing else before it knows that it has room. Its scratch is the `floats` and `integers` tables.

The problem of `exact` is ODE's: find λ with w = (J M⁻¹ Jᵀ + cfm) λ - rhs, and for each row either
lo < λ < hi and w = 0, or λ = lo and w >= 0, or λ = hi and w <= 0. Friction rows, which depend on the force of a
normal row, are left out of a first stage; its normal forces then fix the bounds of a second stage with all rows.
Two rows that are a pair (`row.pair` 1 and -1) have one bound: the length of both forces together is at most hi.
"""

from __future__ import annotations

from numba import types

from opendynamics.core.arrays.table import TABLES

SOLVE = types.int64(TABLES, types.int64)
