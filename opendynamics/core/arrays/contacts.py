"""Contact points between geoms, and the contact constraints made of them."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# Bits of SURFACE.mode, with ODE's values where ODE has them.
MU2 = 0x001
FDIR1 = 0x002
BOUNCE = 0x004
SOFT_ERP = 0x008
SOFT_CFM = 0x010
MOTION1 = 0x020
MOTION2 = 0x040
MOTION_N = 0x080
SLIP1 = 0x100
SLIP2 = 0x200
ROLLING = 0x400
APPROX1_1 = 0x1000
APPROX1_2 = 0x2000
APPROX1_N = 0x4000
APPROX1 = 0x7000
ELLIPTIC = 0x10000  # ours: both friction forces together are bounded by a circle, or an ellipse

POINT = [
    ("position", "f8", (3,)),  # m, world frame
    ("normal", "f8", (3,)),  # unit vector, into geom a
    ("depth", "f8"),  # m, at least 0; of a contact across a gap, the gap with a minus
    ("side_a", "i4"),  # triangle, cell or face of each geom, -1 if it has none
    ("side_b", "i4"),
    ("geom_a", "i4"),
    ("geom_b", "i4"),
]

SURFACE = [
    ("mode", "u4"),
    ("padding", "u4"),
    ("mu", "f8"),  # friction along direction 1: coefficient, or largest force, N, without APPROX1_1
    ("mu2", "f8"),  # and along direction 2
    ("bounce", "f8"),  # restitution, 0 to 1
    ("bounce_velocity", "f8"),  # m/s, slowest approach with restitution
    ("soft_erp", "f8"),  # in place of the world's
    ("soft_cfm", "f8"),
    ("motion1", "f8"),  # m/s, of the surface, along direction 1, direction 2 and the normal
    ("motion2", "f8"),
    ("motion_normal", "f8"),
    ("slip1", "f8"),  # m/s per N, sliding along direction 1 and direction 2
    ("slip2", "f8"),
    ("rho", "f8"),  # rolling friction about direction 1: m times the normal force, or N m without APPROX1_1
    ("rho2", "f8"),  # and about direction 2
    ("rho_normal", "f8"),  # spinning friction about the normal
]

# What most contacts need of their surface.
CONTACT_SURFACE = [
    ("mode", "u4"),
    ("detail", "i4"),  # row of the contact's details, -1 if it has none
    *SURFACE[2:6],  # friction and restitution
]

# What few contacts have, as their modes or flags say.
DETAIL = [
    *SURFACE[6:],
    ("direction1", "f8", (3,)),  # first friction direction
    ("apart", "f8", (3,)),  # m, if speculative: from the point of body0 to that of body1 that it will meet
]

# Bits of the mode of surfaces whose contacts have details.
DETAILED = FDIR1 | SOFT_ERP | SOFT_CFM | MOTION1 | MOTION2 | MOTION_N | SLIP1 | SLIP2 | ROLLING

# Bits of CONTACT.flags.
ALIVE = 1
ENABLED = 2
REVERSED = 4  # attached as (world, body): the body is in body0 and the normal is reversed
SPECULATIVE = 8  # across a gap: it may close in this step, and no further

# Two cache lines, for what most contacts need; the others' details are two more.
CONTACT = [
    ("point", POINT),
    ("body0", "i4"),
    ("body1", "i4"),
    ("flags", "u2"),
    ("row_count", "i2"),
    ("first_row", "i4"),
    ("surface", CONTACT_SURFACE),
]

# Contacts of a pair of geoms that `advance` may recycle in the next step: see `collide/recycling.py`.
MANIFOLD = [
    ("geom_a", "i4"),
    ("geom_b", "i4"),
    ("first", "i4"),  # row of its first contact; the others follow
    ("count", "i4"),
    ("moved", "f8"),  # m, at most, that the surfaces have moved against each other since they were collided
    ("next", "i4"),  # next manifold in the same bucket, -1 at the end
    ("recycling", "i4"),  # COLLIDED or RECYCLED in the last step
]

# What the narrowphase has found for a candidate pair.
FOUND_PAIR = [
    ("count", "i4"),  # of contact points
    ("recycling", "i4"),  # NOT_RECYCLABLE, COLLIDED or RECYCLED
    ("moved", "f8"),  # as in MANIFOLD
]

POSE_OF_GEOM = [("position", "f8", (3,)), ("rotation", "f8", (9,))]

# Contact points found by the narrowphase, pair after pair.
POINTS = Table("points", POINT, Role.REPORT, room=256)

# The contacts that the user made, then those that `advance` makes in every step.
CONTACTS = Table("contacts", CONTACT, Role.STATE, room=256)

# Those of the user's contacts, row by row, then those of others that have details.
CONTACT_DETAILS = Table("contact_details", DETAIL, Role.STATE, room=64)

# Surface materials: row (a * materials + b) says how material a meets material b.
SURFACES = Table("surfaces", SURFACE, Role.STATE, room=1)

# Manifolds of the last step, in the order of the pairs, and the poses of the geoms then, by their rows.
MANIFOLDS = Table("manifolds", MANIFOLD, Role.CONVERGENCE, derived=("next",))
LAST_POSES = Table("last_poses", POSE_OF_GEOM, Role.CONVERGENCE)

# First manifold by hash of geoms, -1: none; and what was found for each of PAIRS.
MANIFOLD_BUCKETS = Table("manifold_buckets", "i4", Role.SCRATCH)
FOUND_PAIRS = Table("found_pairs", FOUND_PAIR, Role.SCRATCH)
