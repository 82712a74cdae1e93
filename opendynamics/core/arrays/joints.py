"""Joints. One record serves every kind; what a kind keeps in `numbers` is said in its file."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# Bits of JOINT.flags.
ALIVE = 1
ENABLED = 2
REVERSED = 4  # attached as (world, body): the body is in body0
ODES_RULES = 8  # for directions perpendicular to an axis (constrain/parts/frame.py) and for stops of hinges

# Values of LIMIT.state.
FREE, AT_LOW, AT_HIGH = 0, 1, 2

# A limit and motor about or along one axis.
LIMIT = [
    ("velocity", "f8"),  # rad/s or m/s that the motor aims at
    ("max_force", "f8"),  # N m or N it may use, 0: no motor
    ("low", "f8"),  # rad or m, the stops
    ("high", "f8"),
    ("fudge", "f8"),  # fraction of the motor's force used to leave a stop
    ("bounce", "f8"),  # restitution of the stops
    ("cfm", "f8"),  # of the motor
    ("stop_erp", "f8"),
    ("stop_cfm", "f8"),
    ("error", "f8"),  # how far beyond the stop, or before the nearer one, set when rows are counted
    ("state", "i8"),
]

JOINT = [
    ("kind", "i4"),  # KIND of its file in constrain/joints
    ("flags", "u4"),
    ("body0", "i4"),  # rows in the body tables, 0: the static world
    ("body1", "i4"),
    ("row_count", "i4"),
    ("mode", "i4"),
    ("first_row", "i8"),
    ("erp", "f8"),  # own values, for the kinds that have them
    ("cfm", "f8"),
    ("anchor0", "f8", (3,)),  # in the frame of body0
    ("anchor1", "f8", (3,)),  # in the frame of body1
    ("axis0", "f8", (3,)),
    ("axis1", "f8", (3,)),
    ("relative", "f8", (4,)),  # orientation of body1 seen from body0 when it was set
    ("numbers", "f8", (24,)),
    ("limits", LIMIT, (3,)),
]

JOINTS = Table("joints", JOINT, Role.STATE, room=8)

# Attached joints in the order in which they were attached: rows, with the number of contacts of users that were attached before
# them in the bits from BEHIND on, which increases.
BEHIND = 32
JOINT_ORDER = Table("joint_order", "i8", Role.CACHE, room=8)

# Addresses of a kind's compiled functions, by kind, and how many of its rows have no bounds at all times.
JOINT_KERNEL = [("count", "i8"), ("fill", "i8"), ("hard_rows", "i8")]
JOINT_KERNELS = Table("joint_kernels", JOINT_KERNEL, Role.CODE, room=32, common=True)
