"""Handles of contact joints that were destroyed serve again, and nobody who holds one notices."""

import weakref

import pytest

import opendynamics as od


def ball_on_plane():
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    world.add_body(od.Sphere(0.5), position=(0, 0, 0.49))
    world.space.collide(od.collide)  # has the kernel loaded, so that others are found together
    return world


def join(world, group, surface=None, keep=lambda joint: None):
    """A contact joint for each contact, of which `keep` gets every one; their ids."""
    found = []

    def near(a, b):
        for contact in od.collide(a, b):
            joint = world.add_contact(contact, surface or od.Surface(), group=group)
            keep(joint)
            found.append(id(joint))

    world.space.collide(near)
    return found


def test_a_handle_that_nobody_holds_serves_again():
    world, group, surface = ball_on_plane(), od.JointGroup(), od.Surface()
    first = join(world, group, surface)
    group.empty()
    assert join(world, group, surface) == first
    (joint,) = group
    assert joint.alive and joint.group is group and world.joints == (joint,)


def test_a_handle_that_is_held_stays_that_of_a_destroyed_joint():
    world, group, surface, held = ball_on_plane(), od.JointGroup(), od.Surface(), []
    join(world, group, surface, held.append)
    group.empty()
    for _ in range(3):
        join(world, group, surface)
        assert not held[0].alive and held[0] not in world.joints
        with pytest.raises(od.DestroyedError):
            held[0].attach(None, None)
        group.empty()


def test_a_weak_reference_ends_with_the_joint():
    world, group, surface, held = ball_on_plane(), od.JointGroup(), od.Surface(), []
    join(world, group, surface, lambda joint: held.append(weakref.ref(joint)))
    group.empty()
    join(world, group, surface)
    assert held[0]() is None


@pytest.mark.parametrize(("attribute", "value"), [("data", 5), ("name", "first")])
def test_what_is_set_of_a_joint_is_not_of_the_next(attribute, value):
    world, group, surface = ball_on_plane(), od.JointGroup(), od.Surface()
    join(world, group, surface, lambda joint: setattr(joint, attribute, value))
    assert getattr(next(iter(group)), attribute) == value
    group.empty()
    join(world, group, surface)
    assert getattr(next(iter(group)), attribute) != value


def test_a_joint_destroyed_by_itself_does_not_come_back():
    world, group, surface, held = ball_on_plane(), od.JointGroup(), od.Surface(), []
    join(world, group, surface, held.append)
    held[0].destroy()
    join(world, group, surface)
    assert not held[0].alive and len(group) == 1


def test_another_group_gets_handles_of_its_own():
    world, one, other, surface = ball_on_plane(), od.JointGroup(), od.JointGroup(), od.Surface()
    join(world, one, surface)
    one.empty()
    join(world, other, surface)
    assert [joint.group for joint in world.joints] == [other] and len(one) == 0
    join(world, one, surface)
    assert [joint.group for joint in world.joints] == [other, one]
    other.empty()
    assert [joint.group for joint in world.joints] == [one]


def test_joints_of_a_restored_world_are_those_that_were_saved():
    world, group, surface, held = ball_on_plane(), od.JointGroup(), od.Surface(), []
    join(world, group, surface, held.append)
    saved = world.save()
    group.empty()
    join(world, group, surface)
    assert world.joints != (held[0],)
    world.restore(saved)
    assert world.joints == (held[0],) and held[0].alive
    group.empty()
    assert not held[0].alive
