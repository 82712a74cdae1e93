"""Many rotations at once, against one at a time."""

import numpy as np

import opendynamics as od
from opendynamics.viewer.live.turning import products, quaternions_of, turned


def some(count=200):
    q = np.random.default_rng(3).normal(size=(count, 4))
    q[:4] = np.eye(4)  # half turns about the axes, and no turn
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def matrices(q):
    return np.array([od.rotation.matrix_from_quaternion(each) for each in q])


def test_quaternions_of_matrices():
    q = some()
    found = quaternions_of(matrices(q))
    np.testing.assert_allclose(abs((found * q).sum(axis=1)), 1.0, atol=1e-12)


def test_products_and_turned_vectors():
    p, q = some(), some()[::-1]
    np.testing.assert_allclose(matrices(products(p, q)), matrices(p) @ matrices(q), atol=1e-12)
    v = np.random.default_rng(4).normal(size=(len(p), 3))
    np.testing.assert_allclose(turned(p, v), np.einsum("nij,nj->ni", matrices(p), v), atol=1e-12)
