"""C names of single numbers, vectors, matrices and masses, each against a closed form."""

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose


def test_masses_by_density_and_in_total():
    mass, same = ode.dMass(), ode.dMass()
    ode.dMassSetCylinder(mass, 2, 3, 0.5, 4)
    assert mass.mass == pytest.approx(2 * np.pi)  # 2 kg/m³ x π (0.5 m)² x 4 m
    ode.dMassSetCylinderTotal(same, 2 * np.pi, 3, 0.5, 4)
    close(same.I, mass.I)
    ode.dMassSetCapsuleTotal(mass, 3, 1, 0.5, 2)
    ode.dMassSetCappedCylinderTotal(same, 3, 1, 0.5, 2)
    assert mass.mass == same.mass == 3 and mass.I[0] < mass.I[5] == pytest.approx(mass.I[10])
    close(same.I, mass.I)
    ode.dMassSetCappedCylinder(same, 2, 1, 0.5, 2)
    assert same.mass == pytest.approx(2 * np.pi * (0.25 * 2 + 4 / 3 * 0.125))
    ode.dMassSetBoxTotal(mass, 12, 1, 2, 3)
    close([mass.I[0], mass.I[5], mass.I[10]], [13, 10, 5])
    ode.dMassSetSphereTotal(mass, 10, 0.5)
    assert mass.I[0] == pytest.approx(0.4 * 10 * 0.25)
    ode.dMassSetZero(mass)
    assert mass.mass == 0 and not mass.I.any()


def test_quaternions():
    a, b = ode.dQFromAxisAndAngle(1, 2, 3, 0.4), ode.dQFromAxisAndAngle(3, -1, 2, 1.1)
    conjugate = np.array([1, -1, -1, -1])
    close(ode.dQMultiply2(a, b), ode.dQMultiply0(a, b * conjugate))
    close(ode.dQMultiply3(a, b), ode.dQMultiply0(a * conjugate, b * conjugate))
    close(ode.dQtoR(a), ode.dRFromAxisAndAngle(1, 2, 3, 0.4), atol=1e-15)
    q = 3 * a
    ode.dNormalize4(q)
    close(q, a)
    # The rate of the orientation is half the product of (0, w) with it.
    rate = 0.5 * ode.dQMultiply0(np.array([0.0, 1, 2, 3]), a)
    close(ode.dWtoDQ([1, 2, 3], a), rate)
    close(ode.dDQfromW([1, 2, 3], a), rate)


def test_scaled_vectors_and_triangular_systems():
    a = np.array([1.0, 2, 3, 4])
    ode.dScaleVector(a, np.array([2.0, 3, 4, 5]), 4)
    close(a, [2, 6, 12, 20])
    ode.dVectorScale(a, np.array([0.5, 0.5, 0.25, 0.25]), 4)
    close(a, [1, 3, 3, 5])
    lower = np.array([[1, 0, 0, 0], [2, 1, 0, 0], [3, 4, 1, 0]], float)  # of three rows, four numbers apart
    x = np.array([1.0, 4, 14])
    ode.dSolveL1(lower.ravel(), x, 3, 4)
    close(x, [1, 2, 3])
    x = lower[:, :3].T @ np.array([1.0, 2, 3])
    ode.dSolveL1T(lower.ravel(), x, 3, 4)
    close(x, [1, 2, 3])


def test_resources_of_cooperative_matrices():
    threads = ode.dCooperativeCreate(None, None)
    small, large = ode.dResourceRequirementsCreate(threads), ode.dResourceRequirementsCreate(threads)
    for requirements, rows in ((small, 2), (large, 4)):
        ode.dEstimateCooperativelyFactorLDLTResourceRequirements(requirements, 1, rows)
        ode.dEstimateCooperativelySolveLDLTResourceRequirements(requirements, 1, rows)
        ode.dEstimateCooperativelySolveL1StraightResourceRequirements(requirements, 1, rows)
        ode.dEstimateCooperativelySolveL1TransposedResourceRequirements(requirements, 1, rows)
        ode.dEstimateCooperativelyScaleVectorResourceRequirements(requirements, 1, rows)
    copy = ode.dResourceRequirementsClone(small)
    ode.dResourceRequirementsMergeIn(small, large)
    few, many = ode.dResourceContainerAcquire(copy), ode.dResourceContainerAcquire(small)
    vector = np.ones(4)
    with pytest.raises(ValueError, match="the resources are for 2 rows, not 4"):
        ode.dCooperativelyScaleVector(few, 1, vector, 2 * vector, 4)
    ode.dCooperativelyScaleVector(many, 1, vector, 2 * vector, 4)
    close(vector, 2)
    ode.dResourceContainerDestroy(many)
    with pytest.raises(ValueError, match="destroyed"):
        ode.dCooperativelyScaleVector(many, 1, vector, vector, 4)
    ode.dResourceRequirementsDestroy(large)
    with pytest.raises(ValueError, match="destroyed"):
        ode.dResourceContainerAcquire(large)


def test_handlers_of_errors_and_debug_messages():
    heard = []

    def handler(number, text, arguments):
        heard.append((number, text % tuple(arguments)))

    try:
        ode.dSetErrorHandler(handler)
        ode.dSetDebugHandler(handler)
        assert ode.dGetErrorHandler() is ode.dGetDebugHandler() is handler
        for call, number in ((ode.dError, 3), (ode.dDebug, 4)):
            with pytest.raises(RuntimeError, match="seven 7"):
                call(number, "seven %d", 7)
        with pytest.raises(RuntimeError, match="eight"):
            ode.dError(5, "eight")
        with pytest.raises(RuntimeError, match="nine"):
            ode.dDebug(6, "nine")
    finally:
        ode.dSetErrorHandler(None)
        ode.dSetDebugHandler(None)
    assert heard == [(3, "seven 7"), (4, "seven 7"), (5, "eight"), (6, "nine")]
