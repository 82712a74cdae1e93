"""Stills by Mitsuba show the same world as the engine's own ray casts."""

import sys

import numpy as np
import pytest

import opendynamics as od

SIZE = (96, 64)


def room(up="z"):
    world = od.World(gravity=(0, 0, -9.81) if up == "z" else (0, -9.81, 0))
    world.add_plane((0, 0, 1) if up == "z" else (0, 1, 0))
    place = np.array((0.0, 0.0, 1.2)) if up == "z" else np.array((0.0, 1.2, 0.0))
    world.add_geom(od.Box((1, 1, 1), position=place))
    return world


@pytest.mark.parametrize("up", ["z", "y"])
def test_pictures_agree_with_those_of_the_ray_casts(up):
    pytest.importorskip("mitsuba")
    axes = np.eye(3) if up == "z" else np.eye(3)[[0, 2, 1]]
    camera = od.Camera(axes @ (1.0, -5.0, 4.0), (0, 0, 0), up=axes[2] if up == "z" else (0, 1, 0))
    light = od.Light(sun=axes @ (-0.6, -0.3, 1.0), air=False)
    world = room(up)
    one = world.render(camera, SIZE, light=light, samples=16, ambient=0).astype(float)
    other = world.render(camera, SIZE, light=light, samples=64, backend="mitsuba").astype(float)
    difference = abs(one - other).mean(axis=2)
    # The same silhouettes, shadows and squares; light from the sky and from the ground differs.
    assert np.mean(difference > 40) < 0.05
    assert np.corrcoef(one.mean(axis=2).ravel(), other.mean(axis=2).ravel())[0, 1] > 0.9


def test_what_it_cannot_do_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="must be one of 'rays', 'mitsuba', not 'lamps'"):
        room().render(backend="lamps")
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    with pytest.raises(ImportError, match=r"mitsuba: pip install 'opendynamics\[render-mitsuba\]'"):
        room().render(backend="mitsuba")


def test_marks_are_refused():
    pytest.importorskip("mitsuba")
    with pytest.raises(ValueError, match="show has no meaning to Mitsuba"):
        room().render(backend="mitsuba", show="contacts")


@pytest.mark.parametrize("degrees", [5, 40, 70])
def test_the_sun_of_the_sky_that_gives_light_is_where_the_light_says(degrees):
    """In the plane of the first column's left edge: the picture of the sky is its own mirror image."""
    pytest.importorskip("PIL")
    from opendynamics.viewer.pictures.mitsuba import SKY_SIZE, sky_light
    from opendynamics.viewer.pictures.renderer import Sight

    height = np.radians(degrees)
    up = np.array((0.0, 0.0, 1.0))
    for azimuth in (0.0, 0.5 * np.pi, np.pi, 1.5 * np.pi):
        sun = (np.cos(height) * np.cos(azimuth), np.cos(height) * np.sin(azimuth), np.sin(height))
        sight = Sight((), od.Camera((0, -1, 0)), od.Light(sun=sun, sun_angle=10), up, 1.0)
        picture = sky_light(sight)[..., 0]
        disk = picture > picture[:, ::-1].min() + 5.0
        columns = np.flatnonzero(disk.any(axis=0))
        rows = np.flatnonzero(disk.any(axis=1))
        assert abs(rows.mean() + 0.5 - (0.5 * np.pi - height) / np.pi * SKY_SIZE[1]) < 0.6
        middle = round(4 * np.angle(np.exp(2j * np.pi * (columns + 0.5) / SKY_SIZE[0]).mean()) / (2 * np.pi))
        shifted = np.roll(disk, SKY_SIZE[0] // 2 - middle * SKY_SIZE[0] // 4, axis=1)
        assert np.array_equal(shifted, shifted[:, ::-1])
