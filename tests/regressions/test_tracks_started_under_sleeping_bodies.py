"""A track that was given another speed woke nothing: a vehicle that had fallen asleep on its tracks never started again."""

from __future__ import annotations

import pytest

import opendynamics as od

REST = od.Track(axis=(0, 1, 0), speed=0.0)


def asleep(carrier):
    """A world at rest: a body asleep, with or on a geom whose track stands still."""
    world = od.World(gravity=(0, 0, -9.81))
    world.auto_disable = True
    ground = world.add_geom(od.Box((10, 10, 1), position=(0, 0, -0.5)))
    body = world.add_body(od.Box((0.5, 0.3, 0.2)), position=(0, 0, 0.1))
    geom = ground if carrier == "belt" else body.geoms[0]
    geom.track = REST
    world.advance(0.01, steps=50)
    assert not body.enabled
    return world, body, geom


@pytest.mark.parametrize("carrier", ["belt", "vehicle"])
def test_another_speed_of_a_track_wakes_what_it_drives(carrier):
    world, body, geom = asleep(carrier)
    geom.track = REST._replace(speed=1.0)
    world.advance(0.01, steps=50)
    assert body.enabled
    assert abs(body.position[0]) > 0.2


@pytest.mark.parametrize("carrier", ["belt", "vehicle"])
def test_the_same_motion_of_a_surface_wakes_nothing(carrier):
    world, body, geom = asleep(carrier)
    geom.track, geom.surface_velocity = geom.track, geom.surface_velocity
    world.advance(0.01)
    assert not body.enabled
