"""Series of sine, cosine and tangent for small angles: as accurate as the functions on both sides of the limit."""

from math import cos, sin, sqrt, tan

import numpy as np
import pytest

from opendynamics.core.algebra.quat import from_spin
from opendynamics.core.bodies.free_rotation import _tangent_ratio

ANGLES = [*np.geomspace(1e-12, 1.5, 200), 0.0999999, 0.1, 0.1000001]


@pytest.mark.parametrize("t", [1.0, -0.01])
def test_a_turn_has_the_sine_and_cosine_of_half_its_angle(t):
    axis = np.array([0.48, -0.6, 0.64])
    for half in ANGLES:
        w, x, y, z = from_spin.py_func(tuple(axis * (2.0 * half / t)), t)
        assert abs(w - cos(half)) < 2.3e-16
        np.testing.assert_allclose((x, y, z), axis * sin(half), rtol=1e-15)
    assert from_spin.py_func((0.0, 0.0, 0.0), t) == (1.0, 0.0, 0.0, 0.0)


def test_the_ratio_of_tangent_and_angle():
    for angle in ANGLES:
        square = angle * angle
        assert _tangent_ratio.py_func(square) == pytest.approx(tan(sqrt(square)) / sqrt(square), rel=1e-15, abs=0.0)
