"""`state_hash` left out the friction across a track, so that worlds in which a vehicle turns differently had one hash."""

from __future__ import annotations

import pytest

import opendynamics as od

TRACK = od.Track(axis=(0, 1, 0), speed=1.0)


def hash_of(track):
    world = od.World()
    world.add_geom(od.Box((1, 1, 1))).track = track
    return world.state_hash()


@pytest.mark.parametrize("change", [{"axis": (1, 0, 0)}, {"speed": 2.0}, {"depth": 0.1}, {"across": 0.5}])
def test_every_number_of_a_track_counts(change):
    assert hash_of(TRACK._replace(**change)) != hash_of(TRACK)
