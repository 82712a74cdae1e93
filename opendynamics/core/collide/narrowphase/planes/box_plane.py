"""Box and plane: up to four corners of the box's deepest face, each with depth d - n·x.

From the deepest corner, going along edge i to its other end rises by length_i |n·axis_i|. The two edges that rise
least lead to the second and third contact, both together to the fourth, if it is strictly below the surface: the rule
and the number of contacts of ODE 0.16.2 to 0.16.6.

If a thin box is entirely below the surface, one of these edges may be its thickness: all contacts would be on one side, and it
would rock from side to side. Its contacts are the corners of the face that is most nearly parallel to the plane.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column0, column1, column2, get9
from opendynamics.core.algebra.vec3 import add, dot, get3, scale, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import NEAR, PAIR, lower, points_at, set_point
from opendynamics.core.kernels import entry, kernel


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    size = geom_at(a).size
    near = NEAR * (size[0] + size[1] + size[2])
    found = collide_raised(a, b, near, limit, points, scratch, True)
    lower(points_at(points, limit), min(found, limit), near)
    return found


@kernel
def collide_raised(a, b, near, limit, points, scratch, on_face):
    """Contacts with the plane raised by `near` m; `on_face`: a box that is entirely below has them on one face."""
    box, plane = geom_at(a), geom_at(b)
    r, normal = get9(box.rotation), get3(plane.size)
    x = upward(normal, column0(r), box.size[0])
    y = upward(normal, column1(r), box.size[1])
    z = upward(normal, column2(r), box.size[2])
    corner = subtract(get3(box.position), scale(0.5, add(add(x[1], y[1]), z[1])))
    depth = plane.size[3] - dot(normal, get3(box.position)) + 0.5 * (x[0] + y[0] + z[0]) + near
    if depth < 0.0:
        return 0
    least, middle = two_least(x, y, z)
    if on_face and depth > x[0] + y[0] + z[0]:
        least, middle = edges_of_face(x, y, z, box.size)
    found = points_at(points, limit)
    set_point(found[0], corner, normal, depth)
    if depth < least[0]:
        return 1
    if limit > 1:
        set_point(found[1], add(corner, least[1]), normal, depth - least[0])
    if depth < middle[0]:
        return 2
    if limit > 2:
        set_point(found[2], add(corner, middle[1]), normal, depth - middle[0])
    if depth - least[0] - middle[0] <= 0.0:
        return 3
    if limit > 3:
        set_point(found[3], add(corner, add(least[1], middle[1])), normal, depth - least[0] - middle[0])
    return 4


@kernel
def upward(normal, axis, length):
    """How far an edge rises, and the edge as a vector that points up."""
    rise = length * dot(normal, axis)
    if rise > 0.0:
        return rise, scale(length, axis)
    return -rise, scale(-length, axis)


@kernel
def edges_of_face(x, y, z, size):
    """The two edges with the smallest slopes, the one that rises less first."""
    one, other = two_least((x[0] / size[0], x), (y[0] / size[1], y), (z[0] / size[2], z))
    return (one[1], other[1]) if one[1][0] <= other[1][0] else (other[1], one[1])


@kernel
def two_least(x, y, z):
    """The two tuples with the smallest first elements, in ascending order."""
    if x[0] < y[0]:
        if z[0] < x[0]:
            return z, x
        return (x, y) if y[0] < z[0] else (x, z)
    if z[0] < y[0]:
        return (z, x) if x[0] < y[0] else (z, y)
    return (y, x) if x[0] < z[0] else (y, z)
