"""Positions, rates and torques of many joints with one axis, by one call.

    torque = axis · (t - r × f) of a joint that turns, axis · f of one that slides

f and t: force and torque on body0 in the last step, about its centre of mass: sum of Jᵀ λ over the joint's rows; r: from there to
the joint's anchor. Torques are conjugate to rates: torque x rate is the power that the joint gives its bodies.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import cross, dot, subtract
from opendynamics.core.arrays.joints import JOINTS, REVERSED
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.constrain.joints import MEASURE
from opendynamics.core.constrain.parts.frame import turned_by
from opendynamics.core.kernels import caller, entry

INDICES = types.Array(types.int64, 1, "C")
call_measure = caller(MEASURE)


@entry(types.void(TABLES, INDICES, INDICES, types.int64, types.Array(types.float64, 1, "C")))
def measure_joints(tables, joints, measures, what, values):
    """`what` of each joint, as the function at its address in `measures` finds it: position (0) or rate (1)."""
    for k in range(len(joints)):
        values[k] = call_measure(measures[k], tables, joints[k], what)


@entry(types.void(TABLES, INDICES, INDICES, types.Array(types.float64, 1, "C")))
def gather_torques(tables, joints, slides, torques):
    """Torque, N m, or force, N, of each joint's motor and stops in the last step; `slides`: 1 for joints that slide."""
    for k in range(len(joints)):
        joint = JOINTS.rows(tables)[joints[k]]
        first, end = joint.first_row, joint.first_row + joint.row_count
        if end > min(len(ROWS.rows(tables)), len(FORCES.rows(tables))):
            end = first
        fx = fy = fz = tx = ty = tz = 0.0
        for r in range(first, end):
            row = ROWS.rows(tables)[r]
            force = FORCES.rows(tables)[r]
            fx += row.j0[0] * force
            fy += row.j0[1] * force
            fz += row.j0[2] * force
            tx += row.j0[3] * force
            ty += row.j0[4] * force
            tz += row.j0[5] * force
        axis = turned_by(tables, joint.body0, joint.axis0)
        if slides[k]:
            torque = dot(axis, (fx, fy, fz))
        else:
            arm = turned_by(tables, joint.body0, joint.anchor0)
            torque = dot(axis, subtract((tx, ty, tz), cross(arm, (fx, fy, fz))))
        torques[k] = -torque if joint.flags & REVERSED else torque
