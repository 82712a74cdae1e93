"""Colours by contact force in ODE's loop: contact joints know their bodies only, and their forces counted for the last geom."""

import numpy as np

import opendynamics as od
from opendynamics.api import reading
from opendynamics.viewer.live.measures import loads_on


def test_forces_of_contact_joints_count_for_the_geoms_of_their_bodies():
    world = od.World(gravity=(0, 0, -10))
    ground = world.add_plane()
    resting = world.add_body(od.Sphere(1), od.Box((1, 1, 1)), position=(0, 0, 1), mass=2)
    falling = world.add_body(od.Sphere(1), position=(5, 0, 5), mass=1)
    contacts = od.JointGroup()

    def near(a, b):
        for contact in od.collide(a, b):
            world.add_contact(contact, group=contacts)

    for _ in range(2):  # the second time with handles that are reused
        contacts.empty()
        world.space.collide(near)
        world.step(0.01)
    cube, ball = sorted(resting.geoms, key=lambda geom: geom.shape)
    rows = np.array([reading.row_of(geom) for geom in (ground, cube, ball, *falling.geoms)])
    assert np.allclose(loads_on(world, rows), (0, 20, 20, 0), atol=1e-3)
    contacts.empty()
    world.advance(0.01)
    assert np.allclose(loads_on(world, rows), (20, 0, 20, 0), atol=1e-3)
