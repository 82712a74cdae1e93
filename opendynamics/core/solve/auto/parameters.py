"""Parameters of the automatic choice, and its last result."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table
from opendynamics.core.solve._choice.exact_budget import EXACT_ROWS

# Most solvers that it may choose from.
MAX_MEMBERS = 4

PARAMETER = [
    # Budget: bounded rows of the pile whose exact solution costs as much as all exact solutions of a step may.
    ("exact_rows", "i8"),
    ("islands", "i8", (MAX_MEMBERS,)),  # that each member solved in the last step
]

DEFAULTS = {"exact_rows": EXACT_ROWS}

PARAMETERS = Table("auto_parameters", PARAMETER, Role.STATE, room=1, derived=("islands",))
