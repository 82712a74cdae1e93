"""Box and capsule: two balls at the closest points of the box and the capsule's axis, the one on the box of radius 0.

An axis that enters the box has no closest points. The capsule is then taken for the box around it, as ODE does: the
contacts are those of two boxes, and up to the capsule's radius deeper than its surface.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import column2, get9, times, transposed_times
from opendynamics.core.algebra.vec3 import add, add_scaled, get3, length, scale, subtract
from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.collider import PAIR, points_at
from opendynamics.core.collide.narrowphase.ode_pairs.box_box import collide_boxes
from opendynamics.core.collide.narrowphase.primitives.segments import clamped, closest_to_box
from opendynamics.core.collide.narrowphase.primitives.sphere_contact import COINCIDENT, collide_spheres
from opendynamics.core.kernels import entry


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
    found = points_at(points, limit)
    if length(subtract(on_axis, on_box)) > COINCIDENT * (half[0] + half[1] + half[2] + half_length + radius):
        on_axis, on_box = add(origin, times(r, on_axis)), add(origin, times(r, on_box))
        return collide_spheres(found[0], on_box, 0.0, on_axis, radius, (1.0, 0.0, 0.0))
    around = (radius, radius, half_length + radius)
    return collide_boxes(origin, r, half, middle, turn, around, limit, points, scratch)
