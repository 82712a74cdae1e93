"""Continuous collision: fast bodies swept along their motion of a step, and stopped where they meet something.

The stage is `stop.sweep_bodies`, which is loaded when a world first has a continuous body.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES

# The stage's signature: tables, step size in s; 0 where it could not continue.
SWEEP = types.int64(TABLES, types.float64)
