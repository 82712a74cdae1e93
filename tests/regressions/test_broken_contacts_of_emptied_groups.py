"""Contact joints with a breaking limit were remembered when their group was emptied, and the next step raised DestroyedError."""

from __future__ import annotations

import pytest

import opendynamics as od


@pytest.mark.parametrize("others", [0, 1])
def test_the_limits_of_contacts_end_with_their_group(others):
    world = od.World(gravity=(0, 0, -9.81))
    body, group = world.add_body(od.Sphere(0.1)), od.JointGroup()
    for _ in range(others):  # of no group, so that those of the group are destroyed one by one
        world.add_contact(od.Contact(), body1=body)
    contact = world.add_contact(od.Contact(), body1=body, group=group)
    contact.break_force = 100.0
    world.step(0.01)
    group.empty()
    assert not contact.alive
    world.step(0.01)
    again = world.add_contact(od.Contact(), body1=body, group=group)
    assert again.break_force == float("inf")
