"""Mean forces of joints over the sub-steps of a step.

    f = (f of the first sub-step + ... + f of the last) / n,  with Jᵀλ of a joint's rows as its f in a sub-step

Each joint that acted gets a row of its own for them, after those of the last sub-step, with the mean as Jacobian and the force 1:
whatever sums Jᵀλ over a joint's rows, and saving, then needs no special case. Its right-hand side is the mean λ of the motor of a
hinge or a slider, for `joint_values`.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.constrain.joints.hinge import HARD_ROWS  # a slider has as many
from opendynamics.core.kernels import entry

MEANS = types.Array(types.float64, 2, "C")
ACTED = types.Array(types.boolean, 1, "C")


@entry(types.void(TABLES, types.float64, MEANS, ACTED))
def add_forces(tables, part, means, acted):
    """Add to `means` the part of a step's mean forces on body0 and body1 that is due to the last sub-step.

    Args:
        part: of the step, the sub-step: 1/n.
        means: (n, 13), N and N m, by the rows of the joints: force and torque on body0, then on body1, and λ of motors.
        acted: whether each joint was part of a sub-step so far.
    """
    for k in range(len(means)):
        joint = JOINTS.rows(tables)[k]
        for r in range(joint.first_row, joint.first_row + joint.row_count):
            row, force = ROWS.rows(tables)[r], part * FORCES.rows(tables)[r]
            for c in range(6):
                means[k, c] += row.j0[c] * force
                means[k, 6 + c] += row.j1[c] * force
            if r >= joint.first_row + HARD_ROWS:
                means[k, 12] += force
            acted[k] = True


@entry(types.void(TABLES, MEANS, ACTED))
def write_forces(tables, means, acted):
    """Give each joint that acted a row with its mean forces. There is room for as many rows as joints beyond the last step's."""
    at = REPORTS.rows(tables)[0].rows
    for k in range(len(means)):
        joint = JOINTS.rows(tables)[k]
        if acted[k]:
            row = ROWS.rows(tables)[at]
            for c in range(6):
                row.j0[c], row.j1[c] = means[k, c], means[k, 6 + c]
            row.rhs, FORCES.rows(tables)[at] = means[k, 12], 1.0
            joint.first_row, joint.row_count = at, 1
            at += 1
