"""Joints. One file of this family is one kind of joint.

A member has KIND, its number (ODE's joint type), and three entries; `joint` is its row in the table:

    count(tables, joint)           the number of rows that it needs where the bodies are now
    fill(tables, joint, first, h)  fills in that many rows from `first` on; they come cleared, with the world's CFM and without
                                   bounds. Biases c are velocities: the right-hand sides of J v = c
    measure(tables, joint, what)   a coordinate, rad or m, if `what` is 2 k, and its rate if it is 2 k + 1; NaN if the joint has
                                   no coordinates

HARD_ROWS, unless it is none: the number of its rows that never have bounds. They are its first; those of stops and motors follow.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES

COUNT = types.int64(TABLES, types.int64)
FILL = types.void(TABLES, types.int64, types.int64, types.float64)
MEASURE = types.float64(TABLES, types.int64, types.int64)
