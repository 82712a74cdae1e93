"""Support functions: the data of convex shapes that a support function defines, which GEOM.data is the address of.

One immutable block of memory, kept alive by the geom: a MAPPING record, then the numbers that the function is given. The
record has the address of the function, so that a new one compiles nothing but itself.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.arrays.table import array_of

MAPPING = [
    ("function", "i8"),  # address of compiled code, SUPPORT
    ("count", "i8"),  # of numbers that follow
]
MAPPING_BYTES = np.dtype(MAPPING).itemsize

POINT = types.UniTuple(types.float64, 3)

# support(parameters, direction): the furthest point along a direction of any length but zero, in the geom's frame.
SUPPORT = POINT(types.Array(types.float64, 1, "C"), POINT)

mappings_at = array_of(MAPPING, 1)
parameters_at = array_of(np.float64)
