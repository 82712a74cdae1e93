"""C names unrelated to simulation: set-up, random numbers, errors, timers, linear algebra."""

import io
import math

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
RANDOM_INTEGERS = [0, 1, 0, 0, 2, 10, 12, 122, 157, 64587, 2611, 1597300961]
RANDOM_REAL = 0.9658093678219731
TURN = np.array([0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0.0])  # a quarter about z


def test_set_up():
    assert ode.dInitODE() is ode.dCloseODE() is ode.dCleanupODEAllDataForThread() is None
    assert ode.dInitODE2(ode.dInitFlagManualThreadCleanup) == ode.dAllocateODEDataForThread(ode.dAllocateMaskAll) == 1
    assert ode.dGetConfiguration().split()[0] == "ODE"
    assert [ode.dCheckConfiguration(token) for token in ("ODE_double_precision", "ODE_single_precision", "OD")] == [
        1,
        0,
        0,
    ]


@pytest.fixture
def seed():
    kept = ode.dRandGetSeed()
    yield ode.dRandSetSeed
    ode.dRandSetSeed(kept)


def test_random_numbers(seed):
    """ODE's own sequence, written down from libode 0.16.2."""
    assert ode.dTestRand() == 1
    seed(0)
    assert [ode.dRand() for _ in range(3)] == [0x3C6EF35F, 0x47502932, 0xD1CCF6E9]
    assert ode.dRandGetSeed() == 0xD1CCF6E9
    seed(12345)
    assert [ode.dRandInt(n) for n in (1, 2, 3, 4, 5, 16, 17, 256, 257, 65536, 65537, 2**31 - 1)] == RANDOM_INTEGERS
    assert ode.dRandReal() == RANDOM_REAL
    seed(7)
    vector = ode.dMakeRandomVector(200, 3.0)
    assert vector.shape == (200,) and 2.5 < abs(vector).max() <= 3.0 and abs(vector.mean()) < 0.5
    seed(7)
    matrix = ode.dMakeRandomMatrix(2, 3, 3.0)
    close(matrix.reshape(2, 4)[:, :3].ravel(), vector[:6])
    assert not matrix.reshape(2, 4)[:, 3].any()


def test_matrices_of_misc():
    text = io.StringIO()
    a, b = np.array([1, 2, 0, 0, 3, 4, 0, 0.0]), np.array([1, 9, 0, 0, 2.5, 4, 0, 0.0])
    assert ode.dPAD(2) == 4  # rows of two numbers take four places
    ode.dPrintMatrix(a, 2, 2, "%3.1f ", text)
    assert text.getvalue() == "1.0 2.0 \n3.0 4.0 \n"
    assert ode.dMaxDifference(a, b, 2, 2) == 7 and ode.dMaxDifferenceLowerTriangle(a, b, 2) == 0.5
    ode.dClearUpperTriangle(b, 2)
    assert list(b) == [1, 0, 0, 0, 2.5, 4, 0, 0]
    with pytest.raises(TypeError, match="float64"):
        ode.dClearUpperTriangle([1, 2, 3, 4], 2)
    with pytest.raises(ValueError, match="need more"):
        ode.dClearUpperTriangle(np.zeros(5), 2)


def test_errors(capsys):
    heard = []

    def hear(*arguments):
        heard.append(arguments)

    for kind, (write, read, send) in {
        "error": (ode.dSetErrorHandler, ode.dGetErrorHandler, ode.dError),
        "debug": (ode.dSetDebugHandler, ode.dGetDebugHandler, ode.dDebug),
    }.items():
        assert read() is None
        with pytest.raises(RuntimeError, match=r"3: bad 5%"):
            send(3, "bad %d%%", 5)
        write(hear)
        assert read() is hear
        with pytest.raises(RuntimeError):
            send(1, kind)
        write(None)
    assert heard == [(1, "error", ()), (1, "debug", ())]
    ode.dMessage(2, "x %s", "y")
    assert capsys.readouterr().err == "ODE Message 2: x y\n"
    ode.dSetMessageHandler(hear)
    assert ode.dGetMessageHandler() is hear
    ode.dMessage(2, "x %s", "y")
    ode.dSetMessageHandler(0)
    assert ode.dGetMessageHandler() is None and heard[-1] == (2, "x %s", ("y",))


