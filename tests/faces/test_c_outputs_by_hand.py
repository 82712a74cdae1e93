"""Functions with several outputs, or results without a fixed form, where C has pointers."""

import ctypes

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose


def boxes(shift=1.8):
    """Two boxes of 2 m: centre, orientation and sides of each."""
    R = ode.dRSetIdentity()
    return ode.dVector3(), R, [2.0] * 3, np.array([shift, 0, 0, 0]), R, [2.0] * 3


def test_contacts_of_two_boxes():
    normal, depth, code = ode.dVector3(), ctypes.c_double(), [0]
    contacts = [ode.dContactGeom() for _ in range(8)]
    count = ode.dBoxBox(*boxes(), normal, depth, code, 8, contacts, 0)
    found = ode.dBoxBox(*boxes(), 8)
    assert count == len(found[3]) == 4 and code == [found[2]] == [1]
    close((*normal[:3], depth.value), (1, 0, 0, 0.2))
    close([c.depth for c in contacts], [0.2] * 4 + [0.0] * 4, atol=1e-15)
    assert ode.dBoxBox(*boxes(3.0), normal, depth, code, 8, contacts, 0) == 0
    with pytest.raises(ValueError, match="argument 11 of dBoxBox must be a list of 8"):
        ode.dBoxBox(*boxes(), normal, depth, code, 8, contacts[:3], 0)
    with pytest.raises(TypeError, match="argument 8 of dBoxBox is an output"):
        ode.dBoxBox(*boxes(), normal, 0.0, code, 8, contacts, 0)
    with pytest.raises(TypeError, match="7 arguments, or 12 with its outputs, not 8"):
        ode.dBoxBox(*boxes(), normal, 8)


def test_flags_of_triangles():
    data, flags = ode.dGeomTriMeshDataCreate(), np.zeros(5, np.uint8)
    ode.dGeomTriMeshDataSetBuffer(data, flags)
    size, length, buffer = ctypes.c_int(), [0], [None]
    assert ode.dGeomTriMeshDataGet2(data, ode.dTRIMESHDATA_USE_FLAGS, size) is flags and size.value == 5
    assert ode.dGeomTriMeshDataGetBuffer(data, buffer, length) == (flags, 5)
    assert buffer[0] is flags and length == [5]
    assert ode.dGeomTriMeshDataGetBuffer(data)[1] == 5
    with pytest.raises(TypeError, match="argument 3 of dGeomTriMeshDataGet2 is an output"):
        ode.dGeomTriMeshDataGet2(data, ode.dTRIMESHDATA_USE_FLAGS, 7)


def test_axes_of_motors_and_three_numbers_at_once():
    world = ode.dWorldCreate()
    body = ode.dBodyCreate(world)
    joint = ode.dJointCreateLMotor(world, 0)
    ode.dJointAttach(joint, body, 0)
    ode.dJointSetLMotorNumAxes(joint, 1)
    ode.dJointSetLMotorAxis(joint, 0, 1, 0, 3, 4)
    axis = ode.dVector3()
    assert ode.dJointGetLMotorAxis(joint, 0, axis) is axis
    close(axis[:3], [0, 0.6, 0.8])
    ode.dWorldSetQuickStepDynamicIterationParameters(world, 1e-7, 0.5, 1e-3)
    numbers = ctypes.c_double(), [0.0], np.zeros(1)
    ode.dWorldGetQuickStepDynamicIterationParameters(world, *numbers)
    close((numbers[0].value, numbers[1][0], numbers[2][0]), (1e-7, 0.5, 1e-3))


def test_heights_and_triangles_of_every_number_type():
    heights = [[0, 1], [2, 3]]
    for build, kind in (
        (ode.dGeomHeightfieldDataBuildShort, np.int16),
        (ode.dGeomHeightfieldDataBuildSingle, np.float32),
    ):
        data = ode.dGeomHeightfieldDataCreate()
        build(data, np.array(heights, kind), 1, 2, 2, 2, 2, 1, 0, 0, 0)
        close(ode.dGeomGetAABB(ode.dCreateHeightfield(0, data, 1))[2:4], [0, 3])
    data = ode.dGeomHeightfieldDataCreate()
    ode.dGeomHeightfieldDataBuildShort(data, np.array(heights, np.int16), 1, 2, 2, 2, 2, 2, 1, 0, 0)
    close(ode.dGeomGetAABB(ode.dCreateHeightfield(0, data, 1))[2:4], [1, 7])
    ode.dGeomHeightfieldDataBuildSingle(data, np.array(heights, np.float32), 1, 2, 2, 2, 2, 3, 0, 0, 0)
    close(ode.dGeomGetAABB(ode.dCreateHeightfield(0, data, 1))[2:4], [0, 9])
    points, corners = [(0, 0, 0), (2, 0, 0), (0, 3, 0)], np.array([0, 1, 2], np.uint32)
    single, double = np.array(points, np.float32), np.array(points, np.float64)
    data = ode.dGeomTriMeshDataCreate()
    ode.dGeomTriMeshDataBuildSingle1(data, single, 12, 3, corners, 3, 12, np.zeros(3))
    close(ode.dGeomGetAABB(ode.dCreateTriMesh(0, data, 0, 0, 0)), [0, 2, 0, 3, 0, 0], atol=1e-12)
    ode.dGeomTriMeshDataBuildDouble(data, 2 * double, 24, 3, corners, 3, 12)
    close(ode.dGeomGetAABB(ode.dCreateTriMesh(0, data, 0, 0, 0)), [0, 4, 0, 6, 0, 0], atol=1e-12)
    ode.dGeomTriMeshDataBuildDouble1(data, 3 * double, 24, 3, corners, 3, 12, np.zeros(3))
    close(ode.dGeomGetAABB(ode.dCreateTriMesh(0, data, 0, 0, 0)), [0, 6, 0, 9, 0, 0], atol=1e-12)
