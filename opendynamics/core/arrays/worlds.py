"""Worlds: what all bodies of a world share. One row a world; bodies and geoms name theirs by its row."""

from __future__ import annotations

from opendynamics.core.arrays.bodies import HABIT
from opendynamics.core.arrays.table import Table

WORLD = [
    ("gravity", "f8", (3,)),  # m/s2
    ("erp", "f8"),  # error reduction parameter, the part of a joint's error mended in a step
    ("cfm", "f8"),  # constraint force mixing, 1/kg; divided by the step size it softens a row
    ("contact_max_velocity", "f8"),  # m/s, the fastest that overlap is pushed apart
    ("contact_surface_layer", "f8"),  # m of overlap that is left alone
    ("new_body_flags", "u4"),  # flags and habits that a new body starts with
    ("collide_connected", "u4"),  # whether `advance` lets bodies collide that a joint connects
    ("max_contacts", "i8"),  # most contacts a pair of geoms makes in `advance`
    ("quickstep_iterations", "i8"),
    ("quickstep_relaxation", "f8"),
    ("random_state", "i8"),  # 32 bits, of the generator that shuffles QuickStep's rows
    ("new_body", HABIT),
]

WORLDS = Table("worlds", WORLD, room=1)