def test_timers(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    watch = ode.dStopwatch()
    for seconds in (1, 2):
        ode.dStopwatchStart(watch)
        now[0] += seconds
        ode.dStopwatchStop(watch)
        now[0] += 50
    assert ode.dStopwatchTime(watch) == 3
    ode.dStopwatchReset(watch)
    assert ode.dStopwatchTime(watch) == 0
    for _ in range(2):
        ode.dTimerStart("first")
        now[0] += 1
        ode.dTimerNow("second")
        now[0] += 3
        ode.dTimerEnd()
    text = io.StringIO()
    ode.dTimerReport(text, 1)
    lines = [line.split() for line in text.getvalue().splitlines()]
    assert lines == [["first", "1000.000", "ms", "25.0%"], ["second", "3000.000", "ms", "75.0%"]]
    ode.dTimerStart("second")
    now[0] += 7
    ode.dTimerEnd()
    last = io.StringIO()
    ode.dTimerReport(last, 0)  # of the last run alone
    assert last.getvalue().split() == ["second", "7000.000", "ms", "100.0%"]
    close(ode.dTimerTicksPerSecond() * ode.dTimerResolution(), 1)


def test_numbers():
    pairs = {
        ode.dRecip: 0.5,
        ode.dSqrt: math.sqrt(2),
        ode.dRecipSqrt: math.sqrt(0.5),
        ode.dSin: math.sin(2),
        ode.dCos: math.cos(2),
        ode.dFabs: 2,
        ode.dFloor: 2,
        ode.dCeil: 2,
        ode.dIsNan: False,
    }
    for function, value in pairs.items():
        close(function(2.0), value)
    assert (ode.dFloor(1.5), ode.dCeil(1.5), ode.dFabs(-1.5), ode.dIsNan(math.nan)) == (1, 2, 1.5, True)
    close([ode.dAsin(1), ode.dAcos(0), ode.dAtan2(1, 0)], [ode.M_PI_2] * 3)
    assert (ode.dFMod(5, 3), ode.dCopySign(2, -1), ode.dMin(1, 2), ode.dMax(1, 2)) == (2, -2, 1, 2)
    assert ode.dNextAfter(1, 2) == 1 + ode.dEpsilon
    assert [ode.dPAD(k) for k in range(10)] == [0, 1, 4, 4, 4, 8, 8, 8, 8, 12]


def test_odemath():
    for normalize in (ode.dSafeNormalize3, ode.dNormalize3):
        v = np.array([3e200, 0, 4e200])
        assert normalize(v) in (1, None)
        close(v, [0.6, 0, 0.8])
    for normalize in (ode.dSafeNormalize4, ode.dNormalize4):
        q = [2.0, 2, 2, 2]
        assert normalize(q) in (1, None)
        assert q == [0.5] * 4
    zero = [0.0] * 4
    assert ode.dSafeNormalize3(zero) == ode.dSafeNormalize4(zero) == 0 and zero == [0.0] * 4
    for normalize in (ode.dNormalize3, ode.dNormalize4):
        with pytest.raises(ValueError, match="length one"):
            normalize(zero)
    p, q = ode.dPlaneSpace([0.6, 0, 0.8])
    close(np.cross(p, q), [0.6, 0, 0.8])
    close([p @ p, q @ q, p @ q], [1, 1, 0], atol=1e-15)
    off = TURN + 0.01
    assert ode.dOrthogonalizeR(off) == 1
    rows = off.reshape(3, 4)[:, :3]
    close(rows @ rows.T, np.eye(3), atol=1e-15)
    assert ode.dOrthogonalizeR(np.zeros(12)) == 0


def test_products_and_solutions():
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 5):
        skip = ode.dPAD(n)
        square = rng.normal(size=(n, n))
        positive = square @ square.T + np.eye(n)
        flat = np.zeros((n, skip))
        flat[:, :n] = positive
        right = rng.normal(size=n)
        solution = np.linalg.solve(positive, right)
        lower = flat.copy()
        assert ode.dFactorCholesky(lower, n) == 1
        close(np.tril(lower[:, :n]), np.linalg.cholesky(positive))
        x = right.copy()
        ode.dSolveCholesky(lower, x, n)
        close(x, solution)
        good, inverse = ode.dInvertPDMatrix(flat, n)
        assert good == ode.dIsPositiveDefinite(flat, n) == 1 and ode.dIsPositiveDefinite(-flat, n) == 0
        close(inverse.reshape(n, -1)[:, :n], np.linalg.inv(positive))
        assert ode.dInvertPDMatrix(-flat, n)[0] == ode.dFactorCholesky(-flat, n) == 0
        factor = flat.copy()
        d = ode.dFactorLDLT(factor, n, skip)
        unit = np.tril(factor[:, :n], -1) + np.eye(n)
        close(unit / d @ unit.T, positive)
        for solve, matrix in ((ode.dSolveL1, unit), (ode.dSolveL1T, unit.T)):
            x = right.copy()
            solve(factor, x, n, skip)
            close(matrix @ x, right)
        x = right.copy()
        ode.dSolveLDLT(factor, d, x, n, skip)
        close(x, solution)
        for scale in (ode.dScaleVector, ode.dVectorScale):
            x = right.copy()
            scale(x, d, n)
            close(x, right * d)


