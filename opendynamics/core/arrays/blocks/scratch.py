"""Scratch memory of one call to a collider: SCRATCH numbers of 8 bytes, read and written as floats or integers."""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.table import array_of

SCRATCH = 4352

# From here on: nodes of a tree that a query has still to visit.
WAITING = 4096

# floats_at(address), integers_at(address): the scratch numbers.
floats_at = array_of(np.float64, SCRATCH)
integers_at = array_of(np.int64, SCRATCH)
