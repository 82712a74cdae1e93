"""Results of queries of a space."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# A ray and the surface that it meets. The geom is a place in geom_order, -1: none.
RAY_HIT = [
    ("ray", "i8"),
    ("geom", "i8"),
    ("distance", "f8"),  # m, from the ray's start
    ("position", "f8", (3,)),
    ("normal", "f8", (3,)),  # unit vector, against the ray
]

# A geom in a box; for points, how deep the point lies in it, m.
BOX_HIT = [("box", "i8"), ("geom", "i8"), ("depth", "f8")]

RAY_HITS = Table("ray_hits", RAY_HIT, Role.SCRATCH)
BOX_HITS = Table("box_hits", BOX_HIT, Role.SCRATCH)
