"""Memory, cooperative matrices, macros with operators, types: parts of C that Python hardly needs."""

import math
import operator

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose


@pytest.fixture
def handlers():
    yield
    ode.dSetAllocHandler(None)
    ode.dSetReallocHandler(None)
    ode.dSetFreeHandler(None)


def test_blocks_of_memory():
    block = ode.dAlloc(4)
    assert block == bytearray(4)
    block[:] = b"abcd"
    assert ode.dRealloc(block, 4, 6) == b"abcd\0\0"
    assert ode.dRealloc(block, 4, 2) == b"ab"
    assert ode.dRealloc(None, 0, 2) == b"\0\0"
    assert ode.dFree(block, 4) is None
    for call in (lambda: ode.dAlloc(-1), lambda: ode.dRealloc(block, 4, -1), lambda: ode.dSetAllocHandler(3)):
        with pytest.raises((TypeError, ValueError)):
            call()
    for call in (lambda: ode.dFree(5, 8), lambda: ode.dRealloc("text", 1, 2)):
        with pytest.raises(TypeError, match="ptr must be a block of memory"):
            call()
    with pytest.raises(TypeError, match="dFree: the size of a block must be a whole number"):
        ode.dFree(block, "4")


def test_memory_handlers(handlers):
    assert (ode.dGetAllocHandler(), ode.dGetReallocHandler(), ode.dGetFreeHandler()) == (None, None, None)
    freed = []
    ode.dSetAllocHandler(lambda size: ["block", size])
    ode.dSetReallocHandler(lambda ptr, old, new: [*ptr, old, new])
    ode.dSetFreeHandler(lambda ptr, size: freed.append((ptr, size)))
    block = ode.dAlloc(3)
    assert (block, ode.dRealloc(block, 3, 5)) == (["block", 3], ["block", 3, 3, 5])
    ode.dFree(block, 3)
    assert freed == [(block, 3)]
    assert callable(ode.dGetAllocHandler()) and callable(ode.dGetReallocHandler()) and callable(ode.dGetFreeHandler())


@pytest.fixture
def resources():
    """For up to three rows of everything."""
    threads = ode.dCooperativeCreate(None, None)
    first, second = ode.dResourceRequirementsCreate(threads), ode.dResourceRequirementsCreate(threads)
    ode.dEstimateCooperativelyFactorLDLTResourceRequirements(first, 2, 3)
    ode.dEstimateCooperativelySolveLDLTResourceRequirements(first, 2, 3)
    ode.dEstimateCooperativelySolveL1StraightResourceRequirements(second, 2, 3)
    ode.dEstimateCooperativelySolveL1TransposedResourceRequirements(second, 2, 3)
    ode.dEstimateCooperativelyScaleVectorResourceRequirements(second, 2, 3)
    summary = ode.dResourceRequirementsClone(first)
    ode.dResourceRequirementsMergeIn(summary, second)
    acquired = ode.dResourceContainerAcquire(summary)
    yield acquired
    ode.dResourceContainerDestroy(acquired)
    for requirements in (first, second, summary):
        ode.dResourceRequirementsDestroy(requirements)
    ode.dCooperativeDestroy(threads)


MATRIX = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])


def test_cooperative_matrices(resources):
    L, right = np.zeros(12), np.array([1.0, 2.0, 3.0])
    L.reshape(3, 4)[:, :3] = MATRIX
    d = ode.dCooperativelyFactorLDLT(resources, 1, L, 3, 4)
    x = right.copy()
    ode.dCooperativelySolveLDLT(resources, 1, L, d, x, 3, 4)
    close(MATRIX @ x, right, atol=1e-12)
    y = right.copy()
    ode.dCooperativelySolveL1Straight(resources, 1, L, y, 3, 4)
    ode.dCooperativelyScaleVector(resources, 1, y, d, 3)
    ode.dCooperativelySolveL1Transposed(resources, 1, L, y, 3, 4)
    close(y, x, atol=1e-12)


def test_resources_that_are_too_few_or_gone(resources):
    with pytest.raises(ValueError, match="the resources are for 3 rows, not 4"):
        ode.dCooperativelyScaleVector(resources, 1, np.zeros(4), np.zeros(4), 4)
    threads = ode.dCooperativeCreate(None, None)
    ode.dCooperativeDestroy(threads)
    with pytest.raises(ode_error(), match="destroyed"):
        ode.dResourceRequirementsCreate(threads)
    with pytest.raises(TypeError, match="must be"):
        ode.dResourceContainerAcquire(None)


def ode_error():
    from opendynamics import DestroyedError

    return DestroyedError


def test_operators():
    a, b, c = [0.0, 0.0, 0.0, 7.0], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
    ode.dOP(a, "+", b, c)
    assert a == [5.0, 7.0, 9.0, 7.0]
    ode.dOPC(a, operator.mul, b, 2.0)
    assert a[:3] == [2.0, 4.0, 6.0]
    ode.dOPE(a, "+=", b)
    ode.dOPEC(a, "*=", 2.0)
    assert a[:3] == [6.0, 12.0, 18.0]
    ode.dOPE2(a, "-=", b, "*", c)
    assert a == [2.0, 2.0, 0.0, 7.0]
    with pytest.raises(ValueError, match="operator"):
        ode.dOP(a, "%", b, c)
    with pytest.raises(ValueError, match="operator"):
        ode.dOPE(a, "+", b)


@pytest.mark.parametrize("steps", [(p, q, r) for p in (1, 4) for q in (1, 4) for r in (1, 4)])
def test_cross_products(steps):
    p, q, r = steps
    b, c = np.arange(12.0), np.array([3.0, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, -8])
    expected = np.cross(b[: 3 * q : q], c[: 3 * r : r])
    name = "dCROSS" if steps == (1, 1, 1) else f"dCROSS{p}{q}{r}"
    for call in (getattr(ode, name), lambda a, op, b, c: ode.dCROSSpqr(a, op, b, c, p, q, r)):
        a = np.ones(12)
        call(a, "+=", b, c)
        close(a[: 3 * p : p], 1.0 + expected)
        assert a.sum() == pytest.approx(12 + expected.sum())


def test_every_cross_product_is_there():
    names = (ode.dCROSS, ode.dCROSS114, ode.dCROSS141, ode.dCROSS144, ode.dCROSS411, ode.dCROSS414)
    assert len({*names, ode.dCROSS441, ode.dCROSS444}) == 8


def test_the_matrix_of_a_cross_product():
    A, a, v = np.zeros(12), [1.0, 2.0, 3.0], np.array([4.0, -5.0, 6.0])
    ode.dCROSSMAT(A, a, 4, 1, -1)
    close(A.reshape(3, 4)[:, :3] @ v, np.cross(a, v))


def test_types():
    sizes = {ode.dVector3: 4, ode.dVector4: 4, ode.dMatrix3: 12, ode.dMatrix4: 16, ode.dMatrix6: 48, ode.dQuaternion: 4}
    for make, size in sizes.items():
        assert make().tolist() == [0.0] * size
    assert (ode.dReal(1), ode.duint32(2.0), math.isnan(ode.dNaN)) == (1.0, 2, True)


def test_meshes_built_by_the_manual_s_name():
    data = ode.dGeomTriMeshDataCreate()
    ode.dGeomTriMeshDataBuild(data, [(0, 0, 0), (1, 0, 0), (0, 1, 0)], 24, 3, [(0, 1, 2)], 3, 12, None)
    assert ode.dGeomTriMeshGetTriangleCount(ode.dCreateTriMesh(0, data, None, None, None)) == 1