def test_factors_are_updated():
    n, skip = 4, 4
    rng = np.random.default_rng(2)
    square = rng.normal(size=(n, n))
    positive = square @ square.T + 2 * np.eye(n)
    extra = np.array([0.5, 0.1, 0.2, -0.1])
    factor = positive.copy()
    d = ode.dFactorLDLT(factor, n, skip)
    added, reciprocals = factor.copy(), d.copy()
    ode.dLDLTAddTL(added, reciprocals, extra, n, skip)
    changed = positive.copy()
    changed[0] += extra
    changed[1:, 0] += extra[1:]
    expected = changed.copy()
    expected_d = ode.dFactorLDLT(expected, n, skip)
    close(np.tril(added[:, 1:], -2), np.tril(expected[:, 1:], -2))
    close(reciprocals[1:], expected_d[1:])
    assert reciprocals[0] == d[0] and (added[:, 0] == factor[:, 0]).all()
    for r in range(n):
        left, reciprocals, smaller = factor.copy(), d.copy(), positive.copy()
        ode.dLDLTRemove(list(positive), range(n), left, reciprocals, n, n, r, skip)
        ode.dRemoveRowCol(smaller, n, skip, r)
        close(smaller[:3, :3], np.delete(np.delete(positive, r, 0), r, 1))
        expected_d = ode.dFactorLDLT(smaller, 3, skip)
        close(np.tril(left[:3, :3], -1), np.tril(smaller[:3, :3], -1))
        close(reciprocals[:3], expected_d)


def test_matrix_products():
    rng = np.random.default_rng(3)
    p, q, r = 2, 3, 5

    def padded(matrix):
        rows = np.zeros((len(matrix), ode.dPAD(matrix.shape[1])))
        rows[:, : matrix.shape[1]] = matrix
        return rows.ravel()

    B, C = rng.normal(size=(p, q)), rng.normal(size=(q, r))
    for product in (
        ode.dMultiply0(padded(B), padded(C), p, q, r),
        ode.dMultiply1(padded(B.T), padded(C), p, q, r),
        ode.dMultiply2(padded(B), padded(C.T), p, q, r),
    ):
        close(product, padded(B @ C))
    a = np.arange(4.0)
    assert ode.dDot(a, a, 3) == 5
    ode.dSetValue(a, 3, 7)
    assert list(a) == [7, 7, 7, 3]
    ode.dSetZero(a, 2)
    assert list(a) == [0, 0, 7, 3]


def test_the_message_handler_hears_what_steps_warn_of():
    heard = []
    world = ode.dWorldCreate()
    body = ode.dBodyCreate(world)
    ode.dBodySetLinearVel(body, 1e308, 0, 0)
    ode.dBodyAddForce(body, 1e308, 0, 0)
    ode.dSetMessageHandler(lambda number, text, arguments: heard.append((number, text % arguments)))
    try:
        ode.dWorldStep(world, 1e3)
        ode.dJointCreateBall(world, ode.dJointGroupCreate(0))
        ode.dWorldDestroy(world)
    finally:
        ode.dSetMessageHandler(0)
    assert [number for number, _ in heard] == [ode.d_ERR_UNKNOWN] * 2
    assert "frozen" in heard[0][1] and "joints in groups" in heard[1][1]


def test_the_configuration_has_meshes():
    assert ode.dCheckConfiguration("ODE_EXT_trimesh") == 1
