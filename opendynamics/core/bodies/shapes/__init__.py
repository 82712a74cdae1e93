"""Shapes: the contract. One file of this family is one shape, and all that the engine knows of it.

Every member has

* KIND, its number (ODE's geom class where ODE has one), below SHAPE_KINDS;
* TRAITS, the sum of those below that it has;
* `bounds(address)`, an entry BOUNDS: sets the axis-aligned bounding box of the placed geom whose record is at that address;
* `mass_per_density(size)`: volume and principal moments of inertia about the centre of mass, which is the frame's origin,
  at density 1; None for shapes without volume, and where the sizes do not say;
* `point_depth(address, x, y, z)`, an entry POINT_DEPTH: signed depth of a world point inside the shape; may be left out.

A shape with the trait CONVEX is a core shape and a radius around it (a rounded convex), all in its own frame:

* `support(size, data, direction)`: the core's support point, for a direction of any length but zero;
* `feature(size, data, direction, scratch, at)`: the face, edge or vertex of the core that carries contacts along a unit
  vector. Writes its corners, three floats each, from scratch float `at` on, a face counterclockwise from outside; returns
  how many there are, at most MAX_CORNERS, and the normal of their plane (any, if they are fewer than three). 0: only the
  support point, as on a curved surface;
* `radius(size)`, m; `extent(size, data)`, a length of the order of the core's size, by which rounding is measured, m;
  `width(size, data)`, m, below which core and radius together are nowhere thinner;
* EXAMPLES, sizes of some such shapes, if sizes say all: what the tests of the family try, scaled.

Members whose KIND is FIRST_BY_ADDRESS or more give these as entries of the signatures below, and the engine calls them by
their addresses: such a shape recompiles nothing. Those below are compiled into their callers in `bodies/shape.py`. Nothing
else compares the kind of a shape, except the colliders of pairs of certain shapes in separate files.

The addresses and traits of all kinds are in one array of the process, `contracts()` in kernels. It is not part of the state.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.arrays.geoms import GEOM
from opendynamics.core.arrays.report import SHAPE_KINDS
from opendynamics.core.arrays.table import array_of, array_of_process
from opendynamics.core.kernels import kernel

# Traits.
CONVEX = 1  # convex and bounded, with a volume: has the functions of a convex shape
CURVED = 2  # its core's surface may be curved
SMOOTH = 4  # touches a plane or a convex shape in one point at most
POINT_CORE = 8  # a ball: its core is the origin
HALF_SPACE = 16
TRIANGLES = 32  # a triangle mesh or a heightfield, met from outside
MESH = 64  # a triangle mesh: its triangles are in a tree
RAY = 128  # detects geoms, without forces
POLYHEDRON = 256  # convex, with flat faces and sharp edges
BASIC = 512  # two of these are collided faster than their contacts could be recycled

OBSTACLE = CONVEX | HALF_SPACE | TRIANGLES  # what a convex shape may run into

# Shapes from this KIND on are called by address. A triangle is a shape in `bodies/shape.py` but not a geom.
FIRST_BY_ADDRESS = 19
TRIANGLE_KIND = 17

MAX_CORNERS = 48  # of a feature; of larger faces, as many evenly chosen

VECTOR = types.UniTuple(types.float64, 3)
SIZE = types.UniTuple(types.float64, 4)
MATRIX = types.UniTuple(types.float64, 9)

# Signatures. BOUNDS: address of a geom record. POINT_DEPTH: address, x, y, z. Sizes and data are those of the record.
BOUNDS = types.void(types.int64)
POINT_DEPTH = types.float64(types.int64, types.float64, types.float64, types.float64)
SUPPORT = VECTOR(SIZE, types.int64, VECTOR)
FEATURE = types.Tuple((types.int64, VECTOR))(SIZE, types.int64, VECTOR, types.int64, types.int64)
RADIUS = types.float64(SIZE)
EXTENT = WIDTH = types.float64(SIZE, types.int64)

# The functions of a convex shape with their signatures.
FUNCTIONS = {"support": SUPPORT, "feature": FEATURE, "radius": RADIUS, "extent": EXTENT, "width": WIDTH}

CONTRACT = [
    ("traits", "i8"),
    ("bounds", "i8"),  # addresses of compiled functions; 0: not loaded, or it has none
    ("point_depth", "i8"),
    *((name, "i8") for name in FUNCTIONS),
]

# By kind. `families.know_shape` fills in a row.
CONTRACTS = np.zeros(SHAPE_KINDS, CONTRACT)

_geoms_at = array_of(GEOM, 1)
contracts = array_of_process("opendynamics_shape_contracts", CONTRACTS)


@kernel
def has_trait(kind, traits):
    """Whether a kind of shape has one of these traits."""
    return contracts()[kind].traits & traits != 0


@kernel
def geom_at(address):
    """The geom whose record is at `address`."""
    return _geoms_at(address)[0]


@kernel
def set_bounds(geom, centre, half_extents):
    """Set the box of `geom`: `half_extents` to both sides of `centre` along each world axis."""
    bounds = geom.bounds
    bounds[0] = centre[0] - half_extents[0]
    bounds[1] = centre[0] + half_extents[0]
    bounds[2] = centre[1] - half_extents[1]
    bounds[3] = centre[1] + half_extents[1]
    bounds[4] = centre[2] - half_extents[2]
    bounds[5] = centre[2] + half_extents[2]
