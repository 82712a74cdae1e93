"""`space.contacts()` put contacts of pairs that needed Python last, also of those whose kernel was not loaded yet.

So the first world of a process had its contacts in another order than later ones, and other bits.
"""

import numpy as np

import opendynamics as od


def places_of(world):
    return [tuple(contact.position) for contact in world.space.contacts()]


def test_contacts_are_in_the_order_of_the_pairs_whoever_collides_them():
    world = od.World()
    world.add_plane(normal=(0, 0, 1))
    for k in range(6):
        shape = od.Sphere(0.5) if k % 2 else od.Box((1, 1, 1))
        world.add_body(shape, position=(2.0 * k, 0, 0.49), density=100)
    places = places_of(world)
    od.set_collider(od.Sphere, od.Plane, lambda *_: NotImplemented)
    try:
        assert np.array_equal(places_of(world), places)
    finally:
        od.set_collider(od.Sphere, od.Plane, None)
    assert np.array_equal(places_of(world), places)  # the kernel has to be looked up again
