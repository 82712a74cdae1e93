"""`matrix_from_quaternion` of a quaternion whose length is not 1 was no rotation: that of (1, 1, 0, 0) doubled y and z."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api


@pytest.mark.parametrize("length", [0.1, 1.0, 1.001, 2**0.5, 1e6])
def test_the_length_of_a_quaternion_does_not_matter(length):
    unit = od.rotation.quaternion_from_axis_angle((1, 2, 3), 0.7)
    matrix = od.rotation.matrix_from_quaternion(length * unit)
    assert np.allclose(matrix, od.rotation.matrix_from_quaternion(unit), atol=1e-14)
    assert np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-14)


def test_a_quarter_turn_written_without_its_length():
    matrix = od.rotation.matrix_from_quaternion((1, 1, 0, 0))
    assert np.allclose(matrix @ (0, 1, 0), (0, 0, 1))


def test_the_zero_quaternion_is_no_rotation():
    with pytest.raises(ValueError, match="finite length above 0"):
        od.rotation.matrix_from_quaternion((0, 0, 0, 0))


def test_odes_function_does_not_normalise():
    assert np.array(c_api.dRfromQ((1, 1, 0, 0))).reshape(3, 4)[2, 1] == 2.0
