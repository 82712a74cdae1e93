"""Points in one face up to rounding made quickhull tear its surface open: models' sheared pipes had no hull.

Each solid is turned, scaled and moved at random, which rounds its points off their faces; some are disturbed on purpose,
by far less and by more than the margin within which points count as on a face.
"""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.robot.geometry import Cone, Cylinder, triangles_of


def prism(rng):
    return triangles_of(Cylinder(1.0, rng.uniform(0.05, 5.0)), int(rng.integers(3, 30))).vertices


def cone(rng):
    return triangles_of(Cone(1.0, rng.uniform(0.05, 5.0)), int(rng.integers(3, 30))).vertices


def grid(rng):
    axes = [np.linspace(-1.0, 1.0, int(rng.integers(2, 6))) for _ in range(3)]
    return np.stack(np.meshgrid(*axes), -1).reshape(-1, 3)


@pytest.mark.parametrize("disturbance", [0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7])
@pytest.mark.parametrize("solid", [prism, cone, grid])
def test_every_solid_has_a_hull_that_holds_its_points(solid, disturbance):
    rng = np.random.default_rng(3)
    for _ in range(4):
        points = solid(rng) @ (np.linalg.qr(rng.normal(size=(3, 3)))[0] * rng.uniform(0.05, 3.0, 3))
        points += rng.choice([0.0, 100.0]) * rng.normal(size=3)
        points += disturbance * rng.normal(size=points.shape)
        hull = od.Convex.hull(points)
        extent = np.ptp(points, axis=0).max()
        assert max(-hull.point_depth(point) for point in points) < 2e-7 * extent
        assert {tuple(p) for p in hull.points} <= {tuple(p) for p in points}
