"""Two anchors at a distance from each other, as the ends of a rod.

With g0, g1 the anchors in the world, q = (g0 - g1)/|g0 - g1| and the rod's length d:

    q·(v(g0) - v(g1)) = k (d - |g0 - g1|)        `rod_row`

Coincident anchors have no direction between them: then q is the direction in which they separate, or x.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, cross, get3, length, scale, subtract
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.constrain.parts.ball import anchor_gap
from opendynamics.core.constrain.parts.row import point_row
from opendynamics.core.kernels import kernel

LENGTH = 0  # where in `numbers` a joint has the rod's length
TINY = 1.0e-12  # m or m/s


@kernel
def rod_row(tables, joint, row, k):
    """Fill in the row; returns the displacement from anchor0 to anchor1."""
    r0, r1, gap = anchor_gap(tables, joint)
    distance = length(gap)
    if distance > TINY:
        q = scale(-1.0 / distance, gap)
    else:
        q = _separating_direction(tables, joint, r0, r1)
    point_row(row, q, r0, r1, k * (joint.numbers[LENGTH] - distance))
    return gap


@kernel
def _separating_direction(tables, joint, r0, r1):
    """Unit vector along the relative velocity of the anchors, x if they move together."""
    m = MOTIONS.rows(tables)
    motion0, motion1 = m[joint.body0], m[joint.body1]
    velocity0 = add(get3(motion0.linear_velocity), cross(get3(motion0.angular_velocity), r0))
    velocity1 = add(get3(motion1.linear_velocity), cross(get3(motion1.angular_velocity), r1))
    apart = subtract(velocity0, velocity1)
    speed = length(apart)
    return scale(1.0 / speed, apart) if speed > TINY else (1.0, 0.0, 0.0)
