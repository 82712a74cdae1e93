"""Recycling of contacts: points of two geoms that have hardly moved against each other since they were collided.

The contacts of the last step are still there when the narrowphase runs. Those of a pair in it move along with both geoms:

    p0 = x0' + R0' R0ᵀ (p - x0),  p1 likewise        where the point is now on either geom; a prime marks the present pose
    p' = (p0 + p1) / 2,  n' = R1' R1ᵀ n,  d' = d - n·(p0 - p1)

until the bound of all relative motion since the pair was collided,

    Σ max |p0 - p1| + s (|R0' - R0| + |R1' - R1|)      over the steps, s the half diagonal of the smaller box

exceeds RECYCLED_UP_TO s, or a point separates: then the pair is collided again. The depths have errors of the square of this, and
a corner that was not in contact may penetrate as deep as RECYCLED_UP_TO s before it is found. So bodies at rest cost no
narrowphase, and their contacts stay the same. (Bullet refreshes its persistent manifolds likewise.)

Only contacts of polyhedra, meshes and heightfields are recycled, which are corners or crossings of edges. Contacts of curved
surfaces roll along them: held in place, they would support a cylinder like a foot, and it would rock. Two boxes are collided as
fast as they could be recycled. Contacts of colliders in Python, of pairs with more than `world.max_contacts`, and of worlds like
ODE are not recycled either, and none are while there are contact joints of the user. Python forgets all manifolds when a shape
changes.

Reads CONTACTS, MANIFOLDS and LAST_POSES as the last step left them. Writes FOUND_PAIRS in the narrowphase; `keep_manifolds` then
replaces MANIFOLDS and LAST_POSES together with the contacts. A step that is begun again finds poses that have not changed at all,
and the same points.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.mat3 import get9, set9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, length, scale, set3, subtract
from opendynamics.core.arrays.contacts import CONTACTS, FOUND_PAIRS, LAST_POSES, MANIFOLD_BUCKETS, MANIFOLDS
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.arrays.worlds import ODES_METHOD, WORLDS
from opendynamics.core.bodies.shapes import BASIC, POLYHEDRON, TRIANGLES, contracts
from opendynamics.core.collide.narrowphase.collider import NEAR
from opendynamics.core.kernels import kernel

# Largest relative motion of the surfaces, relative to the size of the smaller geom.
RECYCLED_UP_TO = 1e-4

# Shapes whose contacts stay where they are on one of them while it moves.
FLAT = POLYHEDRON | TRIANGLES

# Values of FOUND_PAIR.recycling.
NOT_RECYCLABLE, COLLIDED, RECYCLED = range(3)


@kernel
def recycles(tables):
    """Whether this step may recycle contacts, and keep them for the next."""
    world = WORLDS.rows(tables)[0]
    return world.recycle_contacts != 0 and world.collider != ODES_METHOD and CONTACTS.used(tables) == 0


@kernel
def list_manifolds(tables):
    """List the last step's manifolds in buckets. False: out of memory."""
    report = REPORTS.rows(tables)[0]
    if not recycles(tables) or report.kept_at < report.moves - 1:  # steps without collision came after it
        MANIFOLDS.use(tables, 0)
    count, size = MANIFOLDS.used(tables), 1
    while size < count:
        size *= 2
    if not (MANIFOLD_BUCKETS.has_room(tables, size) and FOUND_PAIRS.has_room(tables, PAIRS.used(tables))):
        return False
    buckets = MANIFOLD_BUCKETS.rows(tables)
    MANIFOLD_BUCKETS.use(tables, size)
    for k in range(size):
        buckets[k] = -1
    for k in range(count):
        manifold = MANIFOLDS.rows(tables)[k]
        bucket = _bucket(manifold.geom_a, manifold.geom_b, size)
        manifold.next = buckets[bucket]
        buckets[bucket] = k
    return True


@kernel
def _bucket(a, b, size):
    """Bucket of a pair of geoms, with primes of spatial hashing (see `broadphase/hash.py`)."""
    return ((a * 73856093) ^ (b * 19349663)) & (size - 1)


@kernel
def is_recyclable(tables, kind_a, kind_b, forward, backward):
    """Whether the contacts of two kinds of shapes, with these colliders, may be recycled."""
    python, one, other = CHOICES.rows(tables)[0].python_collider, contracts()[kind_a].traits, contracts()[kind_b].traits
    if forward == python or backward == python:
        return False
    return one & FLAT != 0 and other & FLAT != 0 and one & other & BASIC == 0


