"""Time of impact of two geoms by conservative advancement (Mirtich 1996, Impulse-based dynamic simulation).

At separation g along n, two shapes cannot meet before g/c, where c bounds their closing speed along n: the difference of
their translations along n, plus the most that rotation moves any point of each. Time advances by g/c until they are near, or
g/c exceeds the rest of the step. Overlapping shapes have a negative g along the direction of minimum penetration; the same
bound holds.

A body that rotates near its contact closes much slower than c. Along n, the distance of convex shapes whose points move on
straight lines is a concave function of time: between two times it is at least the smaller of both. Rotation by an angle w bends
the path of a point at radius r by at most r w²/8. So time also advances to where the distance along n, less that bulge, proves
that they have not met.

An impact is an overlap by a skin, beyond `contact_surface_layer`: then the next step has contacts. Shapes that overlap at the
start of the step have contacts already and are stopped only if they get deeper: their skin is enlarged by THICKER until it
exceeds the overlap. So bodies do not catch on seams that they slide along, and one that rotates about its contact is stopped
before its centre passes through.

Meshes and heightfields are tested triangle by triangle, from outside.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import get9, product, row0, row1, row2, times, transposed, transposed_times
from opendynamics.core.algebra.vec3 import (
    add,
    add_scaled,
    dot,
    get3,
    length,
    magnitudes,
    negate,
    put3_at,
    scale,
    subtract,
)
from opendynamics.core.arrays.blocks.scratch import WAITING, floats_at, integers_at
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.swept_motion import SWEEPS, SWEPT_GEOMS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shape import core_support, radius_of, shape_of, triangle_shape
from opendynamics.core.bodies.shapes import CONVEX, HALF_SPACE, has_trait
from opendynamics.core.bodies.triangles import corners_of, gather, normal_of, surface_of
from opendynamics.core.collide.ccd.swept_motion import pace_of, place_at
from opendynamics.core.collide.ccd.width import width_of_geom
from opendynamics.core.collide.narrowphase.convex.epa import END as END_OF_EPA
from opendynamics.core.collide.narrowphase.convex.epa import epa_penetration
from opendynamics.core.collide.narrowphase.convex.gjk import closest_points
from opendynamics.core.collide.narrowphase.shape_pair import ShapePair
from opendynamics.core.kernels import kernel

# First skin, relative to the least width of the two shapes; largest skin, relative to the width of the fast ones; overlap,
# relative to the skin, from which it is enlarged; factor of the enlargement; and distance that ends the advancement, relative
# to the first skin.
SKIN = 0.005
MAX_SKIN = 0.4
TOUCHING = 0.75
THICKER = 1.5
NEAR = 0.1

# Bisections of the rest of the step to find how far the distance along a direction lets time advance.
HALVINGS = 20

MAX_ROUNDS = 200
MAX_PIECES = 1000

# Layout of scratch memory, in units of 8 bytes, behind what GJK and EPA use: keys of triangles, corners of one.
KEYS = 3600
ROOM = 192
CORNERS = KEYS + ROOM
assert END_OF_EPA <= KEYS and CORNERS + 9 <= WAITING


@kernel
def impact_of(tables, a, b, start, scratch):
    """First impact of convex geom a with b after `start`: (fraction of the step, normal from a to b, distance left along it)."""
    one, other = GEOMS.rows(tables)[a], GEOMS.rows(tables)[b]
    width = width_of_geom(one)
    least, most = width, width if SWEEPS.rows(tables)[one.body].fast else inf
    if has_trait(other.kind, CONVEX):
        width = width_of_geom(other)
        least = min(least, width)
        if SWEEPS.rows(tables)[other.body].fast:
            most = min(most, width)
    layer = WORLDS.rows(tables)[0].contact_surface_layer
    skins = SKIN * least + layer, MAX_SKIN * (most if most < inf else least) + layer
    if has_trait(other.kind, CONVEX | HALF_SPACE):
        return advance_pair(tables, a, b, shape_of(other), skins, start, 1.0, scratch)
    return first_triangle(tables, a, b, skins, start, scratch)


@kernel
def advance_pair(tables, a, b, other, skins, start, end, scratch):
    """`impact_of` for geom a and a shape that moves with geom b, up to the fraction `end` of the step."""
    one = shape_of(GEOMS.rows(tables)[a])
    travel_a, turning_a = pace_of(tables, a)
    travel_b, turning_b = pace_of(tables, b)
    travel, turning = subtract(travel_a, travel_b), turning_a + turning_b
    t, n, skin = start, (0.0, 0.0, 0.0), skins[0]
    for k in range(MAX_ROUNDS):
        gap, toward = separation(one, other, place_at(tables, a, t), place_at(tables, b, t), scratch)
        if k == 0:
            while -gap >= TOUCHING * skin:
                skin *= THICKER
            if skin > skins[1]:
                return inf, n, 0.0
        if dot(toward, toward) > 0.0:
            n = toward
        if gap + skin <= NEAR * skins[0]:
            return t, n, gap + skin
        pace = dot(n, travel) + turning
        if pace * (end - t) <= gap + skin:
            return inf, n, 0.0
        later = _later_apart(tables, (a, b), (one, other), n, (t, end), gap, skin)
        if later == end:
            return inf, n, 0.0
        t = max(t + (gap + skin) / pace, later)
    return t, n, 0.0


@kernel
def _later_apart(tables, geoms, shapes, n, span, gap, skin):
    """A time up to which two shapes, `gap` apart along n at the first of `span`, overlap by less than a skin along n."""
    t, later = span
    a, b = geoms
    bulge = _bulge(tables, a) + _bulge(tables, b)
    for _ in range(HALVINGS):
        then = distance_along(shapes, place_at(tables, a, later), place_at(tables, b, later), n)
        if min(gap, then) - bulge * (later - t) * (later - t) > -skin:
            return later
        later = 0.5 * (t + later)
    return t


@kernel
def _bulge(tables, index):
    """Upper bound of the distance between a point's path and its chord, for the rotation of a whole step."""
    return 0.125 * pace_of(tables, index)[1] * SWEEPS.rows(tables)[GEOMS.rows(tables)[index].body].angle


