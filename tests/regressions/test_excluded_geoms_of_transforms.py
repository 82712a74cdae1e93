"""Rays met a geom in a transform although a query excluded it: the one that the hit before had reported."""

from __future__ import annotations

import pytest

import opendynamics as od


@pytest.mark.parametrize("info", [False, True])
def test_rays_pass_through_a_reported_geom(info):
    world, ball = od.World(), od.Sphere(1)
    transform = od.GeomTransform(ball, info=info, space=world.space)
    hit = world.cast_rays((0, 0, 5), (0, 0, -1)).geom_of(0)
    assert hit is (transform if info else ball)
    for excluded in (hit, ball, transform, [ball, transform]):
        assert not world.cast_rays((0, 0, 5), (0, 0, -1), exclude=excluded).hit.any()
        assert not world.space.test_rays((0, 0, 5), (0, 0, -1), exclude=excluded).any()
