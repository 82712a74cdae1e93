"""Where a joint's axes are now, how its bodies are turned against each other, and which world it belongs to."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, times
from opendynamics.core.algebra.quat import conjugate, get4, multiply
from opendynamics.core.algebra.vec3 import cross, dot, get3, plane_space, subtract
from opendynamics.core.arrays.bodies import FAULTY, MOTIONS, POSES
from opendynamics.core.arrays.joints import ODES_RULES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel


@kernel
def turned_by(tables, body, v):
    """Vector `v` of the body's frame, in the world."""
    return times(get9(POSES.rows(tables)[body].rotation), get3(v))


@kernel
def across(tables, joint, local, axis):
    """Two unit vectors perpendicular to `axis`, which is `local` in body0's frame, and to each other. They turn with body0.

    Impulses along them are added up over sub-steps and kept for the next step. ODE's directions depend on the world's axes, and
    jump where the axis passes 45 degrees to z; QuickStep's iterations over single rows need them to give ODE's numbers.
    """
    if joint.flags & ODES_RULES:
        return plane_space(axis)
    p = turned_by(tables, joint.body0, plane_space(get3(local))[0])
    return p, cross(axis, p)


@kernel
def centre(tables, body):
    """Centre of mass of a body, in the world."""
    return get3(POSES.rows(tables)[body].position)


@kernel
def relative_rotation(tables, body0, body1):
    """Orientation of body1 seen from body0."""
    p = POSES.rows(tables)
    return multiply(conjugate(get4(p[body0].quaternion)), get4(p[body1].quaternion))


@kernel
def velocities_of(tables, body):
    """Linear and angular velocity of a body; zeros of a frozen one, which has kept its velocities but stays where it is."""
    motion = MOTIONS.rows(tables)[body]
    if motion.flags & FAULTY:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    return get3(motion.linear_velocity), get3(motion.angular_velocity)


@kernel
def rate_about(tables, joint, axis):
    """Rate at which body0 turns about `axis` against body1, rad/s if the axis is a unit vector."""
    (_, spin0), (_, spin1) = velocities_of(tables, joint.body0), velocities_of(tables, joint.body1)
    return dot(axis, subtract(spin0, spin1))


@kernel
def world_of(tables, body):
    """The world record of `body`."""
    return WORLDS.rows(tables)[MOTIONS.rows(tables)[body].world]
