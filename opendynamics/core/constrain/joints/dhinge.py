"""Double hinge: two hinges with parallel axes, at a distance, numbers[0], from each other.

Four rows with the joint's own ERP: `rod_row`, which has its own CFM too, `parallel_axis_rows`, and a `halfway_row` that keeps
the anchors g0, g1 from sliding past each other along the axis a: e = a·(g1 - g0).
"""

from __future__ import annotations

from math import nan

from opendynamics.core.algebra.vec3 import dot
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.distance import rod_row
from opendynamics.core.constrain.parts.frame import turned_by
from opendynamics.core.constrain.parts.orientation import parallel_axis_rows
from opendynamics.core.constrain.parts.row import halfway_row
from opendynamics.core.kernels import entry

KIND = 16
HARD_ROWS = 4


@entry(COUNT)
def count(tables, index):
    return HARD_ROWS


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = joint.erp / h
    axis = turned_by(tables, joint.body0, joint.axis0)
    gap = rod_row(tables, joint, ROWS.rows(tables)[first], k)
    parallel_axis_rows(tables, joint, axis, turned_by(tables, joint.body1, joint.axis1), first + 1, k)
    halfway_row(tables, joint, ROWS.rows(tables)[first + 3], axis, k * dot(axis, gap))
    ROWS.rows(tables)[first].cfm = joint.cfm


@entry(MEASURE)
def measure(tables, index, what):
    return nan
