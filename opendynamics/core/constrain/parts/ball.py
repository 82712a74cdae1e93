"""Two anchors stay together: three point rows along the world's axes, error e = (x1 + r1) - (x0 + r0)."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, subtract
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.parts.frame import centre, turned_by
from opendynamics.core.constrain.parts.row import point_row
from opendynamics.core.kernels import kernel


@kernel
def anchor_gap(tables, joint):
    """Lever arms to the two anchors, and the displacement from anchor0 to anchor1."""
    r0 = turned_by(tables, joint.body0, joint.anchor0)
    r1 = turned_by(tables, joint.body1, joint.anchor1)
    return r0, r1, subtract(add(centre(tables, joint.body1), r1), add(centre(tables, joint.body0), r0))


@kernel
def ball_rows(tables, joint, first, k):
    """Three rows from `first` that correct the error at the rate `k` (1/s)."""
    r0, r1, error = anchor_gap(tables, joint)
    point_row(ROWS.rows(tables)[first], (1.0, 0.0, 0.0), r0, r1, k * error[0])
    point_row(ROWS.rows(tables)[first + 1], (0.0, 1.0, 0.0), r0, r1, k * error[1])
    point_row(ROWS.rows(tables)[first + 2], (0.0, 0.0, 1.0), r0, r1, k * error[2])
