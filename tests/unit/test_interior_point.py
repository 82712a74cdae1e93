"""Steps of the interior point method against NumPy: how long they may be, and what is left of the complementarity."""

from __future__ import annotations

import numpy as np
import pytest

from opendynamics.core.solve._lcp.interior_point import DS, RUN, VECTORS, longest_step, product_after

numba = pytest.importorskip("numba")


@numba.njit
def measure(n, step, v):
    return longest_step(n, v), product_after(n, step, v)


@pytest.mark.parametrize("n", [1, 3, RUN, RUN + 5])
def test_steps_are_as_long_as_possible_and_the_product_is_that_after_them(n):
    random = np.random.default_rng(n)
    for _ in range(20):
        v = np.zeros(VECTORS * n)
        values, changes = v[: 4 * n].reshape(4, n), v[DS * n : (DS + 4) * n].reshape(4, n)
        values[:] = random.uniform(0.1, 2.0, (4, n))
        changes[:] = random.normal(size=(4, n)) * random.choice([0.01, 1.0])
        step, product = measure(n, 0.7, v)
        assert step == pytest.approx(min(1.0, *(values[changes < 0] / -changes[changes < 0]), 1.0), rel=1e-12)
        s, t, y, z = values + 0.7 * changes
        assert product == pytest.approx((s * y + t * z).sum(), rel=1e-10, abs=1e-12)
