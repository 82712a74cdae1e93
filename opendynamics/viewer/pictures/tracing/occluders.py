"""Occluders: what rays of neighbouring samples may meet, listed once for all of them.

The tree is descended for a tile of pixels, and for a ball around a point of a geom; rays are cast against the few geoms
found (`casting.py`).

A box is listed for rays from a ball in a range of directions if any of them may pass through it: the slab test of Kay and
Kajiya 1986 with intervals for start and direction. For the sky it is listed if it is within reach. No ray that leaves a
convex shape meets it again.

Reads the tree and the geoms of a drawing, and LIGHT; writes OCCLUDERS.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.vec3 import dot, get3, set3, subtract
from opendynamics.core.arrays.dynamic_tree import LEAVES, NODES, PROXIES, REMOVED, TREE
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.shapes import CONVEX, HALF_SPACE, has_trait, heightfield, plane
from opendynamics.core.bodies.triangles.bvh8 import BRANCHES, NOWHERE
from opendynamics.core.collide.contact_filter import bits_match
from opendynamics.core.kernels import kernel
from opendynamics.viewer.pictures.tracing.heightfields import hides_no_sun, note_slopes
from opendynamics.viewer.pictures.tracing.records import KEPT, MAX_OCCLUDERS, SHADING, SOLID

# Radius of the ball for which a list is made, in breadths of a pixel.
BALL = 12.0

NO_GEOM = -1  # whose list none is
TOO_MANY = -1  # count of a list without room: rays are cast against all geoms
PADDING = 1.0e-9  # of a length: rounding leaves out nothing


@kernel
def look_for(tables, bits):
    """Let the rays that are cast from now on meet geoms of these category bits."""
    GEOMS.rows(tables)[TREE.rows(tables)[0].geoms].collide = bits


@kernel
def occluders_of_view(tables, lists, eye, first, right, down):
    """The list for rays from the eye along `first`, and up to a step `right` and one `down` from it."""
    look_for(tables, SOLID)
    listed = lists[2 * KEPT]
    _begin(listed, NO_GEOM, eye, 0.0)
    for axis in range(3):
        across, low = right[axis], down[axis]
        listed.slowest[axis] = first[axis] + min(across, 0.0) + min(low, 0.0) - PADDING
        listed.fastest[axis] = first[axis] + max(across, 0.0) + max(low, 0.0) + PADDING
    _gather(tables, listed, 0.0)
    return listed


@kernel
def occluders_of_sun(tables, light, lists, place, point, breadth):
    """The list for rays to the sun from a point of the geom at `place`."""
    look_for(tables, SHADING)
    listed = lists[place % KEPT]
    if not _serves(listed, place, point):
        _begin(listed, place, point, BALL * breadth)
        for axis in range(3):
            across, up = light.sun_right[axis], light.sun_up[axis]
            spread = sqrt(across * across + up * up) + PADDING
            listed.slowest[axis], listed.fastest[axis] = light.sun[axis] - spread, light.sun[axis] + spread
        _gather(tables, listed, 0.0)
        if listed.ground != 0 and hides_no_sun(GEOMS.rows(tables)[place], listed):
            listed.ground = 0
    return listed


@kernel
def occluders_of_sky(tables, light, lists, place, point, breadth):
    """The list for rays into the sky from a point of the geom at `place`."""
    look_for(tables, SOLID)
    listed = lists[KEPT + place % KEPT]
    if not _serves(listed, place, point):
        _begin(listed, place, point, BALL * breadth)
        _gather(tables, listed, light.reach)
        if listed.ground != 0:
            note_slopes(GEOMS.rows(tables)[place], listed, light.reach)
    return listed


@kernel
def _serves(listed, place, point):
    away = subtract(point, get3(listed.middle))
    return listed.geom == place and dot(away, away) <= listed.radius * listed.radius


@kernel
def _begin(listed, place, point, radius):
    listed.geom, listed.radius, listed.count, listed.ground = place, radius, 0, 0
    set3(listed.middle, point)


@kernel
def _gather(tables, listed, reach):
    """List what is within reach; for reach 0, what is in the list's directions."""
    tree, leaves = TREE.rows(tables)[0], LEAVES.rows(tables)
    for at in range(tree.bounded, tree.listed):
        if not (listed.geom == NO_GEOM and _is_left(GEOMS.rows(tables)[leaves[at]], listed)):
            _list(tables, listed, leaves[at])
    first, k = 1 << tree.levels, 1
    while k > 0:
        if _may_meet(listed, NODES.rows(tables)[k].bounds, reach):
            if k < first:
                k = 2 * k
                continue
            j = k - first
            for at in range(j * tree.bounded >> tree.levels, (j + 1) * tree.bounded >> tree.levels):
                if leaves[at] != REMOVED and _may_meet(listed, PROXIES.rows(tables)[leaves[at]].fat, reach):
                    _list(tables, listed, leaves[at])
        while k & 1:
            k >>= 1
        k += k > 0
    _bound_groups(listed)


