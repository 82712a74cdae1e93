"""Joints. One file of this family is one kind of joint.

A member has: KIND, its number (ODE's joint type); the entry `count(tables, joint)`, which looks at where the bodies are
and returns how many rows the joint needs now; the entry `fill(tables, joint, first, h)`, which fills in that many rows
from `first` on (they come cleared, with the world's CFM and no bounds, targets c as velocities); and the entry
`measure(tables, joint, what)`, the joint's coordinates and their rates: what = 2 k is the k-th coordinate (rad or m), 2
k + 1 its rate.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES

COUNT = types.int64(TABLES, types.int64)
FILL = types.void(TABLES, types.int64, types.int64, types.float64)
MEASURE = types.float64(TABLES, types.int64, types.int64)
