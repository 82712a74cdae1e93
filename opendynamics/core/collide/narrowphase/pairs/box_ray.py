"""Box and ray: the line between three pairs of planes."""

from __future__ import annotations

from opendynamics.core.bodies.shapes import geom_at
from opendynamics.core.collide.narrowphase.pairs import PAIR
from opendynamics.core.collide.narrowphase.rays import beneath, everywhere, hit, seen_from
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    p, d = seen_from(a, b)
    size = geom_at(a).size
    passage = everywhere()
    passage = beneath(passage, p, d, (1.0, 0.0, 0.0), 0.5 * size[0])
    passage = beneath(passage, p, d, (-1.0, 0.0, 0.0), 0.5 * size[0])
    passage = beneath(passage, p, d, (0.0, 1.0, 0.0), 0.5 * size[1])
    passage = beneath(passage, p, d, (0.0, -1.0, 0.0), 0.5 * size[1])
    passage = beneath(passage, p, d, (0.0, 0.0, 1.0), 0.5 * size[2])
    passage = beneath(passage, p, d, (0.0, 0.0, -1.0), 0.5 * size[2])
    return hit(passage, a, b, limit, points)
