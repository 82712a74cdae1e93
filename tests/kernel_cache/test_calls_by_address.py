"""Calls of compiled functions by address, which know nothing but the signature of what they call."""

import numba
import numpy as np
import pytest

from opendynamics.core import types
from opendynamics.core.kernels import ENTRIES, caller, entry

SIGNATURE = types.float64(types.int64, types.float64)
call = caller(SIGNATURE)


def add(n, x):
    return n + x


# Machine code is kept of functions of the package only.
add.__module__ = "opendynamics.core.algebra.vec3"
add = entry(SIGNATURE)(add)
ENTRIES.remove(add)


@numba.njit
def call_with(address, numbers, k):
    return call(address, numbers[k], numbers[k + 1])


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.float32, np.float64])
def test_numbers_are_converted_to_what_the_function_takes(dtype):
    assert call_with(add.address, np.array([-3, 5], dtype), 0) == 2.0


def test_narrow_fields_of_records_are_converted():
    record = np.zeros(2, [("before", "i4"), ("number", "i4")])
    record["before"], record["number"] = -1, [-3, 5]
    assert call_with(add.address, record["number"], 0) == 2.0
