"""Ball joint: two anchors coincide. Three rows, with its own ERP and CFM."""

from __future__ import annotations

from math import nan

from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.ball import ball_rows
from opendynamics.core.kernels import entry

KIND = 1
HARD_ROWS = 3


@entry(COUNT)
def count(tables, index):
    return HARD_ROWS


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    ball_rows(tables, joint, first, joint.erp / h)
    for r in range(first, first + 3):
        ROWS.rows(tables)[r].cfm = joint.cfm


@entry(MEASURE)
def measure(tables, index, what):
    return nan
