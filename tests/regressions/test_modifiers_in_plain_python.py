"""Contact modifiers in plain Python failed where compiled ones did not: 'numpy.void' object has no attribute 'position'."""

import numba
import numpy as np
import pytest

import opendynamics as od

G, MU = 9.81, 0.1


def slippery(contacts):
    for k in range(len(contacts)):
        if contacts[k].position[0] > 1:
            contacts[k].mu = MU


def missing(contacts):
    for contact in contacts:
        contact.enabled = False


@pytest.mark.parametrize("modifier", [slippery, numba.njit(slippery)], ids=["python", "numba"])
def test_a_box_slides_as_far_as_the_changed_friction_allows(modifier):
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.8))
    world.add_plane()
    box = world.add_body(od.Box((0.3, 0.3, 0.3)), position=(3, 0, 0.15), mass=1, linear_velocity=(2, 0, 0))
    world.contact_modifier = modifier
    world.advance(0.01, steps=50)
    assert np.isclose(box.linear_velocity[0], 2 - MU * G * 0.5)


def test_contacts_are_left_out_one_by_one():
    world = od.World(gravity=(0, 0, -G))
    world.add_plane()
    box = world.add_body(od.Box((0.3, 0.3, 0.3)), position=(0, 0, 0.15), mass=1)
    world.contact_modifier = missing
    world.advance(0.01, steps=10)
    assert np.isclose(box.linear_velocity[2], -G * 0.1)


def test_misspelt_fields_are_errors():
    world = od.World(gravity=(0, 0, -G))
    world.add_plane()
    world.add_body(od.Box((0.3, 0.3, 0.3)), position=(0, 0, 0.15), mass=1)

    def misspelt(contacts):
        contacts[0].friction = 0.5

    world.contact_modifier = misspelt
    with pytest.raises(AttributeError, match="friction"):
        world.advance(0.01)
