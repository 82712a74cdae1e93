"""Solvers: from an island's rows to its constraint forces. One folder of this family is one solver.

Solvers share the files of this folder and the folders with an underscore; no solver imports another. A solver's package has

    choose(tables, 0)       optional: writes `solver` of every island, the row of the choices whose entries solve it, before the
                            rows of contacts are filled in: number k + 1 is MEMBERS[k], 0 the solver itself
    MEMBERS                 with `choose`: names of the solvers that islands are handed to
    solve(tables, island)   the entry that writes the row forces λ of one island to the forces table. It returns 1 when
                            done and 0 after noting a shortage of room or a missing entry, before it has changed anything
    cache_forces(tables, 0) optional: writes the contact cache, after all islands are solved and before bodies move
    finish(tables, number)  optional: ends a step that was solved by it, such as by adding up its statistics; islands with
                            this number as `solver` were its own
    assist(tables, member)  optional: what helpers run while the solver's large islands are solved by a team of threads (`_team`)
    ESCALATIONS             optional: further entries like `solve`, which it hands an island to with `escalate`; each is
                            loaded when an island first needs it
    VERLET_BY               optional: the name of the solver that takes its place among members where the integrator is Verlet's,
                            which it cannot follow
    SOLVES_IMPACTS          optional, True: contacts are its own affair. It reads them and not their rows, which are counted but
                            not filled in, and restitution and position correction are not left to `impacts`
    PARAMETERS, DEFAULTS    optional: the table, of one row, of its own parameters and state, and their values at first
    variant(parameters)     optional: the module that has these entries instead, by the row of PARAMETERS

Scratch are the `floats` and `integers` tables. `loading` is Python's side of this contract.

The problem that all solve is ODE's, a mixed linear complementarity problem with bounds: find λ with
w = (J M⁻¹ Jᵀ + cfm) λ - rhs, and for each row either lo < λ < hi and w = 0, or λ = lo and w >= 0, or λ = hi and w <= 0.
Friction rows, which depend on the force of a normal row, are left out of a first phase; its normal forces then fix
the bounds of a second phase with all rows. Two rows that are a pair (`row.pair` 1 and -1) have one bound: the length of both
forces together is at most hi.

Signs and symbols are the same in all solvers:

    A = J M⁻¹ Jᵀ + cfm, b = rhs, x = λ, w = A x - b, residual b - A x

A row's Jacobian is twelve numbers: six for its body 0, six for its body 1. A slot is a body's place in the island; -1 is
the static world or a kinematic body, neither of which a force can move.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES

SOLVE = types.int64(TABLES, types.int64)
