"""Unreferenced contacts and destroyed contact joints are reused; referenced ones are not affected."""

import weakref

import pytest

import opendynamics as od
from opendynamics import c_api as c
from opendynamics import pyode


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


def contacts_of(world):
    found = []
    world.space.collide(lambda a, b: found.extend(od.collide(a, b)))
    return found


def test_contacts_that_nobody_holds_show_the_next_points():
    world = ball_on_plane()
    first = [id(contact) for contact in contacts_of(world)]
    assert [id(contact) for contact in contacts_of(world)] == first


def test_a_contact_that_is_held_or_was_read_is_not_of_the_next_collision():
    world, depths = ball_on_plane(), []
    (ball,) = world.bodies
    (held,) = contacts_of(world)
    for depth in (0.02, 0.03):
        ball.position = (0, 0, 0.5 - depth)
        world.space.collide(lambda a, b: depths.extend(contact.depth for contact in od.collide(a, b)))
    assert depths == pytest.approx([0.02, 0.03]) and held.depth == pytest.approx(0.01)


def test_a_contact_that_was_changed_is_not_of_the_next_collision():
    world, group = ball_on_plane(), od.JointGroup()

    def near(a, b, change):
        for contact in od.collide(a, b):
            if change:
                contact.depth = 0.25
            world.add_contact(contact, od.Surface(), group=group)

    world.space.collide(lambda a, b: near(a, b, True))
    world.space.collide(lambda a, b: near(a, b, False))
    assert [joint._record["point"]["depth"] for joint in group] == pytest.approx([0.25, 0.01])


def test_joints_of_two_collisions_before_a_step_have_the_points_of_both():
    world, group = ball_on_plane(), od.JointGroup()
    (ball,) = world.bodies
    join(world, group)
    ball.position = (0, 0, 0.48)
    join(world, group)
    assert [joint._record["point"]["depth"] for joint in group] == pytest.approx([0.01, 0.02])


def test_a_collision_within_one_of_the_same_space_has_contacts_of_its_own():
    world = ball_on_plane()
    outer, inner = [], []

    def near(a, b):
        outer.extend(od.collide(a, b))
        world.space.collide(lambda a, b: inner.extend(od.collide(a, b)))

    world.space.collide(near)
    assert len(outer) == len(inner) == 1 and outer[0] is not inner[0]
    assert outer[0].depth == inner[0].depth == pytest.approx(0.01)


def test_a_space_that_has_collided_keeps_no_geom_alive():
    space = od.HashSpace()
    space.add(box := od.Box((1, 1, 1)))
    space.add(ball := od.Sphere(0.5, position=(0, 0, 0.9)))
    space.collide(od.collide)
    space.remove(ball)
    space.clean()  # its list of records is rebuilt
    reference = weakref.ref(ball)
    del ball
    assert reference() is None and box.alive


def test_points_that_a_c_program_copied_stay_as_they_were():
    world = ball_on_plane()
    (ball,) = world.bodies
    own = [c.dContact() for _ in range(4)]
    c.dSpaceCollide(world.space, None, lambda _, a, b: c.dCollide(a, b, 4, own))
    ball.position = (0, 0, 0.48)
    c.dSpaceCollide(world.space, None, lambda _, a, b: c.dCollide(a, b, 4))
    assert own[0].geom.depth == pytest.approx(0.01)


def pyode_ball():
    world, space = pyode.World(), pyode.HashSpace()
    plane, ball, body = pyode.GeomPlane(space, (0, 0, 1), 0), pyode.GeomSphere(space, 0.5), pyode.Body(world)
    ball.setBody(body)
    body.setPosition((0, 0, 0.49))
    space.collide(None, lambda _, a, b: pyode.collide(a, b))
    return space, body, (world, plane, ball)


def test_a_contact_of_pyode_has_the_first_surface_in_the_next_collision():
    space, _body, _others = pyode_ball()
    seen = []

    def near(_, a, b):
        for contact in pyode.collide(a, b):
            seen.append((id(contact), contact.getMode(), contact.getMu(), contact.getBounce()))
            contact.setMode(pyode.ContactApprox1)
            contact.setMu(0.5)
            contact.setBounce(0.25)
            assert (contact.getMode(), contact.getMu(), contact.getBounce()) == (pyode.ContactApprox1, 0.5, 0.25)

    space.collide(None, near)
    space.collide(None, near)
    assert seen[0] == seen[1] and seen[0][1:] == (pyode.ContactBounce, float("inf"), 0.1)


