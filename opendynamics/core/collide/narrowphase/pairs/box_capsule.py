"""Box and capsule: closest points of the box and the capsule's axis, or the axis' minimum penetration; two contacts along a face.

An axis outside the box: depth = radius - distance, halfway between the surfaces (`sphere_contact.py`). One that enters it
overlaps it least along a face's normal or perpendicular to the axis u and to an edge e, n = u x e (SAT): with the box's half
lengths h, the axis' middle c and half length l, by  sum h_i |n_i| + l |n·u| - |n·c|. Where the normal is nearly a face's, the
axis is clipped against that face and each end is a contact, as deep as it lies: a capsule that lies on a box has two.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import column2, get9, times, transposed_times
from opendynamics.core.algebra.vec3 import (
    add,
    add_scaled,
    cross,
    dot,
    get3,
    length,
    magnitudes,
    negate,
    scale,
    subtract,
)
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, points_at, set_point
from opendynamics.core.collide.narrowphase.primitives.segments import clamped, closest_on_segments, closest_to_box
from opendynamics.core.collide.narrowphase.primitives.sphere_contact import COINCIDENT
from opendynamics.core.kernels import entry, kernel

# Squared sine between axis and edge below which they are parallel: their cross product says nothing that faces do not.
PARALLEL = 1.0e-12

# In place of an edge: a face's normal.
FACE = -1

# A direction tried later must be better by this factor: which of two equal ones is chosen does not depend on rounding.
BETTER = 1.0 + 1.0e-9

# Cosine between the normal and a face's from which on that face carries the capsule.
NEAR_FACE = 0.995

# Fraction of the depth, and of the sizes, by which an end may be less deep than the deepest point and still replace it.
AS_DEEP = 1.0e-8
ROUNDING = 1.0e-12

# Distance below which two contacts are merged, relative to the sizes.
SAME = 1.0e-6

# A contact, as (place, depth), that is none.
NO_END = ((0.0, 0.0, 0.0), -1.0)


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    box, capsule = geom_at(a), geom_at(b)
    origin, r, half = get3(box.position), get9(box.rotation), scale(0.5, get3(box.size))
    middle, turn = get3(capsule.position), get9(capsule.rotation)
    radius, half_length = capsule.size[0], 0.5 * capsule.size[1]
    to_end = scale(half_length, transposed_times(r, column2(turn)))
    start, along = add(transposed_times(r, subtract(middle, origin)), to_end), scale(-2.0, to_end)
    on_axis = add_scaled(start, closest_to_box(start, along, half), along)
    on_box = clamped(on_axis, half)
    gap = subtract(on_axis, on_box)
    distance, size = length(gap), half[0] + half[1] + half[2] + half_length + radius
    if distance > radius:
        return 0
    if distance > COINCIDENT * size:
        n, overlap = scale(1.0 / distance, gap), -distance
    else:
        overlap, n, on_box, on_axis = minimum_penetration(start, along, half)
    depth, rounding, near = overlap + radius, ROUNDING * size, NEAR * size
    deepest = (scale(0.5, add(on_box, add_scaled(on_axis, -radius, n))), depth)
    low, high = ends_above_face(n, start, along, half)
    one = end_contact(low, start, along, n, half, radius, near)
    two = end_contact(high, start, along, n, half, radius, near)
    if low > high:
        one = two = NO_END
    elif is_same(one, two, n, SAME * size):
        two = NO_END
    found, frame = points_at(points, limit), (origin, r, n)
    enough = (1.0 - AS_DEEP) * depth - rounding
    if max(one[1], two[1]) >= enough:
        if one[1] < enough:
            one, two = two, one
        return put_contacts(found, limit, frame, (one[0], depth), (two[0], min(two[1], depth)), NO_END)
    if is_same(one, deepest, n, SAME * size):
        one = NO_END
    if is_same(two, deepest, n, SAME * size):
        two = NO_END
    return put_contacts(found, limit, frame, deepest, one, two)


@kernel
def minimum_penetration(start, along, half):
    """Overlap of a box and a segment that meet, its direction out of the box, and the deepest point of each along it."""
    c, l = add_scaled(start, 0.5, along), scale(0.5, along)
    m, e = magnitudes(c), magnitudes(l)
    x, y, z = half[0] + e[0] - m[0], half[1] + e[1] - m[1], half[2] + e[2] - m[2]
    best = (x, (1.0 if c[0] >= 0.0 else -1.0, 0.0, 0.0), FACE)
    if y * BETTER < best[0]:
        best = (y, (0.0, 1.0 if c[1] >= 0.0 else -1.0, 0.0), FACE)
    if z * BETTER < best[0]:
        best = (z, (0.0, 0.0, 1.0 if c[2] >= 0.0 else -1.0), FACE)
    for i in range(3):
        best = across_edge(best, c, l, half, i)
    overlap, n, edge = best
    if edge == FACE:
        low, high = ends_above_face(n, start, along, half)
        if low > high:
            low, high = 0.0, 1.0
        p, q = add_scaled(start, low, along), add_scaled(start, high, along)
        on_axis = p if dot(p, n) <= dot(q, n) else q
        return overlap, n, add_scaled(on_axis, overlap, n), on_axis
    corner = (
        half[0] if n[0] > 0.0 else -half[0],
        half[1] if n[1] > 0.0 else -half[1],
        half[2] if n[2] > 0.0 else -half[2],
    )
    other = (
        -corner[0] if edge == 0 else corner[0],
        -corner[1] if edge == 1 else corner[1],
        -corner[2] if edge == 2 else corner[2],
    )
    on_box, _ = closest_on_segments(corner, other, start, add(start, along))
    return overlap, n, on_box, add_scaled(on_box, -overlap, n)


@kernel
def across_edge(best, c, l, half, i):
    """`best` or the overlap perpendicular to the segment and to edge i: (overlap, direction, edge)."""
    e = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
    m = cross(l, e)
    mm = dot(m, m)
    if mm <= PARALLEL * dot(l, l):
        return best
    k = 1.0 / sqrt(mm)
    overlap = k * (dot(magnitudes(m), half) - abs(dot(m, c)))
    return (overlap, scale(k if dot(m, c) >= 0.0 else -k, m), i) if overlap * BETTER < best[0] else best


@kernel
def ends_above_face(n, start, along, half):
    """The part, from 0 to 1, of the segment over the face that n leads out of, as seen along n; (inf, -inf): there is none."""
    low, high = 0.0, 1.0
    x, y, z = magnitudes(n)
    if max(x, max(y, z)) < NEAR_FACE:
        return inf, -inf
    first = on_face(n, start, half)
    rate = subtract(on_face(n, add(start, along), half), first)
    if x < NEAR_FACE:
        low, high = between(first[0], rate[0], half[0], low, high)
    if y < NEAR_FACE:
        low, high = between(first[1], rate[1], half[1], low, high)
    if z < NEAR_FACE:
        low, high = between(first[2], rate[2], half[2], low, high)
    return low, high


@kernel
def on_face(n, p, half):
    """A point moved along n to the plane of the face that n leads out of."""
    return add_scaled(p, -height_above(n, p, half), n)


@kernel
def height_above(n, p, half):
    """How far along n a point is above the face that n leads out of."""
    x, y, z = magnitudes(n)
    if x >= NEAR_FACE:
        return (p[0] - half[0] if n[0] > 0.0 else -p[0] - half[0]) / x
    if y >= NEAR_FACE:
        return (p[1] - half[1] if n[1] > 0.0 else -p[1] - half[1]) / y
    return (p[2] - half[2] if n[2] > 0.0 else -p[2] - half[2]) / z


@kernel
def between(at, rate, bound, low, high):
    """The part of the interval from `low` to `high` with |at + s rate| <= bound."""
    if rate == 0.0:
        return (low, high) if abs(at) <= bound else (inf, -inf)
    first, last = (-bound - at) / rate, (bound - at) / rate
    return max(low, min(first, last)), min(high, max(first, last))


@kernel
def end_contact(at, start, along, n, half, radius, near):
    """The contact below a point of the axis above the face that looks along n, as (place, depth); (.., -1): none."""
    if not 0.0 <= at <= 1.0:
        return NO_END
    p = add_scaled(start, at, along)
    height = height_above(n, p, half)
    depth = radius - height
    return add_scaled(p, -0.5 * (radius + height), n), max(depth, 0.0) if depth >= -near else -1.0


@kernel
def is_same(one, two, n, near):
    """Whether two contacts are one above the other, or nearly."""
    across = cross(subtract(two[0], one[0]), n)
    return dot(across, across) <= near * near


@kernel
def put_contacts(found, limit, frame, deepest, one, two):
    """Write the deepest contact and those of the others that there are, the further one first; returns how many."""
    gap, other = subtract(one[0], deepest[0]), subtract(two[0], deepest[0])
    if two[1] >= 0.0 and (one[1] < 0.0 or dot(other, other) > dot(gap, gap)):
        one, two = two, one
    put_contact(found[0], frame, deepest)
    count = 1
    if one[1] >= 0.0:
        if limit > 1:
            put_contact(found[1], frame, one)
        count = 2
        if two[1] >= 0.0:
            if limit > 2:
                put_contact(found[2], frame, two)
            count = 3
    return count


@kernel
def put_contact(point, frame, contact):
    origin, r, n = frame
    set_point(point, add(origin, times(r, contact[0])), negate(times(r, n)), contact[1])
