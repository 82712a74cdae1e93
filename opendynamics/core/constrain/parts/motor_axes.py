"""Up to three axes, each of which is fixed in the world or turns with one of the bodies.

In `numbers` a joint has how many axes it uses and, for each, its unit vector and the frame that vector is given in: 0
the world's, 1 the user's first body's, 2 the second's. The static world counts as a body whose frame is the world's.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import get3_from
from opendynamics.core.arrays.joints import REVERSED
from opendynamics.core.constrain.parts.frame import turned_by
from opendynamics.core.kernels import kernel

AXES = 0  # 3 x 3 numbers
FRAMES = 18
USED = 21

# Values of a frame.
WORLD, FIRST, SECOND = 0, 1, 2


@kernel
def carrier(joint, axis):
    """The body that `axis` turns with; 0: none, or the static world."""
    frame = joint.numbers[FRAMES + axis]
    if frame == WORLD:
        return 0
    if (frame == FIRST) != (joint.flags & REVERSED != 0):
        return joint.body0
    return joint.body1


@kernel
def axis_on(tables, joint, body, axis):
    """The axis in the world, as it turns with `body`."""
    return turned_by(tables, body, get3_from(joint.numbers, AXES + 3 * axis))


@kernel
def used(joint):
    """How many axes there are."""
    return int(joint.numbers[USED])
