"""A world said that the contact force on a body of another world is zero, as if nothing touched it."""

import pytest

import opendynamics as od


def test_forces_of_bodies_of_other_worlds_are_refused():
    worlds = [od.World(gravity=(0, 0, -9.81)) for _ in range(2)]
    here, there = (world.add_body(od.Sphere(0.1), mass=1, name="ball") for world in worlds)
    floor = worlds[0].add_plane()
    for wrong in ((there,), (here, there), (floor, there.geoms[0])):
        with pytest.raises(ValueError, match=r"lives in another world than the contacts of the world"):
            worlds[0].contact_force(*wrong)
    assert not worlds[0].contact_force(here, floor).any()
