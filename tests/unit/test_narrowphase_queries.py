"""Closest points of segments, and intersection of boxes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.collide.shape_queries import boxes_touch, closest_segment_points
from tests.families.convex_oracle import signed_gaps
from tests.families.pair_calls import Shape, rotation_of, store_of


def closest(ends):
    points = np.full((2, 3), np.nan)
    closest_segment_points(np.ascontiguousarray(ends, float), points)
    return points


def exact_distance(ends):
    """The distance of two segments in rational arithmetic: the least of the inner and the four border solutions."""
    a1, a2, b1, b2 = (np.array([Fraction(float(x)) for x in end]) for end in ends)
    u, v, w = a2 - a1, b2 - b1, b1 - a1
    uu, vv, uv, uw, vw = u @ u, v @ v, u @ v, u @ w, v @ w
    det = uu * vv - uv * uv
    places = [((vv * uw - uv * vw) / det, (uv * uw - uu * vw) / det)] if det else []
    places = [(s, t) for s, t in places if 0 <= s <= 1 and 0 <= t <= 1]
    places += [(s, min(max((s * uv - vw) / vv, 0), 1) if vv else 0) for s in (0, 1)]
    places += [(min(max((t * uv + uw) / uu, 0), 1) if uu else 0, t) for t in (0, 1)]
    return float(min((s * u - t * v - w) @ (s * u - t * v - w) for s, t in places)) ** 0.5


@pytest.mark.parametrize("angle", [1.0, 1e-2, 1e-5, 1e-8, 1e-10, 1e-13, 0.0])
def test_closest_points_of_segments_at_any_angle(angle):
    rng = np.random.default_rng(5)
    for k in range(60):
        u = rng.normal(size=3)
        v = u * rng.uniform(0.2, 3.0) * rng.choice([-1.0, 1.0]) + angle * rng.normal(size=3)
        middle, away = rng.normal(size=3), rng.choice([0.0, 1e-9, 1e-3, 1.0]) * rng.normal(size=3)
        a, b = rng.uniform(-1.0, 0.3, 2), rng.uniform(-0.3, 1.0, 2)
        ends = np.array([middle + a[0] * u, middle + b[0] * u, middle + away + a[1] * v, middle + away + b[1] * v])
        if k % 7 == 0:
            ends[1] = ends[0]
        if k % 11 == 0:
            ends[3] = ends[2]
        p, q = closest(ends)
        assert np.linalg.norm(p - q) == pytest.approx(exact_distance(ends), rel=1e-12, abs=1e-10)


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ([(0, 0, 0), (2, 0, 0), (1, 1, 3), (1, 1, -1)], [(1, 0, 0), (1, 1, 0)]),
        ([(0, 0, 0), (2, 0, 0), (3, 1, 0), (5, 1, 0)], [(2, 0, 0), (3, 1, 0)]),
        ([(0, 0, 0), (2, 0, 0), (1, 1, 0), (5, 1, 0)], [(2, 0, 0), (2, 1, 0)]),
        ([(0, 0, 0), (0, 0, 0), (-1, 1, 0), (1, 1, 0)], [(0, 0, 0), (0, 1, 0)]),
        ([(1, 2, 3), (1, 2, 3), (1, 2, 3), (1, 2, 3)], [(1, 2, 3), (1, 2, 3)]),
    ],
    ids=["crossing", "in a row", "parallel: an end", "a point", "one point twice"],
)
def test_closest_points_of_chosen_segments(ends, expected):
    assert closest(ends).tolist() == [list(point) for point in np.array(expected, float)]


def touching(pairs):
    store = store_of(pairs, 1)
    first, step = store[GEOMS].ctypes.data, store[GEOMS].itemsize
    return [boxes_touch(first + 2 * k * step, first + (2 * k + 1) * step) for k in range(len(pairs))]


def test_boxes_touch_when_they_have_a_point_in_common():
    rng = np.random.default_rng(6)
    pairs = []
    for _ in range(200):
        one, two = (
            Shape(
                "box",
                tuple(rng.uniform(0.3, 1.2, 3)),
                tuple(rng.uniform(-0.7, 0.7, 3)),
                rotation_of(rng.normal(size=4)),
            )
            for _ in range(2)
        )
        pairs.append((one, two))
    gaps = signed_gaps(pairs)[0]
    assert touching(pairs) == list(gaps <= 0.0)
    assert 20 < (gaps <= 0.0).sum() < 180


def test_boxes_that_share_a_face_or_a_corner_touch():
    box = Shape("box", (1.0, 1.0, 1.0))
    places = [(1.0, 0.0, 0.0), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0 + 2.0**-50)]
    assert touching([(box, replace(box, position=place)) for place in places]) == [True, True, False]


@pytest.mark.parametrize("most", [1, 2, 3, 8])
def test_long_capsules_that_cross_at_a_small_angle_keep_the_deepest_contact(most):
    """They count as parallel, and touch at both ends too, by less: in the middle they are 0.1 m apart, there more."""
    turn = od.rotation.quaternion_from_axis_angle((1, 0, 0), 0.003)
    one, two = od.Capsule(0.1, 100.0), od.Capsule(0.1, 100.0, position=(0.1, 0, 0), quaternion=turn)
    found = od.collide(one, two, max_contacts=most)
    assert len(found) == min(most, 3)
    assert max(contact.depth for contact in found) == pytest.approx(0.1, abs=1e-9)
    assert min(abs(contact.position[2]) for contact in found) < 1e-6
