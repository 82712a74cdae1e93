"""Contact cache: forces of contacts and joints in the last step, with which solvers are warm started.

A contact may be recreated in every step. Its forces are cached by its two bodies and its position on them.
"""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# Most rows of a joint whose forces are cached.
JOINT_ROWS = 12

JOINT_FORCE = [
    ("stamp", "i8"),  # REPORT.moves after the step
    ("rows", "i8"),
    ("free_rows", "i8"),  # the first of them have no bounds: these exist in every step
    ("forces", "f8", (JOINT_ROWS,)),  # N or N m
]

# The forces act on the body whose row is the higher of the two; it is never the static world.
# One cache line.
CONTACT_FORCE = [
    ("low", "i4"),  # rows of the two bodies
    ("high", "i4"),
    ("next", "i4"),  # next contact in the same bucket, -1 at the end
    ("taken", "i4"),  # which attempt to solve gave it to a contact
    ("position", "f8", (3,)),  # m, in the frame of the higher body, from its centre of mass
    ("force", "f8", (3,)),  # N, world frame
]

CONTACT_TORQUE = [("torque", "f8", (3,))]  # N m, of rolling friction, world frame

JOINT_FORCES = Table("joint_forces", JOINT_FORCE, Role.CONVERGENCE, room=8)  # indexed like the joints
CONTACT_FORCES = Table("contact_forces", CONTACT_FORCE, Role.CONVERGENCE, room=16, derived=("taken",))
# Indexed like the forces; without rows after a step in which no contact had rolling friction.
CONTACT_TORQUES = Table("contact_torques", CONTACT_TORQUE, Role.CONVERGENCE)
CONTACT_BUCKETS = Table("contact_buckets", "i4", Role.CONVERGENCE, room=16)  # first contact by hash of bodies, -1: none
