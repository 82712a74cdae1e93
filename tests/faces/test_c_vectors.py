"""The C names of odemath.h's inline functions and macros."""

import math

import numpy as np

from opendynamics import c_api as ode

close = np.testing.assert_allclose
RNG = np.random.default_rng(4)
A, B, C = RNG.normal(size=(3, 3))
M, N = RNG.normal(size=(2, 3, 3))


def twelve(matrix):
    rows = np.full((3, 4), 99.0)
    rows[:, :3] = matrix
    return rows.ravel()


def strided(vector, step):
    numbers = np.full(2 * step + 1, 99.0)
    numbers[::step] = vector
    return numbers


def test_constants_are_the_places_of_components():
    for prefix, parts in {
        "dSA_": ("X", "Y", "Z"),
        "dMD_": ("LINEAR", "ANGULAR"),
        "dDA_": ("LX", "LY", "LZ", "AX", "AY", "AZ"),
        "dV3E_": ("X", "Y", "Z", "PAD"),
        "dV4E_": ("X", "Y", "Z", "O"),
        "dQUE_": ("R", "I", "J", "K"),
        "dM3E_": [row + column for row in "XYZ" for column in ("X", "Y", "Z", "PAD")],
        "dM4E_": [row + column for row in "XYZO" for column in "XYZO"],
    }.items():
        names = [prefix + part for part in parts]
        assert [getattr(ode, name) for name in names] == list(range(len(names)))
        assert getattr(ode, f"{prefix}_MIN") == 0 and getattr(ode, f"{prefix}_MAX") == len(names)


def test_making_and_copying():
    assert list(ode.dZeroVector3()) == [0] * 3 and list(ode.dAssignVector3(1, 2, 3)) == [1, 2, 3]
    assert not ode.dZeroMatrix3().any() and len(ode.dZeroMatrix3()) == 12
    assert not ode.dZeroMatrix4().any() and len(ode.dZeroMatrix4()) == 16
    copy = ode.dCopyVector3(A)
    copy[0] = 5
    assert A[0] != 5
    assert list(ode.dCopyVector4([1, 2, 3, 4, 5])) == [1, 2, 3, 4]
    assert list(ode.dCopyMatrix4x4(range(16))) == list(range(12))
    assert list(ode.dCopyMatrix4x3(range(12))) == [0, 1, 2, 0, 4, 5, 6, 0, 8, 9, 10, 0]
    close(ode.dGetMatrixColumn3(twelve(M), 1), M[:, 1])
    assert ode.dACCESS33(range(12), 1, 2) == 6
    for valid, number in ((ode.dVALIDVEC3, 3), (ode.dVALIDVEC4, 4), (ode.dVALIDMAT3, 12), (ode.dVALIDMAT4, 16)):
        assert valid([1.0] * number) and not valid([1.0] * (number - 1) + [math.nan])


def test_sums_and_multiples():
    close(ode.dAddVectors3(A, B), A + B)
    close(ode.dSubtractVectors3(A, B), A - B)
    close(ode.dAddVectorScaledVector3(A, B, 3), A + 3 * B)
    close(ode.dAddScaledVectors3(A, B, 2, 3), 2 * A + 3 * B)
    close(ode.dAddThreeScaledVectors3(A, B, C, 2, 3, 4), 2 * A + 3 * B + 4 * C)
    close(ode.dCopyScaledVector3(A, 2), 2 * A)
    close(ode.dCopyNegatedVector3(A), -A)
    v = [1.0, 2.0, 3.0]
    ode.dScaleVector3(v, 2)
    assert v == [2, 4, 6]
    ode.dNegateVector3(v)
    assert v == [-2, -4, -6]


def test_lengths_and_inner_products():
    for length in (ode.dCalcVectorLength3, ode.dLENGTH):
        close(length(A), np.linalg.norm(A))
    for square in (ode.dCalcVectorLengthSquare3, ode.dLENGTHSQUARED):
        close(square(A), A @ A)
    for distance in (ode.dCalcPointsDistance3, ode.dDISTANCE):
        close(distance(A, B), np.linalg.norm(A - B))
    close(ode.dCalcPointDepth3([0, 0, 1], [0, 0, 3], [0, 0, 1]), 2)
    for dot, step_a, step_b in (
        (ode.dCalcVectorDot3, 1, 1),
        (ode.dDOT, 1, 1),
        (ode.dCalcVectorDot3_13, 1, 3),
        (ode.dDOT13, 1, 3),
        (ode.dCalcVectorDot3_31, 3, 1),
        (ode.dDOT31, 3, 1),
        (ode.dCalcVectorDot3_33, 3, 3),
        (ode.dDOT33, 3, 3),
        (ode.dCalcVectorDot3_14, 1, 4),
        (ode.dDOT14, 1, 4),
        (ode.dCalcVectorDot3_41, 4, 1),
        (ode.dDOT41, 4, 1),
        (ode.dCalcVectorDot3_44, 4, 4),
        (ode.dDOT44, 4, 4),
    ):
        close(dot(strided(A, step_a), strided(B, step_b)), A @ B)


