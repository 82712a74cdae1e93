"""Positions, rates and torques of many joints with one axis, by one call.

A torque is the λ of the one row of a hinge or a slider that acts along its coordinate, that of its motor and stops; of a step of
sub-steps, the mean (`sub_steps`). Torques are conjugate to rates: torque x rate is the power that the joint gives its bodies.
Jᵀλ along the axis would not do: that has turned since the rows were filled in, and so has a part of what holds the bodies.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.joints import JOINTS, REVERSED
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.constrain.joints import MEASURE
from opendynamics.core.constrain.joints.hinge import HARD_ROWS  # a slider has as many
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
        torque = 0.0
        if end <= min(len(ROWS.rows(tables)), len(FORCES.rows(tables))):
            if joint.row_count == 1:
                torque = ROWS.rows(tables)[first].rhs
            for r in range(first + HARD_ROWS, end):
                torque += FORCES.rows(tables)[r]
        torques[k] = -torque if joint.flags & REVERSED and not slides[k] else torque
