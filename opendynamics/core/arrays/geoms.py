"""Geoms: shapes in places, with or without a body."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# Bits of GEOM.flags.
ALIVE = 1
ENABLED = 2
OFFSET = 4  # placed relative to its body by an offset
PLACEABLE = 8
UNBOUNDED = 16  # its box is infinite in some direction

GEOM = [
    ("kind", "i4"),  # KIND of its file in bodies/shapes
    ("flags", "u4"),
    ("body", "i4"),  # row in the body tables, 0 without a body
    ("material", "i4"),  # row and column of the surfaces table
    ("owner", "i8"),  # number of the body among all worlds, 0 without a body
    ("category", "u8"),
    ("collide", "u8"),
    ("size", "f8", (4,)),  # their meaning is described in the shape's file
    ("data", "i8"),  # address of more shape data, 0 if the size says all
    ("offset_position", "f8", (3,)),  # in the body's frame
    ("offset_rotation", "f8", (9,)),
    ("position", "f8", (3,)),  # in the world, brought up to date by `update_bounds`
    ("rotation", "f8", (9,)),
    ("bounds", "f8", (6,)),  # x min, x max, y min, y max, z min, z max
]

PAIR = [("a", "i4"), ("b", "i4")]

GEOMS = Table("geoms", GEOM, Role.STATE, room=16, derived=("owner", "data", "bounds"))

# Geoms that a collision stage processes, in their order (for a world: newest first).
GEOM_ORDER = Table("geom_order", "i8", Role.CACHE, room=16)

# Pairs of geoms whose boxes overlap.
PAIRS = Table("pairs", PAIR, Role.SCRATCH, room=64)
