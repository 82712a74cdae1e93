"""Joints added at once took None and numbers as names, as "None" and "5"; contact joints took any object."""

from __future__ import annotations

import pytest

import opendynamics as od

KINDS = {"ball": {"anchors": (0, 0, 0)}, "slider": {"axes": (0, 0, 1)}}  # created at once, and one by one


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_those_of_single_joints(kind):
    world = od.World()
    bodies = [world.add_body(od.Sphere(1)) for _ in range(3)]
    pairs = [(bodies[0], bodies[1]), (bodies[1], bodies[2])]
    unnamed, named = world.add_joints(kind, pairs, names=[None, "knee"], **KINDS[kind])
    assert (unnamed.name, named.name) == ("joint 0", "knee")
    with pytest.raises(TypeError, match=f"the name of a {kind} joint must be a string or None, not 5"):
        world.add_joints(kind, pairs, names=["hip", 5], **KINDS[kind])
    assert len(world.joints) == 2


def test_the_name_of_a_contact_joint_is_a_string():
    world = od.World()
    ball = world.add_body(od.Sphere(1))
    with pytest.raises(TypeError, match="the name of a contact joint must be a string or None, not 5"):
        world.add_contact(od.Contact(), body1=ball, name=5)
    assert not world.joints
