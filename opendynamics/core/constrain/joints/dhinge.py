"""Double hinge: two hinges with parallel axes, at a distance, numbers[0], from each other.

Four rows with the joint's own ERP: `rod_row`, which has its own CFM too, `parallel_axis_rows`, and one that keeps the
anchors from sliding past each other along the axis a, whose force acts halfway between the centres: J = (a, h x a |
-a, h x a), h = ½ (x1 - x0), e = a·(g1 - g0) with the anchors g0, g1.
"""

from __future__ import annotations

from math import nan

from opendynamics.core.algebra.vec3 import cross, dot, negate, scale, subtract
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.distance import rod_row
from opendynamics.core.constrain.parts.frame import centre, turned_by
from opendynamics.core.constrain.parts.orientation import parallel_axis_rows
from opendynamics.core.constrain.parts.row import set_jacobian
from opendynamics.core.kernels import entry

KIND = 16


@entry(COUNT)
def count(tables, index):
    return 4


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    k = joint.erp / h
    axis = turned_by(tables, joint.body0, joint.axis0)
    gap = rod_row(tables, joint, ROWS.rows(tables)[first], k)
    parallel_axis_rows(tables, joint, axis, turned_by(tables, joint.body1, joint.axis1), first + 1, k)
    d = (0.0, 0.0, 0.0)
    if joint.body1 != 0:
        d = cross(scale(0.5, subtract(centre(tables, joint.body1), centre(tables, joint.body0))), axis)
    row = ROWS.rows(tables)[first + 3]
    set_jacobian(row, axis, d, negate(axis), d)
    row.bias = k * dot(axis, gap)
    ROWS.rows(tables)[first].cfm = joint.cfm


@entry(MEASURE)
def measure(tables, index, what):
    return nan
