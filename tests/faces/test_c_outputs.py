"""Output arguments of the C names: results that C writes through a pointer fill the argument, and are returned."""

import ctypes
import inspect

import numpy as np
import pytest

from opendynamics import c_api as ode
from opendynamics.c_api.outputs import RETURNED_BY_POINTER, output_positions, result_parts

close = np.testing.assert_allclose


@pytest.fixture
def body():
    body = ode.dBodyCreate(ode.dWorldCreate())
    ode.dBodySetPosition(body, 1, 2, 3)
    ode.dBodySetRotation(body, ode.dRFromAxisAndAngle(1, 2, 3, 0.4))
    return body


@pytest.mark.parametrize(
    "room",
    [ode.dVector3, lambda: [0.0] * 3, lambda: np.zeros(3), lambda: np.zeros((2, 4))[:, ::2], ctypes.c_double * 4],
)
def test_any_array_is_filled_and_returned(body, room):
    output = room()
    assert ode.dBodyCopyPosition(body, output) is output
    close(np.ravel(output)[:3], [1, 2, 3])


def test_matrices_and_quaternions_come_first_as_in_rotation_h():
    matrix, quaternion = ode.dMatrix3(), ode.dQuaternion()
    assert ode.dRFromAxisAndAngle(matrix, 0, 0, 1, 0.5) is matrix
    close(matrix, ode.dRFromAxisAndAngle(0, 0, 1, 0.5))
    ode.dQfromR(quaternion, matrix)
    close(quaternion, ode.dQFromAxisAndAngle(0, 0, 1, 0.5))
    product = ode.dQuaternion()
    ode.dQMultiply0(product, quaternion, quaternion)
    close(product, ode.dQFromAxisAndAngle(0, 0, 1, 1.0))


def test_the_old_macros_have_the_output_last():
    matrix, quaternion = ode.dRFromAxisAndAngle(0, 0, 1, 0.5), ode.dQuaternion()
    ode.dRtoQ(matrix, quaternion)
    close(quaternion, ode.dQFromAxisAndAngle(0, 0, 1, 0.5))


def test_numbers_by_pointer():
    capsule = ode.dCreateCapsule(0, 0.2, 3)
    radius, length = ctypes.c_double(), [0.0]
    ode.dGeomCapsuleGetParams(capsule, radius, length)
    assert (radius.value, length) == (0.2, [3.0])


def test_several_outputs_are_returned_together():
    ray = ode.dCreateRay(0, 1)
    ode.dGeomRaySet(ray, 1, 2, 3, 0, 0, 5)
    start, direction = ode.dVector3(), ode.dVector3()
    outputs = ode.dGeomRayGet(ray, start, direction)
    assert outputs[0] is start and outputs[1] is direction
    close(start[:3], [1, 2, 3])
    close(direction[:3], [0, 0, 1])


def test_a_result_of_cs_own_is_what_is_returned():
    inverse = np.zeros(16)
    assert ode.dInvertPDMatrix(np.diag([1.0, 2.0, 4.0, 8.0]).ravel(), inverse, 4) == 1
    close(inverse.reshape(4, 4), np.diag([1, 0.5, 0.25, 0.125]))


def test_a_mass_is_filled(body):
    mass = ode.dMass()
    assert ode.dBodyGetMass(body, mass) is mass
    assert mass.mass == 1.0 and mass.I[5] == 1.0


def test_contacts_fill_a_list():
    one, other = ode.dCreateSphere(0, 1), ode.dCreateSphere(0, 1)
    ode.dGeomSetPosition(other, 1.5, 0, 0)
    contacts = [ode.dContact() for _ in range(4)]
    assert ode.dCollide(one, other, 4, contacts, 8) == 1
    assert contacts[0].geom.depth == pytest.approx(0.5) and contacts[0].geom.g1 is one
    assert contacts[1].geom.g1 is None
    geoms = [ode.dContactGeom()]
    assert ode.dCollide(one, other, 1, geoms) == 1 and geoms[0].depth == pytest.approx(0.5)
    with pytest.raises(ValueError, match="dCollide must be a list of 4"):
        ode.dCollide(one, other, 4, contacts[:2])


def test_joints_fill_a_list(body):
    joint = ode.dJointCreateBall(ode.dBodyGetWorld(body), 0)
    ode.dJointAttach(joint, body, 0)
    found = [None] * 3
    assert ode.dConnectingJointList(body, 0, found) == 1 and found == [joint, None, None]


def test_what_cannot_be_filled_is_refused_before_anything_happens(body):
    with pytest.raises(TypeError, match="argument 2 of dBodyCopyPosition is an output"):
        ode.dBodyCopyPosition(body, (0, 0, 0))
    frozen = np.zeros(3)
    frozen.setflags(write=False)
    with pytest.raises(TypeError, match="argument 2 of dBodyCopyPosition is an output"):
        ode.dBodyCopyPosition(body, frozen)
    with pytest.raises(ValueError, match="room for 2 numbers, not for the 3"):
        ode.dBodyCopyPosition(body, [0.0, 0.0])
    with pytest.raises(TypeError, match="1 arguments, or 2 with its outputs, not 3"):
        ode.dBodyCopyPosition(body, [0.0] * 3, 1)
    with pytest.raises(TypeError, match="must be a dMass"):
        ode.dBodyGetMass(body, [0.0] * 3)
    seed = ode.dRandGetSeed()
    with pytest.raises(TypeError, match="dMakeRandomVector"):
        ode.dMakeRandomVector("abc", 3, 1.0)
    assert ode.dRandGetSeed() == seed


def test_every_array_has_an_output_argument_or_is_odes_own():
    for name in ode.__all__:
        function = getattr(ode, name)
        if inspect.isfunction(function) and "Array" in result_parts(function):
            assert output_positions(name, function) or name in RETURNED_BY_POINTER, name