@kernel
def _is_left(geom, listed):
    """Whether a geom is a plane that all rays of the list start above and rise from."""
    if geom.kind != plane.KIND or dot(get3(geom.size), get3(listed.middle)) <= geom.size[3]:
        return False
    rise = 0.0
    for axis in range(3):
        across = geom.size[axis]
        rise += across * (listed.slowest[axis] if across > 0.0 else listed.fastest[axis])
    return rise > 0.0


@kernel
def _list(tables, listed, j):
    ray = GEOMS.rows(tables)[TREE.rows(tables)[0].geoms]
    if listed.count == TOO_MANY or not bits_match(PROXIES.rows(tables)[j], ray):
        return
    kind = GEOMS.rows(tables)[j].kind
    if j == listed.geom and kind == heightfield.KIND:
        listed.ground = 1
        for at in range(4):
            listed.slopes[at] = inf if at % 2 else -inf
        return
    if j == listed.geom and has_trait(kind, CONVEX | HALF_SPACE):
        return
    if listed.count == MAX_OCCLUDERS:
        listed.count = TOO_MANY
        return
    k = listed.count
    listed.places[k] = j
    group, lane = listed.boxes[1 + k // BRANCHES], k % BRANCHES
    for c in range(6):
        group[c // 2 * BRANCHES + c % 2 * 3 * BRANCHES + lane] = PROXIES.rows(tables)[j].fat[c]
    listed.count = k + 1
    if lane == 0:
        for other in range(1, BRANCHES):
            for c in range(6):
                group[c * BRANCHES + other] = NOWHERE


@kernel
def _bound_groups(listed):
    """Put boxes around the groups of eight."""
    top, groups = listed.boxes[0], (listed.count + BRANCHES - 1) // BRANCHES
    for g in range(BRANCHES):
        for c in range(3):
            low, high = NOWHERE, NOWHERE
            if g < groups:
                high = -NOWHERE
                for lane in range(min(BRANCHES, listed.count - g * BRANCHES)):
                    low = min(low, listed.boxes[1 + g][c * BRANCHES + lane])
                    high = max(high, listed.boxes[1 + g][(3 + c) * BRANCHES + lane])
            top[c * BRANCHES + g], top[(3 + c) * BRANCHES + g] = low, high


@kernel
def _may_meet(listed, box, reach):
    if reach > 0.0:
        return _is_within(listed, box, reach)
    near, far = 0.0, inf
    for axis in range(3):
        low = box[2 * axis] - listed.middle[axis] - listed.radius
        high = box[2 * axis + 1] - listed.middle[axis] + listed.radius
        enter, leave = _between(low, high, listed.slowest[axis], listed.fastest[axis])
        near, far = max(near, enter), min(far, leave)
    return near <= far * (1.0 + PADDING)


@kernel
def _between(low, high, slowest, fastest):
    """When something that starts at 0 with a velocity between these is first and last between `low` and `high`."""
    if low > 0.0:
        if fastest <= 0.0:
            return inf, 0.0
        return low / fastest, (high / slowest if slowest > 0.0 else inf)
    if high < 0.0:
        if slowest >= 0.0:
            return inf, 0.0
        return high / slowest, (low / fastest if fastest < 0.0 else inf)
    if slowest > 0.0:
        return 0.0, high / slowest
    return 0.0, (low / fastest if fastest < 0.0 else inf)


@kernel
def _is_within(listed, box, reach):
    """Whether a box comes within reach of the ball."""
    square, far = 0.0, (reach + listed.radius) * (1.0 + PADDING)
    for axis in range(3):
        away = max(max(box[2 * axis] - listed.middle[axis], listed.middle[axis] - box[2 * axis + 1]), 0.0)
        square += away * away
    return square <= far * far
