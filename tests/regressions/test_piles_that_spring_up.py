"""A pyramid on the soft step springs up again after it has been put up; limits on energy once took its forces and let it sink."""

from __future__ import annotations

import opendynamics as od
from benchmarks.box3d import H, build


def test_a_pyramid_does_not_sink_into_itself():
    world: od.World = build("large_pyramid", 30, "soft")
    world.advance(H, steps=8)
    settling = world.statistics.deepest
    world.advance(H, steps=56)
    assert 0.0 < world.statistics.deepest < settling
