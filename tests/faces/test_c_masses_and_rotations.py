"""The C names of masses and rotations."""

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
TURN = [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]  # a quarter about z


def made(function, *arguments):
    mass = ode.dMass()
    mass.mass, mass.c[:], mass.I[:] = 7, 8, 9  # previous contents must not matter
    function(mass, *arguments)
    return mass


def moments(mass):
    return mass.I[[0, 5, 10]]


@pytest.mark.parametrize(
    ("function", "arguments", "mass", "inertia"),
    [
        (ode.dMassSetSphere, (3, 2), 32 * np.pi, [51.2 * np.pi] * 3),
        (ode.dMassSetSphereTotal, (5, 2), 5, [8] * 3),
        (ode.dMassSetBox, (2, 1, 2, 3), 12, [13, 10, 5]),
        (ode.dMassSetBoxTotal, (6, 1, 2, 3), 6, [6.5, 5, 2.5]),
        (ode.dMassSetCylinder, (2, 1, 1, 2), 4 * np.pi, [2 * np.pi, 7 / 3 * np.pi, 7 / 3 * np.pi]),
        (ode.dMassSetCylinderTotal, (12, 2, 1, 2), 12, [7, 6, 7]),
        (ode.dMassSetCapsule, (3, 3, 1, 0), 4 * np.pi, [1.6 * np.pi] * 3),
        (ode.dMassSetCapsuleTotal, (10, 1, 1, 0), 10, [4] * 3),
        (ode.dMassSetCappedCylinder, (3, 3, 1, 0), 4 * np.pi, [1.6 * np.pi] * 3),
        (ode.dMassSetCappedCylinderTotal, (10, 1, 1, 0), 10, [4] * 3),
        (ode.dMassSetZero, (), 0, [0] * 3),
    ],
)
def test_shapes(function, arguments, mass, inertia):
    m = made(function, *arguments)
    close(m.mass, mass)
    close(moments(m), inertia)
    close(m.I[[1, 2, 3, 4, 6, 7, 8, 9, 11]], 0)
    close(m.c, [0, 0, 0])
    assert ode.dMassCheck(m) == int(mass > 0)


def test_parameters_and_check():
    m = made(ode.dMassSetParameters, 10, 0.1, 0.2, 0.3, 10, 20, 30, 4, 5, 6)
    assert m.mass == 10 and list(m.c) == [0.1, 0.2, 0.3]
    assert list(m.I) == [10, 4, 5, 0, 4, 20, 6, 0, 5, 6, 30, 0]
    assert ode.dMassCheck(m) == 1
    assert ode.dMassCheck(made(ode.dMassSetParameters, 10, 0, 0, 0, 1, 2, 3, 4, 5, 6)) == 0
    assert ode.dMassCheck(made(ode.dMassSetParameters, 10, 2, 0, 0, 1, 1, 1, 0, 0, 0)) == 0
    m.mass = -1
    assert ode.dMassCheck(m) == 0
    for function, arguments in (
        (ode.dMassSetSphere, (1, -1)),
        (ode.dMassSetBox, (1, 1, 0, 1)),
        (ode.dMassAdjust, (0,)),
    ):
        with pytest.raises(ValueError, match="greater than 0"):
            made(function, *arguments)
    with pytest.raises(ValueError, match="axis"):
        made(ode.dMassSetCapsule, 1, 4, 1, 1)


def test_changes():
    m = made(ode.dMassSetBox, 2, 1, 2, 3)
    ode.dMassAdjust(m, 6)
    assert m.mass == 6
    close(moments(m), [6.5, 5, 2.5])
    ode.dMassTranslate(m, 1, 0, 0)
    close(m.c, [1, 0, 0])
    close(moments(m), [6.5, 11, 8.5])
    ode.dMassRotate(m, TURN)
    close(m.c, [0, 1, 0], atol=1e-15)
    close(moments(m), [11, 6.5, 8.5])
    other = made(ode.dMassSetSphereTotal, 2, 0.5)
    ode.dMassAdd(m, other)
    assert m.mass == 8 and other.mass == 2
    close(m.c, [0, 0.75, 0], atol=1e-15)
    close(moments(m), [11.2, 6.7, 8.7])
    with pytest.raises(TypeError, match="must be a dMass"):
        ode.dMassAdd(m, 3)


def test_matrices():
    close(ode.dRSetIdentity(), IDENTITY)
    close(ode.dRFromAxisAndAngle(0, 0, 5, np.pi / 2), TURN, atol=1e-15)
    close(ode.dRFromAxisAndAngle(0, 0, 0, 1), IDENTITY)
    close(ode.dRFromEulerAngles(0, 0, -np.pi / 2), TURN, atol=1e-15)
    close(ode.dRFrom2Axes(0, 3, 0, -2, 1, 0), TURN, atol=1e-15)
    r = ode.dRFromZAxis(0, 0, 2)
    close(r[[2, 6, 10]], [0, 0, 1])
    close(r.reshape(3, 4)[:, :3].T @ r.reshape(3, 4)[:, :3], np.eye(3), atol=1e-15)
    angles = ode.dRFromEulerAngles(0.3, 0.2, 0.1).reshape(3, 4)[:, :3]
    parts = [ode.dRFromAxisAndAngle(*axis, -angle) for axis, angle in zip(np.eye(3), (0.3, 0.2, 0.1), strict=True)]
    close(angles, np.linalg.multi_dot([part.reshape(3, 4)[:, :3] for part in parts]), atol=1e-15)


def test_quaternions():
    quarter = ode.dQFromAxisAndAngle(0, 0, 1, np.pi / 2)
    close(ode.dQSetIdentity(), [1, 0, 0, 0])
    close(quarter, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    for convert in (ode.dRfromQ, ode.dQtoR):
        close(convert(quarter), TURN, atol=1e-15)
    for convert in (ode.dQfromR, ode.dRtoQ):
        close(convert(TURN), quarter)
    for rate in (ode.dDQfromW, ode.dWtoDQ):
        close(rate([1, 2, 3], [1, 0, 0, 0]), [0, 0.5, 1, 1.5])


def test_quaternion_products():
    b, c = ode.dQFromAxisAndAngle(1, 2, 3, 0.7), ode.dQFromAxisAndAngle(-2, 0, 1, 1.1)
    B, C = (ode.dRfromQ(q).reshape(3, 4)[:, :3] for q in (b, c))
    for product, expected in (
        (ode.dQMultiply0, B @ C),
        (ode.dQMultiply1, B.T @ C),
        (ode.dQMultiply2, B @ C.T),
        (ode.dQMultiply3, B.T @ C.T),
    ):
        close(ode.dRfromQ(product(b, c)).reshape(3, 4)[:, :3], expected, atol=1e-14)
