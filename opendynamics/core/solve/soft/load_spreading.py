"""Warm starting of a manifold whose points moved: the wrench of the cached impulses, spread over the new points.

The points in which a cap touches turn with the direction it leans in, which rounding decides for a body at rest. Their impulses
match no cached ones, or those of other points. The normal forces to start from are linear in the position x,

    N = a + b·x,    sum N = sum of the cached N,    sum N x = sum of the cached N x

which is the distribution of an elastic foundation, and the least squares of all with that wrench. Friction is their mean.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, plane_space, scale, subtract
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, LINKS
from opendynamics.core.bodies.shapes import CURVED, has_trait
from opendynamics.core.constrain.parts.contact import contact_normal
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.warm_starting import cached_load, first_cached, seen_from_body

# Added to the second moments of the points, as part of them: points on a line take no moment about it.
REGULAR = 1.0e-6

# Tolerance within which normals are equal.
SAME = 1.0e-7

ZERO = (0.0, 0.0, 0.0)


@kernel
def manifold_size(tables, island, first):
    """How many links from place `first` on are contacts of one pair of bodies with one normal, one of which is round.

    0: the bodies have other contacts too, or both are polyhedra, whose corners move with them.
    """
    link = link_of(tables, island, first)
    point = CONTACTS.rows(tables)[link.index].point
    if not (_is_round(tables, point.geom_a) or _is_round(tables, point.geom_b)):
        return 0
    normal = contact_normal(CONTACTS.rows(tables)[link.index])
    if first > 0 and _is_of(tables, island, first - 1, link):
        return 0
    end = first
    while end < island.links and _is_of(tables, island, end, link):
        away = subtract(contact_normal(CONTACTS.rows(tables)[link_of(tables, island, end).index]), normal)
        if dot(away, away) > SAME * SAME:
            return 0
        end += 1
    return end - first


@kernel
def link_of(tables, island, k):
    """Link k of the island."""
    return LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[island.first_link + k]]


@kernel
def _is_round(tables, geom):
    return geom >= 0 and has_trait(GEOMS.rows(tables)[geom].kind, CURVED)


@kernel
def _is_of(tables, island, k, link):
    """Whether link k of the island is a contact of the link's bodies."""
    other = link_of(tables, island, k)
    return other.kind == CONTACT and other.body0 == link.body0 and other.body1 == link.body1


@kernel
def spread_load(tables, island, first, count, started):
    """Whether cached contacts are left over, and a, b and the mean friction of `count` contacts from link `first` on.

    `started`: how many of them took a cached contact each.
    """
    link = link_of(tables, island, first)
    normal = contact_normal(CONTACTS.rows(tables)[link.index])
    cached, total, moment = cached_load(tables, link, first_cached(tables, link), normal)
    if cached <= started:
        return False, 0.0, ZERO, ZERO
    load = dot(total, normal)
    centre = ZERO
    for k in range(first, first + count):
        centre = add(centre, scale(1.0 / count, place_of(tables, island, k)))
    t, u = plane_space(transposed_times(get9(POSES.rows(tables)[max(link.body0, link.body1)].rotation), normal))
    tt = tu = uu = 0.0
    for k in range(first, first + count):
        away = subtract(place_of(tables, island, k), centre)
        x, y = dot(away, t), dot(away, u)
        tt, tu, uu = tt + x * x, tu + x * y, uu + y * y
    trace = REGULAR * (tt + uu)
    tt, uu, moment = tt + trace, uu + trace, add_scaled(moment, -load, centre)
    det, f, g = tt * uu - tu * tu, dot(moment, t), dot(moment, u)
    b = ZERO
    if det > 0.0:
        b = add_scaled(scale((f * uu - g * tu) / det, t), (g * tt - f * tu) / det, u)
    return True, load / count - dot(b, centre), b, scale(1.0 / count, add_scaled(total, -load, normal))


@kernel
def place_of(tables, island, k):
    """Position of link k's contact in the frame of the body whose row is the higher."""
    link = link_of(tables, island, k)
    return seen_from_body(tables, CONTACTS.rows(tables)[link.index], max(link.body0, link.body1))
