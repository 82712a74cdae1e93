"""Details of contacts, such as velocities of their surfaces: rows of a table that only those contacts have that need them."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.contacts import CONTACT_DETAILS, CONTACTS, SPECULATIVE
from opendynamics.core.arrays.report import REPORTS

H = 0.01


def world_of_boxes(surface, height=0.499):
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    world.surfaces.default = surface
    world.add_plane(normal=(0, 0, 1))
    for k in range(3):
        world.add_body(od.Box((1, 1, 1)), position=(3 * k, 0, height), mass=1)
    return world


def made(world):
    """The records of the contacts of the last `advance`."""
    users = world._store.used(CONTACTS)
    return world._store[CONTACTS][users : users + world.statistics.contacts]


def test_plain_contacts_have_none():
    world = world_of_boxes(od.Surface(mu=0.5, bounce=0.1))
    world.advance(H)
    assert made(world)["surface"]["detail"].tolist() == [-1] * 12
    assert world._store[REPORTS]["details"].tolist() == [0]
    assert len(world._store[CONTACT_DETAILS]) == CONTACT_DETAILS.room


@pytest.mark.parametrize(
    "surface", [od.Surface(mu=0.5, rolling=0.1), od.Surface(motion1=1.0), od.Surface(soft_cfm=1e-3)]
)
def test_those_with_such_a_surface_have_rows_after_the_users(surface):
    world = world_of_boxes(surface)
    world.add_contact(od.Contact((0, 0, 5), (0, 0, 1), 0.0), od.Surface(slip1=0.5))
    world.advance(H)
    assert made(world)["surface"]["detail"].tolist() == list(range(1, 13))
    details = world._store[CONTACT_DETAILS][:13]
    assert details["slip1"].tolist() == [0.5] + [0] * 12
    assert details["rho"].tolist() == [0] + [surface.rolling or 0.0] * 12
    assert details["motion1"].tolist() == [0] + [surface.motion1 or 0.0] * 12


def test_contacts_across_a_gap_have_rows_of_their_own():
    world = world_of_boxes(od.Surface(mu=0.5), height=0.51)
    world.speculative_margin = 0.1
    world.add_body(od.Box((1, 1, 1)), position=(9, 0, 0.499), mass=1)
    world.advance(H)
    contacts = made(world)
    across = contacts["flags"] & SPECULATIVE != 0
    assert (np.count_nonzero(~across), np.count_nonzero(across)) == (4, 12)
    assert contacts["surface"]["detail"].tolist() == [-1] * 4 + list(range(12))
    assert (world._store[CONTACT_DETAILS]["apart"][:12, 2] < 0.0).all()


def test_belts_give_rows_to_what_lies_on_them():
    world = world_of_boxes(od.Surface(mu=0.5))
    belt = world.add_geom(od.Box((2, 2, 1)), position=(20, 0, 0.5))
    belt.surface_velocity = 1, 0, 0
    for k in range(100):  # more than there is room for
        world.add_body(od.Box((0.1, 0.1, 0.1)), position=(19.1 + 0.2 * (k % 10), 0.2 * (k // 10) - 0.9, 1.0499), mass=1)
    world.advance(H)
    contacts = made(world)
    moving = contacts["surface"]["detail"] >= 0
    assert np.count_nonzero(moving) == 400 > CONTACT_DETAILS.room
    details = world._store[CONTACT_DETAILS][contacts["surface"]["detail"][moving]]
    assert details["motion1"] == pytest.approx(1.0)
    assert abs(details["direction1"]).max(axis=0) == pytest.approx([1, 0, 0])
    assert len(set(contacts["surface"]["detail"][moving].tolist())) == 400


def test_details_of_the_users_contacts_are_saved():
    world = world_of_boxes(od.Surface(mu=0.5))
    body = world.bodies[0]
    world.add_contact(od.Contact((0, 0, 0), (0, 0, 1), 0.01), od.Surface(mu=1, motion1=0.5)).attach(body, None)
    copy = od.World.load(world.save())
    for each in (world, copy):
        each.step(H)
    assert copy._store[CONTACT_DETAILS]["motion1"][0] == 0.5
    assert copy.state_hash() == world.state_hash()
