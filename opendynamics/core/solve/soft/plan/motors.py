"""Motors that are solved together with a joint of the same two bodies: the stops of an angular motor on a ball joint, say.

The joint's hard rows and the motor's rows are one link, as if the motor were the joint's own. Solved one after the other, they
throw a long arm back from a stop faster than it came, see `blocks`. Each joint has at most one such motor, the first in the list
of links of a body; any other is a link of its own.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import CONTACT, FIRST_LINKS, LINKS
from opendynamics.core.arrays.joints import JOINT_KERNELS, JOINTS
from opendynamics.core.constrain.joints.motors.amotor import KIND as ANGULAR_MOTOR
from opendynamics.core.constrain.joints.motors.lmotor import KIND as LINEAR_MOTOR
from opendynamics.core.kernels import kernel


@kernel
def motor_of(tables, at):
    """Row of the link of the motor that follows the joint of link `at`, -1: none."""
    if not _has_motors(tables) or _is_motor(tables, LINKS.rows(tables)[at]):
        return -1
    motor = _first_of(tables, at, True)
    return motor if motor >= 0 and _first_of(tables, motor, False) == at else -1


@kernel
def follows(tables, at):
    """Whether link `at` is a motor that follows a joint."""
    if not _has_motors(tables) or not _is_motor(tables, LINKS.rows(tables)[at]):
        return False
    joint = _first_of(tables, at, False)
    return joint >= 0 and _first_of(tables, joint, True) == at


@kernel
def _has_motors(tables):
    """Whether there may be any: their kernels are loaded."""
    kernels = JOINT_KERNELS.rows(tables)
    return kernels[ANGULAR_MOTOR].fill != 0 or kernels[LINEAR_MOTOR].fill != 0


@kernel
def _is_motor(tables, link):
    if link.kind == CONTACT:
        return False
    kind = JOINTS.rows(tables)[link.index].kind
    return kind == ANGULAR_MOTOR or kind == LINEAR_MOTOR


@kernel
def _first_of(tables, at, motors):
    """The first motor with rows, or the first joint with unbounded ones, that connects the same bodies as link `at`; -1: none."""
    links = LINKS.rows(tables)
    own = links[at]
    body = own.body0 if MOTIONS.rows(tables)[own.body0].inverse_mass > 0.0 else own.body1  # others may have many links
    k = FIRST_LINKS.rows(tables)[body]
    while k >= 0:
        link = links[k]
        if link.kind != CONTACT and min(link.body0, link.body1) == min(own.body0, own.body1):
            same = max(link.body0, link.body1) == max(own.body0, own.body1)
            if same and _is_motor(tables, link) == motors and (link.row_count > 0 if motors else link.free_rows > 0):
                return k
        k = link.next0 if link.body0 == body else link.next1
    return -1