@kernel
def distance_along(shapes, place_a, place_b, n):
    """Distance of two convex shapes along `n`, from the first to the second; negative if they overlap."""
    one, other = shapes
    if has_trait(other.kind, HALF_SPACE):
        return -other.size[3] - _support_height(one, place_a, n)
    return -_support_height(other, place_b, negate(n)) - _support_height(one, place_a, n)


@kernel
def _support_height(shape, place, n):
    m = transposed_times(place[1], n)
    return dot(n, place[0]) + dot(m, core_support(shape, m)) + radius_of(shape)


@kernel
def separation(one, other, place_a, place_b, scratch):
    """Signed distance of two shapes, negative if they overlap, and its direction from the first to the second.

    The direction is zero if they just touch.
    """
    p, r = place_a
    radius = radius_of(one)
    if has_trait(other.kind, HALF_SPACE):
        n = get3(other.size)
        low = core_support(one, transposed_times(r, negate(n)))
        return dot(n, add(p, times(r, low))) - radius - other.size[3], negate(n)
    q, u = place_b
    offset, turn = transposed_times(r, subtract(q, p)), product(transposed(r), u)
    pair = ShapePair(one, other, offset, turn)
    radius += radius_of(other)
    distance, n, _, _ = closest_points(pair, scratch)
    if distance > 0.0:
        return distance - radius, times(r, n)
    overlap, n, _, _ = epa_penetration(pair, scratch)
    if overlap < 0.0:
        return -radius, (0.0, 0.0, 0.0)
    return -overlap - radius, times(r, n)


