"""Constraint rows: J a = rhs - cfm λ, with lo <= λ <= hi.

λ is the row's force (N or N m); an island's rows are contiguous.
"""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

ROW = [
    ("j0", "f8", (6,)),  # Jacobian for body0: linear 3, angular 3
    ("j1", "f8", (6,)),  # and for body1; zero if that is the static world
    ("bias", "f8"),  # bias velocity: c of J v = c while rows are filled in; times 1/h afterwards
    ("cfm", "f8"),  # constraint force mixing, on the diagonal of J M⁻¹ Jᵀ; times 1/h after rows are filled in
    ("lo", "f8"),
    ("hi", "f8"),  # for a friction row: the coefficient, times the force of the row it depends on
    ("rhs", "f8"),  # right-hand side: c/h - J (v/h + M⁻¹ f)
    ("normal", "i4"),  # the row whose force bounds this one, counted from the island's first; -1: none
    ("slot0", "i4"),  # places of its bodies in the island, -1: the static world
    ("slot1", "i4"),
    ("link", "i4"),
    ("pair", "i4"),  # 1, -1: first and second of two rows whose forces lie in a circle of radius hi; else 0
    ("padding", "i4"),
]

# What the normal row of a contact would have as `bias` in other solutions of a step (see `solve/impacts.py`), m/s2, and any
# row's force in them.
VARIANT = [
    ("corrected", "f8"),  # with position correction, without restitution
    ("resting", "f8"),  # with neither
    ("rebound", "f8"),  # with restitution alone; -infinity: the contact does not bounce
    ("motion", "f8"),  # of the surface
    ("filled_bias", "f8"),  # and the right-hand side with it, as the row was filled in
    ("filled_rhs", "f8"),
    ("pose_force", "f8"),  # in the solution that moves the poses
    ("resting_force", "f8"),  # in the one without restitution
]

# Bounds beyond this are none.
UNBOUNDED = 1e300

# Sums per body, in the order of the body tables.
PAIR_OF_VECTORS = [("linear", "f8", (3,)), ("angular", "f8", (3,))]

ROWS = Table("rows", ROW, Role.REPORT, room=256)
FORCES = Table("forces", "f8", Role.REPORT, room=256)  # λ, one a row
VARIANTS = Table("variants", VARIANT, Role.SCRATCH, room=256)
# User's loads, gravity, gyroscopic torque, motors at stops.
EXTERNALS = Table("externals", PAIR_OF_VECTORS, Role.SCRATCH, room=16, rows_of="bodies")
# v/h + M⁻¹ f: acceleration of bodies without rows.
UNCONSTRAINED = Table("unconstrained", PAIR_OF_VECTORS, Role.SCRATCH, room=16, rows_of="bodies")
# By how much the mean angular velocity of a step's free rotation leads that at its beginning, over h, rad/s2.
LEADS = Table("leads", [("angular", "f8", (3,))], Role.SCRATCH, room=16, rows_of="bodies")
# Jᵀλ, or new velocities: see `solve/reactions.py`.
REACTIONS = Table("reactions", PAIR_OF_VECTORS, Role.SCRATCH, room=16, rows_of="bodies")
# What moves poses and is not kept as velocity, over h: see `solve/impacts.py`.
CORRECTIONS = Table("corrections", PAIR_OF_VECTORS, Role.SCRATCH, room=16, rows_of="bodies")
