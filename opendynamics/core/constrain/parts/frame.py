"""Where a joint's anchors and axes are now, and which world it belongs to."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, times
from opendynamics.core.algebra.quat import conjugate, get4, multiply
from opendynamics.core.algebra.vec3 import get3
from opendynamics.core.arrays.bodies import MOTIONS, POSES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel


@kernel
def turned_by(tables, body, v):
    """Vector `v` of the body's frame, in the world."""
    return times(get9(POSES.rows(tables)[body].rotation), get3(v))


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
def world_of(tables, body):
    """The world record of `body`."""
    return WORLDS.rows(tables)[MOTIONS.rows(tables)[body].world]
