"""Keys: integers that are ordered as floats are and know where each of them came from.

A key is the bits of a float that is not negative, the last of which give way to its place: of two floats that differ by
less than MAX_PLACES units in the last place, that at the later place counts as the larger. One maximum of integers, which
processors take many at a time, so finds the largest float together with its place.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.kernels import kernel

# Places that keys separate.
MAX_PLACES = 64

# Above every key.
NO_KEY = (1 << 63) - 1


@kernel
def key_of(value, place):
    """Key of a float that is not negative, and of its place, from 0 to MAX_PLACES - 1."""
    return np.float64(value).view(np.int64) & -MAX_PLACES | place


@kernel
def place_of(key):
    return key & (MAX_PLACES - 1)
