"""Rotations: matrices and quaternions from body to world, and ODE's own constructions of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendynamics as od
from opendynamics.core.collide.ccd.swept_motion import _turn_between

r = od.rotation
numba = pytest.importorskip("numba")
numbers = st.floats(-3, 3)
vectors = st.tuples(numbers, numbers, numbers).filter(lambda v: np.linalg.norm(v) > 1e-3)


def test_a_quarter_turn_about_z_brings_x_to_y():
    turn = r.from_axis_angle((0, 0, 5), math.pi / 2)
    assert turn @ [1, 0, 0] == pytest.approx([0, 1, 0], abs=1e-15)
    q = r.quaternion_from_axis_angle((0, 0, 5), math.pi / 2)
    assert q == pytest.approx([math.sqrt(0.5), 0, 0, math.sqrt(0.5)])


def test_about_the_zero_axis_nothing_turns():
    assert r.quaternion_from_axis_angle((0, 0, 0), 1).tolist() == [1, 0, 0, 0]
    assert (r.from_axis_angle((0, 0, 0), 1) == np.eye(3)).all()


@given(vectors, st.floats(-3, 3))
def test_axis_angle_is_rodrigues_formula(axis, angle):
    u = np.array(axis) / np.linalg.norm(axis)
    k = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    expected = np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k
    assert r.from_axis_angle(axis, angle) == pytest.approx(expected, abs=1e-12)


@given(vectors, st.floats(-3.1, 3.1))
def test_matrix_and_quaternion_agree_both_ways(axis, angle):
    q = r.quaternion_from_axis_angle(axis, angle)
    back = r.quaternion_from_matrix(r.matrix_from_quaternion(q))
    assert back * math.copysign(1, back @ q) == pytest.approx(q, abs=1e-9)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 1, 1)])
def test_half_turns_have_a_quaternion(axis):
    # The trace is -1 or near it: the branches of the largest diagonal.
    for angle in (math.pi, math.pi - 1e-9, math.pi + 1e-9, 3.0):
        m = r.from_axis_angle(axis, angle)
        assert r.matrix_from_quaternion(r.quaternion_from_matrix(m)) == pytest.approx(m, abs=1e-12)


@given(vectors, vectors, st.floats(-3, 3), st.floats(-3, 3))
def test_products(u, v, a, b):
    p, q = r.quaternion_from_axis_angle(u, a), r.quaternion_from_axis_angle(v, b)
    product = r.matrix_from_quaternion(p) @ r.matrix_from_quaternion(q)
    assert r.matrix_from_quaternion(r.multiply(p, q)) == pytest.approx(product, abs=1e-12)
    assert r.multiply(p, r.conjugate(p)) == pytest.approx([1, 0, 0, 0], abs=1e-12)


def test_products_of_the_units():
    one, i, j, k = np.eye(4)
    for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
        assert (r.multiply(a, b) == c).all()
        assert (r.multiply(b, a) == -c).all()
        assert (r.multiply(a, a) == -one).all()


@given(st.tuples(*3 * [st.floats(-3, 3)]))
def test_euler_angles_are_odes(angles):
    # The transpose of Rz(ψ) Ry(θ) Rx(φ).
    x, y, z = (r.from_axis_angle(axis, angle) for axis, angle in zip(np.eye(3), angles, strict=True))
    assert r.from_euler(*angles) == pytest.approx((z @ y @ x).T, abs=1e-12)


def test_roll_pitch_and_yaw_are_about_fixed_axes():
    """Roll brings y to z, pitch x to -z, yaw x to y; together in this order."""
    quarter = math.pi / 2
    assert r.from_roll_pitch_yaw(quarter, 0, 0) @ (0, 1, 0) == pytest.approx([0, 0, 1])
    assert r.from_roll_pitch_yaw(0, quarter, 0) @ (1, 0, 0) == pytest.approx([0, 0, -1])
    assert r.from_roll_pitch_yaw(0, 0, quarter) @ (1, 0, 0) == pytest.approx([0, 1, 0])
    roll, pitch, yaw = (r.from_axis_angle(axis, angle) for axis, angle in zip(np.eye(3), (0.3, -0.7, 1.9), strict=True))
    assert r.from_roll_pitch_yaw(0.3, -0.7, 1.9) == pytest.approx(yaw @ pitch @ roll)


@given(vectors, vectors)
def test_two_axes(x, y):
    if np.linalg.norm(np.cross(x, y)) < 1e-3:
        return
    m = r.from_two_axes(x, y)
    assert m.T @ m == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(m) == pytest.approx(1)
    assert m[:, 0] == pytest.approx(np.array(x) / np.linalg.norm(x), abs=1e-12)
    assert m[:, 1] @ y > 0  # y leans to its side
    assert m[:, 2] @ y == pytest.approx(0, abs=1e-9)


@given(vectors)
def test_z_axis_and_plane_space(z):
    n = np.array(z) / np.linalg.norm(z)
    m = r.from_z_axis(z)
    assert m[:, 2] == pytest.approx(n, abs=1e-12)
    assert m.T @ m == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(m) == pytest.approx(1)
    p, q = r.plane_space(n)
    assert q == pytest.approx(np.cross(n, p), abs=1e-12)


def test_plane_space_is_odes():
    # |nz| > √½: p = (0, -nz, ny)/√(ny² + nz²), else p = (-ny, nx, 0)/√(nx² + ny²).
    assert r.plane_space((0, 0, 1))[0].tolist() == [0, -1, 0]
    assert r.plane_space((0, 0.6, 0.8))[0] == pytest.approx([0, -0.8, 0.6])
    assert r.plane_space((0.6, 0.8, 0))[0] == pytest.approx([-0.8, 0.6, 0])


@given(vectors, vectors, st.floats(-3, 3))
def test_quaternion_rate_is_the_derivative(spin, axis, angle):
    # Turned by w for a small time t: q(t) = q_w(t) q.
    q, t = r.quaternion_from_axis_angle(axis, angle), 1e-6
    later, earlier = (r.multiply(r.quaternion_from_axis_angle(spin, s * np.linalg.norm(spin) * t), q) for s in (1, -1))
    assert r.quaternion_rate(spin, q) == pytest.approx((later - earlier) / (2 * t), abs=1e-7)


def test_identity():
    assert (r.identity() == np.eye(3)).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: r.from_axis_angle((1, 0), 1),
        lambda: r.from_axis_angle((1, 0, 0), math.nan),
        lambda: r.from_euler(0, math.inf, 0),
        lambda: r.from_two_axes((1, 0, 0), (-2, 0, 0)),
        lambda: r.from_two_axes((0, 0, 0), (1, 0, 0)),
        lambda: r.from_z_axis((0, 0, 0)),
        lambda: r.plane_space((0, 0, 0)),
        lambda: r.plane_space("up"),
        lambda: r.quaternion_from_axis_angle((math.inf, 0, 0), 1),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises((ValueError, TypeError)):
        call()


@pytest.mark.parametrize(
    ("call", "bad"),
    [
        (od.rotation.quaternion_from_matrix, [[1, 2], [3, 4]]),
        (od.rotation.quaternion_from_matrix, np.ones((3, 3))),
        (od.rotation.quaternion_from_matrix, "nine"),
        (od.rotation.matrix_from_quaternion, (1, 0, 0)),
        (od.rotation.matrix_from_quaternion, (1, 0, 0, np.nan)),
        (od.rotation.conjugate, None),
        (lambda q: od.rotation.multiply((1, 0, 0, 0), q), (1, 2)),
        (lambda q: od.rotation.multiply(q, (1, 0, 0, 0)), (np.inf, 0, 0, 0)),
    ],
)
def test_bad_rotations_are_refused(call, bad):
    with pytest.raises((TypeError, ValueError), match=r"matrix|quaternion"):
        call(bad)


@numba.njit
def turn_between(before, after):
    return _turn_between(before, after)


AXES = [
    *np.eye(3),
    (1, 1, 0),
    (1, 0, 1),
    (0, 1, 1),
    (1, 1, 1),
    (3, 1, 2),
    (1, 3, 2),
    (1, 2, 3),
    (-1, 2, -3),
    (2, -3, 1),
]


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", [0.0, 1e-6, 1.0, 3.0, np.pi])
def test_the_turn_of_a_sweep_leads_from_one_orientation_to_the_other(axis, angle):
    """A half turn, of which the matrix does not tell in which sense, may lead either way round."""
    a = np.array(axis) / np.linalg.norm(axis)
    turn = 2.0 * np.outer(a, a) - np.eye(3) if angle == np.pi else od.rotation.from_axis_angle(a, angle)
    found, size = turn_between((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), tuple(turn.reshape(9).tolist()))
    assert size == pytest.approx(angle, abs=1e-12)
    sense = np.sign(a @ found) if angle == np.pi else 1.0
    np.testing.assert_allclose(size * np.array(found), sense * angle * a, atol=1e-10)
