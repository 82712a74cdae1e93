"""Systems with non-unique forces: exactly aligned bricks, doubled joints, no softness. They stand, and are reported."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

G, H = 9.81, 0.01


def bricks(courses, shift, cfm, cone):
    """Courses of bricks in their exact places, each on or astride those below, touching their neighbours."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.5, cone=cone), solver="exact")
    world.cfm = cfm
    world.add_plane()
    for row in range(courses):
        for column in range(courses):
            place = (column + shift * (row % 2), 0, 0.25 + 0.5 * row)
            world.add_body(od.Box((1, 0.5, 0.5)), position=place, mass=1)
    return world


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
@pytest.mark.parametrize("cfm", [1e-10, 0.0])
@pytest.mark.parametrize("shift", [0.0, 0.4])
def test_aligned_bricks_stand(shift, cfm, cone):
    world = bricks(4, shift, cfm, cone)
    before, worst = world.positions, 0.0
    for _ in range(100):
        world.advance(H, steps=5)
        worst = max(worst, world.statistics.residual)
    assert not world.faults
    assert np.isfinite(world.positions).all()
    assert 0.0 < worst < 1.0
    assert abs(world.positions - before).max() < 2e-2  # of 4 m; without softness some steps find no exact solution
    if cfm > 0.0:
        assert worst < 1e-9
        assert abs(world.linear_velocities).max() < 1e-6
        assert abs(world.positions - before).max() < 1e-6


@pytest.mark.parametrize("cfm", [1e-10, 0.0])
def test_a_door_on_many_hinges_swings_as_on_one(cfm):
    """Ten hinges on one axis, and two more in the same place: 60 rows for 5 that are needed."""
    angles = []
    for anchors in ((0.0,), (*np.linspace(-1, 1, 10), 0.0, 0.0)):
        world = od.World(gravity=(0, -G, 0))
        world.cfm = cfm
        door = world.add_body(od.Box((1, 0.05, 2)), position=(0.5, 0, 0), mass=10)
        hinges = [world.add_hinge(door, None, anchor=(0, 0, z), axis=(0, 0, 1)) for z in anchors]
        world.advance(H, steps=300)
        assert world.statistics.residual < 1e-9
        assert abs(door.point_to_world((-0.5, 0, 0))).max() < 1e-3
        angles.append(hinges[0].angle)
    assert angles[0] == pytest.approx(angles[1], abs=1e-6)
    assert abs(angles[0]) > 0.1


@pytest.mark.parametrize("cfm", [1e-10, 0.0])
def test_a_table_pinned_at_every_corner_rests(cfm):
    """Fixed to the world twice, held by four ball joints, standing on the ground as well."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.5, cone="elliptic"))
    world.cfm = cfm
    world.add_plane()
    table = world.add_body(od.Box((2, 1, 0.5)), position=(0, 0, 0.25 - 1e-9), mass=20)
    world.add_fixed(table)
    world.add_fixed(table)
    for x in (-1, 1):
        for y in (-0.5, 0.5):
            world.add_ball(table, anchor=(x, y, 0.5))
    world.advance(H, steps=500)
    assert world.statistics.residual < 1e-9
    assert abs(world.linear_velocities).max() < 1e-9
    assert table.position == pytest.approx([0, 0, 0.25], abs=1e-7)
