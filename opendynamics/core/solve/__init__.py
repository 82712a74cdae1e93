"""Solvers: from an island's rows to its constraint forces. One folder of this family is one solver.

Solvers share the files of this folder and the folders with an underscore; no solver imports another. A solver's package has

    choose(tables, 0)       optional: writes `solver` of every island, the row of CHOICES whose entries solve it, before contact
                            rows are filled in: k + 1 is MEMBERS[k], 0 the solver itself
    MEMBERS                 with `choose`: names of the solvers that islands are handed to; each is loaded when an island first
                            needs it
    solve(tables, island)   the entry that writes the row forces λ of one island to the forces table. It returns 1 when
                            done; 0, having changed nothing, after reporting a shortage of memory or a missing entry
    cache_forces(tables, 0) optional: writes the contact cache, after all islands are solved and before bodies move
    finish(tables, number)  optional: called after the step, for example to sum up statistics; islands with this number as
                            `solver` were its own
    solve_together(tables, first, end, number)
                            optional: the entry that solves several islands at once, of those from `first` to `end` whose
                            `solver` is this number, and sets their `solved`; loaded when a step first has enough. The rest is
                            left to `solve`. Returns the same as `solve`
    TOGETHER                with `solve_together`: which islands it solves, SINGLE_BODIES or SMALL_ISLANDS of `islands`
    job(tables, first, end, member)
                            optional: the entry for parts of its jobs, if a team of threads can share an island (`arrays/team/`)
    ESCALATIONS             optional: further entries like `solve`, which it hands an island to with `escalate`; each is
                            loaded when an island first needs it
    VERLET_SOLVER           optional, of a solver without the Verlet integrator: name of the solver that replaces it among members
                            in worlds that have it
    SOLVES_IMPACTS          optional, True: it solves contacts from the contact points, not from their rows, which are counted
                            but not filled in, and handles restitution and position correction itself instead of `impacts`
    PARAMETERS, DEFAULTS    optional: table of one row for its own parameters and state, and the default values
    variant(parameters)     optional: the module whose entries are used instead, chosen by the row of PARAMETERS

Scratch memory is in the `floats` and `integers` tables. `loading` is Python's side of this contract.

All solve ODE's mixed linear complementarity problem (MLCP) with bounds: find λ with
w = (J M⁻¹ Jᵀ + cfm) λ - rhs, and for each row either lo < λ < hi and w = 0, or λ = lo and w >= 0, or λ = hi and w <= 0.
A first phase omits friction rows whose bounds depend on a normal force; its normal forces then fix the bounds of a second phase
with all rows. A pair of rows (`row.pair` 1 and -1) shares one bound: the length of the vector of both forces is at most hi.

Signs and symbols are the same in all solvers:

    A = J M⁻¹ Jᵀ + cfm, b = rhs, x = λ, w = A x - b, residual b - A x

A row's Jacobian has twelve numbers: six for its body 0, six for its body 1. A slot is a body's index in the island; -1 is the
static world or a kinematic body, which no force moves.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES

SOLVE = types.int64(TABLES, types.int64)
SOLVE_TOGETHER = types.int64(TABLES, types.int64, types.int64, types.int64)
