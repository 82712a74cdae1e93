"""Spheres and rays against polyhedra with more faces and edges than are processed at once, compared with formulas."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.pairs import ball_of

HULLS = {points: od.Convex.hull(ball_of(points) * [1.0, 0.7, 1.3]) for points in (4, 32, 33, 60, 300)}


def turned(hull, random):
    hull.position, hull.quaternion = random.uniform(-2.0, 2.0, 3), random.normal(size=4)
    return hull.planes[:, :3] @ hull.rotation.T, hull.planes[:, 3] + hull.planes[
        :, :3
    ] @ hull.rotation.T @ hull.position


def to_triangles(p, hull):
    """Distance of a point from the nearest of a hull's faces, which are triangles here."""
    nearest = np.inf
    points = hull.points @ hull.rotation.T + hull.position
    for face in hull.polygons:
        corners = points[list(face)]
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            way = b - a
            t = np.clip(way @ (p - a) / (way @ way), 0.0, 1.0)
            nearest = min(nearest, np.linalg.norm(p - a - t * way))
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= np.linalg.norm(normal)
        foot = p - normal * (normal @ (p - corners[0]))
        sides = [normal @ np.cross(b - a, foot - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        if min(sides) >= 0.0:
            nearest = min(nearest, abs(normal @ (p - corners[0])))
    return nearest


@pytest.mark.parametrize("points", HULLS)
def test_a_sphere_is_as_deep_as_its_centre_is_near(points):
    hull, random, outside = HULLS[points], np.random.default_rng(points), 0
    for k in range(40):
        normals, levels = turned(hull, random)
        middle = hull.position + hull.rotation @ hull.points.mean(axis=0)
        centre = middle + (1.0 if k % 3 else 0.05) * random.uniform(-1.0, 1.0, 3)
        height = (normals @ centre - levels).max()
        gap = to_triangles(centre, hull) if height > 0.0 else height
        outside += height > 0.0
        (contact,) = od.collide(od.Sphere(3.0, position=centre), hull)
        assert contact.depth == pytest.approx(3.0 - gap, abs=1e-12)
        surface = centre - gap * contact.normal
        assert (normals @ surface - levels).max() == pytest.approx(0.0, abs=1e-10)
        assert hull.point_depth(centre) == pytest.approx(-gap, abs=1e-12)
        assert not od.collide(od.Sphere(gap - 1e-9, position=centre), hull) if gap > 1e-9 else True
    assert 5 < outside < 40


@pytest.mark.parametrize("points", HULLS)
def test_a_ray_enters_at_the_last_plane_and_leaves_at_the_first(points):
    hull, random, met, inner = HULLS[points], np.random.default_rng(points), 0, 0
    for k in range(120):
        normals, levels = turned(hull, random)
        middle = hull.position + hull.rotation @ hull.points.mean(axis=0)
        start, length = middle + (1.5 if k % 3 else 0.1) * random.uniform(-1.0, 1.0, 3), random.choice([0.4, 5.0, 1e6])
        along = middle + random.uniform(-0.3, 0.3, 3) - start
        if k % 4 == 0:  # along a face
            along = np.cross(normals[k % len(normals)], along)
        along /= np.linalg.norm(along)
        speed, room = normals @ along, levels - normals @ start
        enter, leave = (room / speed)[speed < 0.0].max(), (room / speed)[speed > 0.0].min()
        depth = enter if enter >= 0.0 else leave
        expected = [depth] if enter <= leave and 0.0 <= depth <= length else []
        assert [c.depth for c in od.collide(od.Ray(length, start, along), hull)] == pytest.approx(expected, abs=1e-11)
        met += len(expected)
        inner += bool(expected) and enter < 0.0
    assert met > 30
    assert inner > 3
