"""An anchor on body1 that slides along an axis of body0, past the anchor that body0 has.

With the displacement from body0's centre to body1's anchor, d = x1 + R1 anchor1 - x0, and the gap g = d - R0 anchor0:

    u·(v0 + w0 x d - v1 - w1 x r1) = k u·g   for two u at right angles to the axis     `sideways_row`
    position = -axis·g, which grows as body0 moves along the axis                       `extension`
    d position / dt = axis·(v0 + w0 x d - v1 - w1 x r1)                                  `slip_rate`

The rate has no further term: the axis and R0 anchor0 turn together, so that only axis·d changes.

LIKE_ODE in the joint's mode keeps levers of ODE's that let pairs of forces turn the bodies from nothing, and ODE's rates;
see the joints.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3, subtract
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.constrain.parts.frame import centre, turned_by
from opendynamics.core.constrain.parts.row import point_row
from opendynamics.core.kernels import kernel

LIKE_ODE = 4  # bit of JOINT.mode


@kernel
def anchor_displacement(tables, joint):
    """The displacement d, the lever arm r1 to body1's anchor, and the gap g."""
    r1 = turned_by(tables, joint.body1, joint.anchor1)
    displacement = subtract(add(centre(tables, joint.body1), r1), centre(tables, joint.body0))
    return displacement, r1, subtract(displacement, turned_by(tables, joint.body0, joint.anchor0))


@kernel
def sideways_row(row, u, displacement, r1, gap, k):
    """Along `u` the anchors stay together."""
    point_row(row, u, displacement, r1, k * dot(u, gap))


@kernel
def extension(tables, joint, axis):
    """The position along `axis`."""
    _, _, gap = anchor_displacement(tables, joint)
    return -dot(axis, gap)


@kernel
def slip_rate(tables, joint, axis, spin0, spin1):
    """Rate of the position along `axis`; with LIKE_ODE the turning of the bodies counts `spin0` and `spin1` times."""
    if joint.mode & LIKE_ODE == 0:
        spin0, spin1 = 1.0, 1.0
    displacement, r1, _ = anchor_displacement(tables, joint)
    m = MOTIONS.rows(tables)
    motion0, motion1 = m[joint.body0], m[joint.body1]
    velocity0 = add_scaled(get3(motion0.linear_velocity), spin0, cross(get3(motion0.angular_velocity), displacement))
    velocity1 = add_scaled(get3(motion1.linear_velocity), spin1, cross(get3(motion1.angular_velocity), r1))
    return dot(axis, subtract(velocity0, velocity1))
