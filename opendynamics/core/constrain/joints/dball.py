"""Double ball joint: two anchors keep a distance, numbers[0]. One row, with its own ERP and CFM."""

from __future__ import annotations

from math import nan

from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.distance import rod_row
from opendynamics.core.kernels import entry

KIND = 15
HARD_ROWS = 1


@entry(COUNT)
def count(tables, index):
    return HARD_ROWS


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    row = ROWS.rows(tables)[first]
    rod_row(tables, joint, row, joint.erp / h)
    row.cfm = joint.cfm


@entry(MEASURE)
def measure(tables, index, what):
    return nan