def test_a_contact_of_pyode_that_is_held_or_was_looked_at_stays_as_it_was():
    space, body, _others = pyode_ball()
    held, depths = [], []

    def near(_, a, b):
        for contact in pyode.collide(a, b):
            contact.setMu(float(len(held)))
            depths.append(contact.getContactGeomParams()[2])
            if len(held) < 1:
                held.append(contact)

    space.collide(None, near)
    body.setPosition((0, 0, 0.48))
    space.collide(None, near)
    assert depths == pytest.approx([0.01, 0.02])
    assert held[0].getMu() == 0.0 and held[0].getContactGeomParams()[2] == pytest.approx(0.01)


def pyode_joints(space, group, world, attach=True):
    """A contact joint for each contact."""
    made = []

    def near(_, a, b):
        for contact in pyode.collide(a, b):
            contact.setMu(0.5)
            made.append(pyode.ContactJoint(world, group, contact))
            if attach:
                made[-1].attach(a.getBody(), b.getBody())

    space.collide(None, near)
    return made


def test_a_contact_joint_of_pyode_that_nobody_holds_serves_again():
    space, _body, (world, *_others) = pyode_ball()
    group = pyode.JointGroup()
    first = [id(joint) for joint in pyode_joints(space, group, world)]
    group.empty()
    assert [id(joint) for joint in pyode_joints(space, group, world)] == first != []


def test_a_contact_joint_of_pyode_that_is_held_stays_that_of_a_destroyed_joint():
    space, body, (world, *_others) = pyode_ball()
    group = pyode.JointGroup()
    (held,) = pyode_joints(space, group, world)
    (other,) = [weakref.ref(joint) for joint in pyode_joints(space, group, world)]
    assert {held.getBody(0), held.getBody(1)} == {body, None} and body.getNumJoints() == 2
    group.empty()
    (after,) = pyode_joints(space, group, world)
    assert other() is None and after is not held
    assert held.getBody(0) is None and {after.getBody(0), after.getBody(1)} == {body, None}
    with pytest.raises(od.DestroyedError):
        held.attach(body, None)
    assert body.getNumJoints() == 1


def test_a_contact_joint_of_pyode_that_was_emptied_before_anybody_looked_at_it():
    space, body, (world, *_others) = pyode_ball()
    group = pyode.JointGroup()
    (held,) = pyode_joints(space, group, world)
    group.empty()
    pyode_joints(space, group, world)
    assert held.getBody(0) is None and held.getBody(1) is None and body.getNumJoints() == 1


def test_attributes_of_a_contact_joint_of_pyode_are_not_of_the_next():
    space, _body, (world, *_others) = pyode_ball()
    group = pyode.JointGroup()
    for _ in range(2):
        for joint in pyode_joints(space, group, world):
            assert not hasattr(joint, "colour")
            joint.colour = "red"
            assert joint.colour == "red"
        del joint
        group.empty()


def test_contact_joints_of_pyode_that_are_attached_after_all_were_made():
    space, body, (world, plane, ball) = pyode_ball()
    group = pyode.JointGroup()
    box, second = pyode.GeomBox(space, (1, 1, 1)), pyode.Body(world)
    box.setBody(second)
    second.setPosition((5, 0, 0.49))
    made = pyode_joints(space, group, world, attach=False)
    assert len(made) == 5 and body.getNumJoints() == second.getNumJoints() == 0
    for joint in made:
        joint.attach(second, None)
    assert body.getNumJoints() == 0 and second.getNumJoints() == 5
    assert all(joint.getBody(0) is second for joint in made) and plane and ball


@pytest.mark.parametrize("number", [0, 1, 0.25])
def test_numbers_of_surfaces_may_be_whole(number):
    space, _body, _others = pyode_ball()
    seen = []

    def near(_, a, b):
        for contact in pyode.collide(a, b):
            for put in (contact.setMu, contact.setBounce, contact.setSlip1):
                put(number)
            seen.append((contact.getMu(), contact.getBounce(), contact.getSlip1(), contact.getMu2()))
            with pytest.raises(TypeError):
                contact.setBounce("much")
            with pytest.raises(TypeError):
                contact.setMu(None)

    for _ in range(2):
        space.collide(None, near)
    assert seen == [(number, number, number, 0.0)] * 2
