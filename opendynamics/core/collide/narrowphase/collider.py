"""Collision of two shapes. One file of this family is one pair, named by it: `sphere_plane.py`.

A member's entry `collide(a, b, limit, points, scratch)` is given the addresses of two geom records, the first of the
shape its file names first, with pose and bounds up to date. It writes at most `limit` (at least 1) contact points, one
POINT record after another from the address `points`, and returns how many it found: those beyond `limit` are left out,
the deepest and the best spread kept, and counted. Position, normal (a unit vector that points
into geom a: moving a by depth times normal ends the overlap), depth (>= 0), side_a and side_b are set; the caller
fills in the geoms, and swaps a and b where a user asked for the other order. `scratch` is the address of SCRATCH
floats.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import set3
from opendynamics.core.arrays.contacts import POINT
from opendynamics.core.arrays.table import array_of
from opendynamics.core.kernels import kernel

PAIR = types.int64(types.int64, types.int64, types.int64, types.int64, types.int64)

# Part of the sizes by which a point may be above the surface: such a point is a contact of depth 0. Without it rounding, and what
# a solver leaves of the velocities, takes corners away from bodies at rest, or all that they stand on, and they drop for a step.
NEAR = 2.0**-23

# Floats of scratch memory that a pair may use.
SCRATCH = 4096

# points_at(address, limit): the contact points that may be written from the address on.
points_at = array_of(POINT)

# floats_at(address): the scratch floats.
floats_at = array_of(np.float64, SCRATCH)


@kernel
def lower(found, count, near):
    """Make the contacts of a surface raised by `near` those of the surface itself."""
    for k in range(count):
        found[k].depth = max(found[k].depth - near, 0.0)


@kernel
def set_point(point, position, normal, depth):
    """Fill in a contact point of geoms that have no sides."""
    set3(point.position, position)
    set3(point.normal, normal)
    point.depth = depth
    point.side_a = -1
    point.side_b = -1
