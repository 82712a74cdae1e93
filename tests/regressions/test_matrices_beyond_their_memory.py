"""Negative steps from row to row of C's matrices: they read and wrote memory before the array."""

import numpy as np
import pytest

import opendynamics.c_api as c


@pytest.mark.parametrize("skip", [-1, -(10**6), 2])
def test_steps_from_row_to_row_that_rows_do_not_fit_in(skip):
    matrix, vector = np.arange(12.0), np.ones(3)
    for call in (lambda: c.dFactorLDLT(matrix, 3, skip), lambda: c.dSolveL1(matrix, vector, 3, skip)):
        with pytest.raises(ValueError, match=r"nskip.* must be at least"):
            call()
    assert np.array_equal(matrix, np.arange(12.0)) and np.array_equal(vector, np.ones(3))


@pytest.mark.parametrize("row", [-1, 3])
def test_rows_that_there_are_not(row):
    matrix = np.arange(12.0)
    with pytest.raises(ValueError, match=r"dRemoveRowCol: r must be at (least 0|most 2)"):
        c.dRemoveRowCol(matrix, 3, 4, row)
    assert np.array_equal(matrix, np.arange(12.0))
