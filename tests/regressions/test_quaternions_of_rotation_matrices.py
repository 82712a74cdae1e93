"""The sign of the quaternion of a matrix with equal largest diagonal elements was chosen by the rounding of a correction.

dBodySetRotation took the quaternion from the corrected matrix, where ODE takes that of the matrix as it was given. Expected
numbers are those of ODE.
"""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.c_api import (
    dBodyCreate,
    dBodyGetQuaternion,
    dBodySetRotation,
    dCreateSphere,
    dGeomGetOffsetQuaternion,
    dGeomGetQuaternion,
    dGeomSetBody,
    dGeomSetOffsetRotation,
    dGeomSetRotation,
    dQfromR,
    dWorldCreate,
)

S, T, U, V = 0.19289803681796758, 0.36422007831168135, 0.7904469044371623, 0.5813639468160046
EQUAL = [-0.4924808887869061, U, -T, 0, T, -S, -0.9111169419709015, 0, -U, -V, -S, 0]
X, Y = 0.3333333333333337, 0.6666666666666669
ALL_EQUAL = [-X, -Y, -Y, 0, -Y, -X, Y, 0, -Y, Y, -X, 0]
FEW_DIGITS = [-0.318, -0.268, -0.909, 0, -0.41, 0.904, -0.123, 0, 0.855, 0.334, -0.398, 0]


def test_the_first_of_equal_elements_is_positive():
    expected = [0.17444414405273073, 0.47257676224319084, 0.6108356752815985, -0.6108356752815987]
    body = dBodyCreate(dWorldCreate())
    dBodySetRotation(body, EQUAL)
    assert dBodyGetQuaternion(body) == pytest.approx(expected, abs=1e-15)
    assert dQfromR(EQUAL) == pytest.approx(expected, abs=1e-15)
    assert od.rotation.quaternion_from_matrix(np.reshape(EQUAL, (3, 4))[:, :3]) == pytest.approx(expected, abs=1e-15)


def test_the_same_of_geoms():
    expected = [0.0, 0.5773502691896258, -0.5773502691896258, -0.5773502691896258]
    geom = dCreateSphere(0, 1)
    dGeomSetRotation(geom, ALL_EQUAL)
    assert dGeomGetQuaternion(geom) == pytest.approx(expected, abs=1e-15)
    dGeomSetBody(geom, dBodyCreate(dWorldCreate()))
    dGeomSetOffsetRotation(geom, ALL_EQUAL)
    assert dGeomGetOffsetQuaternion(geom) == pytest.approx(expected, abs=1e-15)


def test_the_quaternion_is_that_of_the_matrix_as_given():
    body = dBodyCreate(dWorldCreate())
    dBodySetRotation(body, FEW_DIGITS)
    assert dQfromR(FEW_DIGITS) == pytest.approx(
        [0.5449770637375485, 0.2096418502761445, -0.809208367367875, -0.06514035610330965], abs=1e-15
    )
    assert dBodyGetQuaternion(body) == pytest.approx(
        [0.5449740246442436, 0.20964068119732263, -0.8092038547747858, -0.06513999284468229], abs=1e-15
    )