@kernel
def first_triangle(tables, a, b, skins, start, scratch):
    """First impact of geom a with a triangle of b.

    The path is split into pieces as long as the shape, so that each gathers few triangles.
    """
    before, after, radius = centre_seen(tables, a, b, start)
    travel = subtract(after, before)
    pieces = 1
    if radius < inf:
        pieces += int(min(length(travel) / (2.0 * radius), MAX_PIECES))
    hit = (inf, (0.0, 0.0, 0.0), 0.0)
    for piece in range(pieces):
        if radius < inf:
            p, q = add_scaled(before, piece / pieces, travel), add_scaled(before, (piece + 1) / pieces, travel)
            low = min(p[0], q[0]) - radius, min(p[1], q[1]) - radius, min(p[2], q[2]) - radius
            high = max(p[0], q[0]) + radius, max(p[1], q[1]) + radius, max(p[2], q[2]) + radius
        else:
            low, high = swept_box(tables, a, b)
        hit = triangle_in_box(tables, a, b, skins, start, (before, after, radius, low, high), hit, scratch)
        if hit[0] <= start + (1.0 - start) * (piece + 1) / pieces:
            break
    return hit


@kernel
def triangle_in_box(tables, a, b, skins, start, piece_of_path, best, scratch):
    """The earlier of `best` and the first impact of geom a with a triangle whose box overlaps that of a piece of the path."""
    before, after, radius, low, high = piece_of_path
    surface, keys, floats = surface_of(GEOMS.rows(tables)[b]), integers_at(scratch), floats_at(scratch)
    cursor = 0
    while cursor >= 0:
        count, cursor = gather(surface, low, high, scratch, KEYS, ROOM, cursor)
        for k in range(KEYS, KEYS + count):
            corners = corners_of(surface, keys[k])
            n = normal_of(corners)
            height, later = dot(n, subtract(before, corners[0])), dot(n, subtract(after, corners[0]))
            if height < 0.0 or min(height, later) > radius:
                continue
            for c in range(3):
                put3_at(floats, CORNERS + 3 * c, corners[c])
            triangle = triangle_shape(scratch + 8 * CORNERS, 0.0)
            hit = advance_pair(tables, a, b, triangle, skins, start, min(1.0, best[0]), scratch)
            if hit[0] < best[0]:
                best = hit
    return best


@kernel
def centre_seen(tables, a, b, start):
    """Geom a's origin in the frame of b, at `start` and at the end, and the distance from its path within which a may touch."""
    geom = GEOMS.rows(tables)[a]
    here, r = place_at(tables, b, start)
    there, r_there = place_at(tables, b, 1.0)
    before = transposed_times(r, subtract(place_at(tables, a, start)[0], here))
    after = transposed_times(r_there, subtract(place_at(tables, a, 1.0)[0], there))
    # Rotation of a bends the path by at most the displacement of any point; rotation of b bends it without bound.
    if geom.body == 0 or pace_of(tables, b)[1] > 0.0:
        return before, after, inf
    arm = length(subtract(get3(geom.position), get3(SWEEPS.rows(tables)[geom.body].position)))
    radius = SWEPT_GEOMS.rows(tables)[a].radius + radius_of(shape_of(geom)) + arm
    return before, after, radius + pace_of(tables, a)[1]


@kernel
def swept_box(tables, a, b):
    """Swept box of geom a, in the frame of geom b at the start of the step; enlarged where b moves."""
    box = GEOMS.rows(tables)[a].bounds
    centre = 0.5 * (box[0] + box[1]), 0.5 * (box[2] + box[3]), 0.5 * (box[4] + box[5])
    half = 0.5 * (box[1] - box[0]), 0.5 * (box[3] - box[2]), 0.5 * (box[5] - box[4])
    surface = GEOMS.rows(tables)[b]
    r = transposed(get9(surface.rotation))
    middle = times(r, subtract(centre, get3(surface.position)))
    half_extents = (
        dot(magnitudes(row0(r)), half),
        dot(magnitudes(row1(r)), half),
        dot(magnitudes(row2(r)), half),
    )
    if surface.body != 0:
        sweep = SWEEPS.rows(tables)[surface.body]
        far = length(subtract(centre, get3(sweep.position))) + length(half)
        more = length(get3(sweep.travel)) + sweep.angle * far
        half_extents = add(half_extents, scale(more, (1.0, 1.0, 1.0)))
    return subtract(middle, half_extents), add(middle, half_extents)
