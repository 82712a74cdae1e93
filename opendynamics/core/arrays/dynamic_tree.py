"""State of the bounding tree between steps.

All of it is a cache: it is checked against the geoms' boxes whenever it is used, pairs come out in an order that does not
depend on it, and zeroed tables are a valid beginning. So a saved world need not keep it.
"""

from __future__ import annotations

from opendynamics.core.arrays.geoms import PAIR
from opendynamics.core.arrays.table import Role, Table

# Proxy of a geom in the tree, by its position in geom_order.
PROXY = [
    ("fat", "f8", (6,)),  # a box around its box, which it may move in
    ("owner", "i8"),
    ("category", "u8"),  # 0 like the collide bits if it is disabled
    ("collide", "u8"),
    ("node", "i4"),  # leaf of the tree that holds it; UNBOUNDED or LOOSE: none does
    ("moved", "i4"),  # 1 if it has left its fat box since the last time
]

# Node k has the children 2k and 2k + 1; the root is 1.
NODE = [("bounds", "f8", (6,)), ("axis", "i8")]  # axis: along which the children were split

# Values of PROXY.node: the box is unbounded; the geom was added since the tree was built.
UNBOUNDED, LOOSE = 0, -1

TREE_STATE = [
    ("geoms", "i8"),  # represented by the proxies
    ("bounded", "i8"),  # leaves of the tree
    ("listed", "i8"),  # these, and the geoms outside the tree
    ("changes", "i8"),  # geoms added and removed since the tree was built
    ("levels", "i8"),  # below the root
    ("moves", "i8"),  # of geoms out of their fat boxes since the tree was built
    ("knows_pairs", "i8"),  # 1 if near_pairs holds all pairs of geoms whose fat boxes overlap
]

PROXIES = Table("proxies", PROXY, Role.CACHE, rows_of="geoms")

# Boxes of the geoms, side by side, and the places of the geoms in the order of the tree's leaves, REMOVED where there is none any
# more, then of those outside the tree.
TIGHT_BOXES = Table("tight_boxes", [("bounds", "f8", (6,))], Role.CACHE, rows_of="geoms")
LEAVES = Table("leaves", "i8", Role.CACHE, rows_of="geoms")
REMOVED = -1

# geom_order as the tree knows it.
KNOWN_ORDER = Table("known_order", "i8", Role.CACHE, rows_of="geoms")

NODES = Table("nodes", NODE, Role.CACHE)
TREE = Table("tree", TREE_STATE, Role.CACHE, room=1)

# Pairs of places whose fat boxes overlap and that may meet otherwise.
NEAR_PAIRS = Table("near_pairs", PAIR, Role.CACHE)
