"""Collision of two shapes. One file of this family is one pair, named by it: `sphere_plane.py`.

A member's entry `collide(a, b, limit, points, scratch)` takes the addresses of two geom records with updated poses and bounds, in
the order of the file name. It writes at most `limit` (at least 1) contact points, contiguous POINT records at the address
`points`, and returns the number found; if there are more, the deepest and those of the largest spread are kept. It sets position,
normal (a unit vector into geom a: moving a by depth times normal resolves the penetration), depth (>= 0), side_a and side_b; the
caller fills in the geoms, and swaps a and b for the other order. `scratch` is the address of SCRATCH floats. A collider that
refuses the geoms returns ENDLESS; the caller then raises an error in Python.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import set3
from opendynamics.core.arrays.contacts import POINT
from opendynamics.core.arrays.table import array_of
from opendynamics.core.kernels import kernel

PAIR = types.int64(types.int64, types.int64, types.int64, types.int64, types.int64)

# In place of a number of points: one geom is so large that it meets too many cells of the other, a heightfield that wraps.
ENDLESS = -2

# Gap, relative to the sizes, within which a point is a contact of depth 0. Without it, rounding and residual velocities remove
# corners, or all contacts, of resting bodies, which then drop for a step.
NEAR = 2.0**-23

# points_at(address, limit): the contact points that may be written from the address on.
points_at = array_of(POINT)


@kernel
def lower(found, count, near):
    """Convert contacts of a surface raised by `near` to those of the surface itself."""
    for k in range(count):
        found[k].depth = max(found[k].depth - near, 0.0)


@kernel
def set_point(point, position, normal, depth):
    """Write a contact point of geoms without side numbers."""
    set3(point.position, position)
    set3(point.normal, normal)
    point.depth = depth
    point.side_a = -1
    point.side_b = -1
