"""Fixed joint: bodies keep their relative position and orientation. Six rows.

Between two bodies, with anchor0 = R0ᵀ (x0 - x1) when it was set: e = x1 - x0 + R0 anchor0, J = (1, [R0 anchor0]x | -1,
0); to the world: e = anchor1 - x0. These three rows have the joint's own ERP and CFM, the orientation has the world's.
"""

from __future__ import annotations

from math import nan

from opendynamics.core.algebra.vec3 import add, get3, negate, subtract
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import centre, turned_by, world_of
from opendynamics.core.constrain.parts.orientation import fixed_orientation_rows
from opendynamics.core.constrain.parts.row import point_row
from opendynamics.core.kernels import entry

KIND = 7
HARD_ROWS = 6


@entry(COUNT)
def count(tables, index):
    return HARD_ROWS


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = joint.erp / h
    zero = (0.0, 0.0, 0.0)
    arm = zero
    if joint.body1 != 0:
        offset = turned_by(tables, joint.body0, joint.anchor0)
        error = add(subtract(centre(tables, joint.body1), centre(tables, joint.body0)), offset)
        arm = negate(offset)
    else:
        error = subtract(get3(joint.anchor1), centre(tables, joint.body0))
    point_row(ROWS.rows(tables)[first], (1.0, 0.0, 0.0), arm, zero, k * error[0])
    point_row(ROWS.rows(tables)[first + 1], (0.0, 1.0, 0.0), arm, zero, k * error[1])
    point_row(ROWS.rows(tables)[first + 2], (0.0, 0.0, 1.0), arm, zero, k * error[2])
    for r in range(first, first + 3):
        ROWS.rows(tables)[r].cfm = joint.cfm
    fixed_orientation_rows(tables, joint, first + 3, world_of(tables, joint.body0).erp / h)


@entry(MEASURE)
def measure(tables, index, what):
    return nan
