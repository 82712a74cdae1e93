"""Convex shapes as general collision sees them: a core by its support function, and a radius around it.

A sphere is a point with a radius, a capsule or a ray a segment, a shape by a support function whatever that says; the
other cores are the shapes themselves. A `Couple` is
all that is needed of two geoms, as a tuple, told in the frame of the first, so that nothing is lost far from the origin:

    (kind, size, data, kind, size, data, offset, turn)     offset: of the second's origin, turn: of its frame

Their difference D = {a - b} holds the origin if and only if they overlap, and has the support a(n) - b(-n).
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, product, times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, negate, subtract
from opendynamics.core.arrays.hulls import hull_floats
from opendynamics.core.bodies.shapes import box, capsule, convex, cylinder, geom_at, ray, sphere, support
from opendynamics.core.bodies.shapes.support import mapped
from opendynamics.core.kernels import kernel

SPHERE, BOX, CAPSULE, CYLINDER = sphere.KIND, box.KIND, capsule.KIND, cylinder.KIND
CONVEX, RAY, SUPPORT = convex.KIND, ray.KIND, support.KIND
TRIANGLE = -3  # no shape of its own: data is the address of nine floats, the corners

box_support, cylinder_support, convex_support = box.support, cylinder.support, convex.support


@kernel
def couple_of(a, b):
    """The couple of the geoms whose records stand at two addresses."""
    one, two = geom_at(a), geom_at(b)
    r = get9(one.rotation)
    offset = transposed_times(r, subtract(get3(two.position), get3(one.position)))
    turn = product(transposed(r), get9(two.rotation))
    return one.kind, get3(one.size), one.data, two.kind, get3(two.size), two.data, offset, turn


@kernel
def radius_of(kind, size):
    """How far the shape reaches beyond its core."""
    return size[0] if kind == SPHERE or kind == CAPSULE or kind == SUPPORT else 0.0


@kernel
def may_be_round(kind):
    """Whether a core's surface may be curved."""
    return kind == CYLINDER or kind == SUPPORT


@kernel
def core_support(kind, size, data, n):
    """The point of a core furthest along `n`, both in its own frame."""
    if kind == CONVEX:
        return convex_support(data, n)
    if kind == BOX:
        return box_support(size, n)
    if kind == CYLINDER:
        return cylinder_support(size, n)
    if kind == CAPSULE:
        return 0.0, 0.0, 0.5 * size[1] if n[2] >= 0.0 else -0.5 * size[1]
    if kind == SUPPORT:
        return mapped(data, n)
    if kind == RAY:
        return 0.0, 0.0, size[0] if n[2] >= 0.0 else 0.0
    if kind == TRIANGLE:
        return triangle_support(data, n)
    return 0.0, 0.0, 0.0


@kernel
def triangle_support(data, n):
    """The corner furthest along `n`."""
    floats = hull_floats(data, 9)
    a, b, c = get3_from(floats, 0), get3_from(floats, 3), get3_from(floats, 6)
    x, y, z = dot(a, n), dot(b, n), dot(c, n)
    if x >= y and x >= z:
        return a
    return b if y >= z else c


@kernel
def supports(couple, n):
    """The points of both cores, in the first one's frame, whose difference is furthest along `n`."""
    a = core_support(couple[0], couple[1], couple[2], n)
    b = core_support(couple[3], couple[4], couple[5], transposed_times(couple[7], negate(n)))
    return a, add(couple[6], times(couple[7], b))


@kernel
def core_extent(kind, size, data):
    """A length of the order of the core's size: what rounding is measured by."""
    if kind == CONVEX:
        top = convex_support(data, (1.0, 1.0, 1.0))
        low = convex_support(data, (-1.0, -1.0, -1.0))
        return abs(top[0] - low[0]) + abs(top[1] - low[1]) + abs(top[2] - low[2])
    if kind == BOX:
        return size[0] + size[1] + size[2]
    if kind == SPHERE:
        return 0.0
    if kind == TRIANGLE:
        side = subtract(triangle_support(data, (1.0, 1.0, 1.0)), triangle_support(data, (-1.0, -1.0, -1.0)))
        return abs(side[0]) + abs(side[1]) + abs(side[2])
    return size[1] + size[0]
