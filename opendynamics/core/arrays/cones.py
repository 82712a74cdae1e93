"""An island's elliptic cones while the exact solver turns their friction rows."""

from __future__ import annotations

from opendynamics.core.arrays.rows import ROW
from opendynamics.core.arrays.table import Role, Table

CONE = [
    ("first", "i8"),  # its first row, counted from the island's first; the second is the next
    ("radius", "f8"),  # largest force of both rows together
    ("cosine", "f8"),  # the first row's direction while turned, in the plane of the two rows
    ("sine", "f8"),
    ("curvature", "f8"),  # slip over radius: what turning the force by an arc costs
    ("lean", "f8"),  # how much of the second row is in the first, so that different CFM do not couple them
]

CONES = Table("cones", CONE, Role.SCRATCH)  # of one island
ASSEMBLED_ROWS = Table("assembled_rows", ROW, Role.SCRATCH)  # its rows as they were assembled
CONE_FLOATS = Table("cone_floats", "f8", Role.SCRATCH)  # vectors of its rows and bodies