@kernel
def recycle(tables, a, b, found, points):
    """Write the points of the last step's manifold of geoms a and b, moved along, if there is one and it may be recycled.

    Returns whether it was.
    """
    at = MANIFOLD_BUCKETS.rows(tables)[_bucket(a, b, MANIFOLD_BUCKETS.used(tables))]
    while at >= 0:
        manifold = MANIFOLDS.rows(tables)[at]
        if manifold.geom_a == a and manifold.geom_b == b:
            return manifold.count <= len(points) and _move_along(tables, manifold, found, points)
        at = manifold.next
    return False


@kernel
def _move_along(tables, manifold, found, points):
    """`recycle` for a manifold."""
    a, b = GEOMS.rows(tables)[manifold.geom_a], GEOMS.rows(tables)[manifold.geom_b]
    before_a, before_b = LAST_POSES.rows(tables)[manifold.geom_a], LAST_POSES.rows(tables)[manifold.geom_b]
    turned_b = _change(get9(before_b.rotation), get9(b.rotation))
    size = min(_half_diagonal(a.bounds), _half_diagonal(b.bounds))
    moved = manifold.moved + size * (_change(get9(before_a.rotation), get9(a.rotation)) + turned_b)
    farthest, most, apart = 0.0, RECYCLED_UP_TO * size - moved, -NEAR * size
    for k in range(manifold.count):
        known = CONTACTS.rows(tables)[manifold.first + k].point
        position, normal = get3(known.position), get3(known.normal)
        p0, p1 = _moved(before_a, a, position), _moved(before_b, b, position)
        if turned_b > 0.0:
            normal = times(get9(b.rotation), transposed_times(get9(before_b.rotation), normal))
        slip = subtract(p0, p1)
        depth = known.depth - dot(normal, slip)
        farthest = max(farthest, length(slip))
        if not (depth >= apart and farthest < most):
            return False
        point = points[k]
        set3(point.position, scale(0.5, add(p0, p1)))
        set3(point.normal, normal)
        point.depth = max(depth, 0.0)
        point.side_a, point.side_b = known.side_a, known.side_b
    found.count, found.moved = manifold.count, moved + farthest
    found.recycling = manifold.recycling if _is_begun_again(tables) else RECYCLED
    return True


@kernel
def _is_begun_again(tables):
    """Whether the manifolds are of this step, which is begun again."""
    return REPORTS.rows(tables)[0].kept_at == REPORTS.rows(tables)[0].moves


@kernel
def _change(before, now):
    """Frobenius norm of the change of a matrix."""
    total = 0.0
    for k in range(9):
        change = now[k] - before[k]
        total += change * change
    return sqrt(total)


@kernel
def _half_diagonal(bounds):
    x, y, z = bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]
    return 0.5 * sqrt(x * x + y * y + z * z)


@kernel
def _moved(before, now, point):
    """Where a point of a geom is now; exactly where it was if the geom has not moved."""
    x, r, y, s = get3(before.position), get9(before.rotation), get3(now.position), get9(now.rotation)
    if x == y and r == s:
        return point
    return add(y, times(s, transposed_times(r, subtract(point, x))))


@kernel
def has_room_for_manifolds(tables):
    """Whether there is room for what `keep_manifolds` writes."""
    if not recycles(tables):
        return True
    count, found = 0, FOUND_PAIRS.rows(tables)
    for k in range(PAIRS.used(tables)):
        count += found[k].recycling != NOT_RECYCLABLE
    return MANIFOLDS.has_room(tables, count) and LAST_POSES.has_room(tables, GEOMS.used(tables) if count else 0)


@kernel
def keep_manifolds(tables):
    """Note the manifolds of the contacts that were made, and the poses of all geoms."""
    report, count, recycled, first = REPORTS.rows(tables)[0], 0, 0, 0
    for k in range(PAIRS.used(tables) if recycles(tables) else 0):
        found, pair = FOUND_PAIRS.rows(tables)[k], PAIRS.rows(tables)[k]
        if found.recycling != NOT_RECYCLABLE:
            manifold = MANIFOLDS.rows(tables)[count]
            manifold.geom_a, manifold.geom_b = pair.a, pair.b
            manifold.first, manifold.count, manifold.moved = first, found.count, found.moved
            manifold.recycling = found.recycling
            recycled += found.recycling == RECYCLED
            count += 1
        first += found.count
    MANIFOLDS.use(tables, count)
    report.recycled, report.kept_at = recycled, report.moves
    geoms = GEOMS.used(tables) if count else 0
    LAST_POSES.use(tables, geoms)
    for k in range(geoms):
        pose, geom = LAST_POSES.rows(tables)[k], GEOMS.rows(tables)[k]
        set3(pose.position, get3(geom.position))
        set9(pose.rotation, get9(geom.rotation))
