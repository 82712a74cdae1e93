"""Ellipsoids that are balls, deep inside each other: the expanding polytope ended with all its vertices used, too far from the
direction of least overlap for the refinement to reach it, and the depth was too large by up to a thousandth.
"""

import numpy as np
import pytest

import opendynamics as od


def test_depth_and_normal_are_those_of_balls():
    rng = np.random.default_rng(1)
    for _ in range(60):
        radii, offset = 10.0 ** rng.uniform(-1, 1, 2), rng.normal(size=3)
        offset *= radii.max() * rng.uniform(0.05, 0.9) / np.linalg.norm(offset)
        turns = rng.normal(size=(2, 4))
        a, b = (
            od.Ellipsoid((radius, radius, radius), position=place, quaternion=turn / np.linalg.norm(turn))
            for radius, place, turn in zip(radii, (offset, (0, 0, 0)), turns, strict=True)
        )
        distance = np.linalg.norm(offset)
        (contact,) = od.collide(a, b)
        assert contact.depth == pytest.approx(radii.sum() - distance, rel=1e-12)
        assert np.allclose(contact.normal, offset / distance, atol=1e-6)
