"""Patterns that are fixed to a surface: two colours, with edges as narrow as a pixel's footprint."""

import numpy as np
import pytest

import opendynamics as od

CAMERA = od.Camera((1.5, -3, 1.2), (0, 0, 0))
EVEN_LIGHT = od.Light(sun_color=(0, 0, 0), sky=(0.5, 0.5, 0.5), ground=(0.5, 0.5, 0.5), air=False)


@pytest.mark.parametrize("size", [(96, 64), (192, 128)])
def test_eighths_of_a_sphere_are_of_two_colours_with_narrow_edges(size):
    world = od.World()
    world.add_geom(od.Sphere(1.0))
    picture = world.render(CAMERA, size, light=EVEN_LIGHT, shadows=0, ambient=0, threads=1)
    k = size[0] // 96
    inside = picture[14 * k : 51 * k, 32 * k : 65 * k, 1].astype(float)
    place = (inside - inside.min()) / np.ptp(inside)
    assert np.mean((place > 0.1) & (place < 0.9)) < 0.2 / k
    assert min(np.mean(place < 0.1), np.mean(place > 0.9)) > 0.2