def test_cross_products():
    for cross, step_a, step_b in (
        (ode.dCalcVectorCross3, 1, 1),
        (ode.dCalcVectorCross3_114, 1, 4),
        (ode.dCalcVectorCross3_141, 4, 1),
        (ode.dCalcVectorCross3_144, 4, 4),
        (ode.dCalcVectorCross3_411, 1, 1),
        (ode.dCalcVectorCross3_414, 1, 4),
        (ode.dCalcVectorCross3_441, 4, 1),
        (ode.dCalcVectorCross3_444, 4, 4),
    ):
        close(cross(strided(A, step_a), strided(B, step_b)), np.cross(A, B))
    for change, sign in ((ode.dAddVectorCross3, 1), (ode.dSubtractVectorCross3, -1)):
        v = C.copy()
        change(v, A, B)
        close(v, C + sign * np.cross(A, B))
    for change, sign in ((ode.dSetCrossMatrixPlus, 1), (ode.dSetCrossMatrixMinus, -1)):
        matrix = np.zeros(12)
        change(matrix, A, 4)
        close(matrix.reshape(3, 4)[:, :3] @ B, sign * np.cross(A, B))


def test_products_of_matrices():
    m, n = twelve(M), twelve(N)
    for product, add, upper, add_upper, factors, expected in (
        (ode.dMultiply0_331, ode.dMultiplyAdd0_331, ode.dMULTIPLY0_331, ode.dMULTIPLYADD0_331, (m, A), M @ A),
        (ode.dMultiply1_331, ode.dMultiplyAdd1_331, ode.dMULTIPLY1_331, ode.dMULTIPLYADD1_331, (m, A), M.T @ A),
        (ode.dMultiply0_133, ode.dMultiplyAdd0_133, ode.dMULTIPLY0_133, ode.dMULTIPLYADD0_133, (A, m), A @ M),
        (ode.dMultiply0_333, ode.dMultiplyAdd0_333, ode.dMULTIPLY0_333, ode.dMULTIPLYADD0_333, (m, n), M @ N),
        (ode.dMultiply1_333, ode.dMultiplyAdd1_333, ode.dMULTIPLY1_333, ode.dMULTIPLYADD1_333, (m, n), M.T @ N),
        (ode.dMultiply2_333, ode.dMultiplyAdd2_333, ode.dMULTIPLY2_333, ode.dMULTIPLYADD2_333, (m, n), M @ N.T),
    ):
        for multiply in (product, upper):
            result = multiply(*factors)
            close(result if expected.ndim == 1 else result.reshape(3, 4)[:, :3], expected)
        for increase in (add, add_upper):
            total = np.ones(len(result))
            increase(total, *factors)
            close(total, 1 + result)


def test_inverse():
    close(ode.dCalcMatrix3Det(twelve(M)), np.linalg.det(M))
    determinant, inverse = ode.dInvertMatrix3(twelve(M))
    close(determinant, np.linalg.det(M))
    close(inverse.reshape(3, 4)[:, :3] @ M, np.eye(3), atol=1e-12)
    assert ode.dInvertMatrix3(np.zeros(12))[0] == 0


def test_the_fourth_number_of_a_vector_means_nothing():
    """C's dVector3 has four numbers; whatever takes a vector takes them."""
    I, unit = ode.dRSetIdentity(), (1, 1, 1)  # noqa: E741  (the name of the manual)
    world = ode.dWorldCreate()
    joint = ode.dJointCreateHinge2(world, None)
    ode.dJointAttach(joint, ode.dBodyCreate(world), ode.dBodyCreate(world))
    ode.dJointSetHinge2Axes(joint, (0, 0, 1, 7), (0, 1, 0, 7))
    close(ode.dJointGetHinge2Axis1(joint)[:3], (0, 0, 1))
    assert ode.dBoxTouchesBox((0, 0, 0, 7), I, (*unit, 7), (0.5, 0, 0, 7), I, (*unit, 7)) == 1
    assert ode.dBoxBox((0, 0, 0, 7), I, (*unit, 7), (0.5, 0, 0, 7), I, (*unit, 7), 8)[1] == 0.5
    nearest = ode.dClosestLineSegmentPoints((0, 0, 0, 7), (1, 0, 0, 7), (0, 1, 0, 7), (0, 2, 0, 7))
    close([point[:3] for point in nearest], [(0, 0, 0), (0, 1, 0)])
    space = ode.dQuadTreeSpaceCreate(None, (0, 0, 0, 7), (1, 1, 1, 7), 3)
    assert ode.dSpaceGetNumGeoms(space) == 0
    contact = ode.dContact()
    contact.geom.pos, contact.geom.normal, contact.fdir1 = (1, 2, 3, 7), (0, 0, 1, 7), (1, 0, 0, 7)
    close([contact.geom.pos[:3], contact.geom.normal[:3], contact.fdir1[:3]], [(1, 2, 3), (0, 0, 1), (1, 0, 0)])
    close(ode.dPlaneSpace((0, 0, 1, 7))[0][:3], ode.dPlaneSpace((0, 0, 1))[0][:3])
