"""Parameters of projected Gauss-Seidel, and its counters. The API's `quickstep_...` settings are these."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# Values of `order`.
ODE_ORDER, BLOCK_ORDER = 0, 1

PARAMETER = [
    ("iterations", "i8"),
    ("order", "i8"),  # ODE_ORDER or BLOCK_ORDER
    ("relaxation", "f8"),  # over-relaxation w in ODE's order
    ("block_relaxation", "f8"),  # and by blocks
    ("warm_start", "f8"),  # fraction of the cached forces that blocks start from
    # 1: by blocks, single bodies, islands with few bounded rows and islands nearly at rest go to other solvers.
    ("direct", "i8"),
    ("exit_change", "f8"),  # m/s2 or rad/s2, change in an iteration below which it ends early, 0: never
    ("extra", "f8"),  # most extra iterations, relative to `iterations`
    ("extra_change", "f8"),  # m/s2 or rad/s2, change below which no extra iteration is needed
    ("random_state", "i8"),  # 32 bits, of the generator that shuffles the rows in ODE's order
    ("iterations_done", "i8"),  # iterations since the counts were set to zero, over all islands
    ("early", "i8"),  # islands that converged before `iterations`
    ("prolonged", "i8"),  # islands that took extra iterations
    ("exhausted", "i8"),  # of these, the ones that had not converged after all of them
]

# ODE 0.16's, as far as ODE has them.
DEFAULTS = {
    "iterations": 20,
    "order": BLOCK_ORDER,
    "relaxation": 1.3,
    "block_relaxation": 1.0,
    "warm_start": 0.8,
    "direct": 1,
    "extra_change": 1e-2,
}

PARAMETERS = Table("pgs_parameters", PARAMETER, Role.STATE, room=1)
