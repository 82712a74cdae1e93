"""ODE's loop: contacts and joints created together are the same as one by one."""

import copy
import pickle

import numpy as np
import pytest

import opendynamics as od
from tests.unit.scenes import classic_step, pile, state

H = 0.01


def slow_step(world, h, group):
    """The same as `classic_step`, with every contact examined individually, and its joint made of plain numbers."""
    pairs = []
    world.space.collide(lambda a, b: pairs.append((a, b)))
    for a, b in pairs:
        if a.body is None and b.body is None:
            continue
        for found in od.collide(a, b, max_contacts=world.max_contacts):
            own = od.Contact(found.position, found.normal, found.depth, a, b, found.side1, found.side2)
            od.ContactJoint(world, own, world.surfaces[a.material, b.material], group=group)
    world.step(h)
    group.empty()


def touching(**options):
    """A world with a ball that lies on a plane, and the contact of both from within a callback."""
    world = od.World(gravity=(0, 0, -10), **options)
    floor = world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.49))
    return world, ball, floor


def found_contacts(world):
    found = []
    world.space.collide(lambda a, b: found.extend(od.collide(a, b)))
    return found


@pytest.mark.parametrize("like", ["opendynamics", "ode"])
def test_contacts_found_together_move_a_pile_as_those_found_one_by_one(like):
    fast, slow = pile(like=like), pile(like=like)
    for _ in range(120):
        classic_step(fast, H, od.JointGroup())
        slow_step(slow, H, od.JointGroup())
    assert np.array_equal(state(fast), state(slow))
    assert fast.state_hash() == slow.state_hash()


def test_joints_without_records_yet_are_like_all_others():
    world, ball, _floor = touching()
    hinge = world.add_hinge(ball)
    group = od.JointGroup()
    joints = []

    def near(a, b):
        for contact in od.collide(a, b):
            joints.append(world.add_contact(contact, od.Surface(mu=0.25), group=group))

    world.space.collide(near)
    (joint,) = joints
    assert joint.alive and joint.group is group and joint.world is world and joint.enabled and joint.data is None
    assert joint.bodies in ((ball, None), (None, ball)) and joint.reversed == (joint.bodies[0] is None)
    assert ball.joints == (joint, hinge) and world.joints == (hinge, joint) and list(group) == [joint]
    assert len(group) == 1 and joint.name == "joint 0"
    world.step(H)
    assert joint.feedback.force1[2] + joint.feedback.force2[2] != 0.0
    group.empty()
    assert not joint.alive and len(group) == 0 and world.joints == (hinge,) and ball.joints == (hinge,)
    with pytest.raises(od.DestroyedError, match="joint 0 has been destroyed"):
        joint.attach(ball, None)


def test_what_is_read_of_a_found_contact_is_what_was_found():
    world, ball, floor = touching()
    (contact,) = found_contacts(world)
    (alone,) = od.collide(contact.geom1, contact.geom2)
    assert {contact.geom1, contact.geom2} == {ball.geoms[0], floor}
    for name in ("position", "normal", "depth", "side1", "side2", "body1", "body2"):
        assert np.array_equal(getattr(contact, name), getattr(alone, name))
    assert repr(contact) == repr(alone)
    assert copy.copy(contact).depth == contact.depth


def test_a_contact_that_was_changed_is_taken_as_it_is():
    world, _ball, _floor = touching()
    (contact,) = found_contacts(world)
    contact.depth = 0.125
    assert contact.position is not None and contact.geom1 is not None
    joint = world.add_contact(contact, od.Surface())
    assert joint._record["point"]["depth"] == 0.125
    assert joint.bodies == (contact.body1, contact.body2)


def test_bodies_count_as_connected_as_soon_as_they_have_a_contact():
    world = od.World()
    one, other, far = (world.add_body(od.Sphere(1), od.Sphere(0.9), position=(1.5 * k, 0, 0)) for k in range(3))
    group, answers = od.JointGroup(), []

    def near(a, b):
        answers.append(a.body.is_connected_to(b.body))
        assert not a.body.is_connected_to(b.body, excluding=od.ContactJoint)
        for contact in od.collide(a, b):
            world.add_contact(contact, od.Surface(), group=group)

    world.space.collide(near)
    assert answers.count(False) == 2 and answers.count(True) == len(answers) - 2 > 0
    assert one.is_connected_to(other) and other.is_connected_to(one) and not one.is_connected_to(far)
    next(iter(group)).attach(one, far)
    assert one.is_connected_to(far)
    group.empty()
    assert not one.is_connected_to(other)


def test_bodies_count_as_connected_as_long_as_a_joint_connects_them():
    world = od.World()
    one, other, far = (world.add_body(position=(k, 0, 0)) for k in range(3))
    assert not one.is_connected_to(other)
    first, second = world.add_ball(one, other), world.add_hinge(other, one)
    saved = world.save()
    assert one.is_connected_to(other) and other.is_connected_to(one) and not one.is_connected_to(one)
    first.destroy()
    assert one.is_connected_to(other) and not one.is_connected_to(other, excluding=od.Hinge)
    second.attach(other, far)
    assert not one.is_connected_to(other) and far.is_connected_to(other)
    world.add_ball(one, None)
    far.destroy()
    assert not any(body.is_connected_to(other) for body in (one, other))
    with pytest.raises(od.DestroyedError):
        other.is_connected_to(far)
    world.restore(saved)
    assert one.is_connected_to(other) and not far.is_connected_to(other)
    assert not one.is_connected_to(od.World().add_body())
    with pytest.raises(TypeError, match="connected to bodies"):
        one.is_connected_to(None)


def test_contacts_keep_their_place_among_the_joints():
    world, ball, _floor = touching()
    (contact,) = found_contacts(world)
    joints = [world.add_contact(contact, od.Surface()), world.add_hinge(ball), world.add_contact(contact, od.Surface())]
    assert world.joints == tuple(joints) and ball.joints == tuple(reversed(joints))
    joints[0].attach(None, ball)  # again, now the newest
    assert ball.joints == (joints[0], joints[2], joints[1])
    joints[2].destroy()
    assert world.joints == tuple(joints[:2]) and ball.joints == (joints[0], joints[1])


def test_several_surfaces_and_groups_in_one_step():
    world, ball, _floor = touching()
    box = world.add_body(od.Box((1, 1, 1)), position=(3, 0, 0.49))
    surfaces = od.Surface(mu=0.1), od.Surface(mu=0.2, bounce=0.5)
    groups = od.JointGroup(), od.JointGroup()
    contacts = found_contacts(world)
    joints = [world.add_contact(c, surfaces[k % 2], group=groups[k % 2]) for k, c in enumerate(contacts)]
    assert len(joints) == 5
    assert [joint._record["surface"]["mu"] for joint in joints] == [0.1, 0.2, 0.1, 0.2, 0.1]
    groups[0].empty()
    assert [joint.alive for joint in joints] == [False, True, False, True, False]
    assert list(groups[1]) == [joints[1], joints[3]]
    world.step(H)
    groups[1].empty()
    assert box.joints == ball.joints == ()


# -- what callbacks may do besides -------------------------------------------------------------------------------------


def test_a_callback_that_moves_a_body_gets_contacts_of_where_it_is():
    world = od.World()
    balls = [world.add_body(od.Sphere(0.5), position=(0.9 * k, 0, 0)) for k in range(4)]
    depths = []

    def near(a, b):
        depths.append([contact.depth for contact in od.collide(a, b)])
        for ball in balls:
            ball.position = ball.position * 1.05

    world.space.collide(near)
    assert [round(depth, 9) for (depth,) in depths] == [0.1, 0.055, 0.00775]


@pytest.mark.parametrize(
    "change",
    [
        lambda world, ball, floor: setattr(floor, "d", -5.0),
        lambda world, ball, floor: setattr(ball.geoms[0], "radius", 0.1),
        lambda world, ball, floor: setattr(ball.geoms[0], "offset_position", (0, 0, 3)),
        lambda world, ball, floor: setattr(world, "positions", world.positions + 3),
        lambda world, ball, floor: world.advance(0.4, steps=5),
    ],
)
def test_contacts_found_before_a_change_count_no_longer(change):
    world = od.World()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.49), linear_velocity=(0, 0, 1))
    floor = world.add_plane()
    counts = []

    def near(a, b):
        counts.append(len(od.collide(a, b)))
        change(world, ball, floor)
        counts.append(len(od.collide(a, b)))

    world.space.collide(near)
    assert counts == [1, 0]


def test_a_body_destroyed_after_its_contact_was_found_or_made_leaves_a_contact_of_nothing():
    world, ball, _floor = touching()
    (contact,) = found_contacts(world)
    made = world.add_contact(contact, od.Surface())
    ball.destroy(keep_geoms=True)
    assert made.bodies == (None, None)
    later = world.add_contact(contact, od.Surface())
    assert later.bodies == (None, None)
    world.step(H)


def test_a_geom_put_on_another_body_takes_the_contact_along():
    world, ball, _floor = touching()
    other = world.add_body()
    (contact,) = found_contacts(world)
    before = world.add_contact(contact, od.Surface())
    ball.geoms[0].body = other
    after = world.add_contact(contact, od.Surface())
    assert ball in before.bodies and other in after.bodies


def test_a_callback_may_destroy_joints_and_add_bodies():
    world, ball, _floor = touching()
    hinge, group = world.add_hinge(ball), od.JointGroup()

    def near(a, b):
        for contact in od.collide(a, b):
            world.add_contact(contact, od.Surface(), group=group)
        hinge.destroy()
        od.Body(world)
        with pytest.raises(RuntimeError, match="cannot add to the world's space while it collides"):
            world.add_body(od.Sphere(1))
        group.empty()
        for contact in od.collide(a, b):
            world.add_contact(contact, od.Surface(), group=group)

    world.space.collide(near)
    assert ball.joints == tuple(group) and len(group) == 1
    world.step(H)


def test_contacts_kept_beyond_the_step_stay_as_they_were():
    world, ball, _floor = touching()
    (contact,) = found_contacts(world)
    before = contact.depth
    (kept,) = found_contacts(world)  # not checked until the ball is elsewhere
    world.step(H)
    found_contacts(world)
    ball.position = (0, 0, 0.3)
    assert kept.depth == before
    joint = world.add_contact(kept, od.Surface())
    assert joint._record["point"]["depth"] == before and ball in joint.bodies


def test_a_contact_of_another_world_is_refused():
    world, *_ = touching()
    other, *_ = touching()
    (contact,) = found_contacts(other)
    with pytest.raises(ValueError, match="lives in another world than the joint"):
        world.add_contact(contact, od.Surface())
    assert world.joints == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"surface": 0.5}, "must be a Surface"),
        ({"group": []}, "must be a JointGroup"),
        ({"colour": 1}, "has no argument 'colour'"),
        ({"attach": 3.5}, "must be True or False"),
    ],
)
def test_wrong_options_are_refused_and_nothing_is_made(options, message):
    world, *_ = touching()
    (contact,) = found_contacts(world)
    with pytest.raises(TypeError, match=message):
        world.add_contact(contact, **options)
    assert world.joints == ()


def test_a_group_that_was_emptied_or_of_another_world_takes_new_contacts():
    world, ball, _ = touching()
    other, theirs, _ = touching()
    group = od.JointGroup()
    for _turn in range(3):
        joints = [w.add_contact(found_contacts(w)[0], od.Surface(), group=group) for w in (world, other)]
        assert list(group) == joints
        assert ball.joints == (joints[0],) and theirs.joints == (joints[1],)
        group.empty()
        assert not any(joint.alive for joint in joints)


def test_a_joint_of_a_contact_is_saved_before_it_has_a_record():
    world, _ball, _floor = touching()
    group = od.JointGroup()
    joint = world.add_contact(found_contacts(world)[0], od.Surface(mu=0.25), group=group)
    snapshot, twin, pickled = world.save(), copy.deepcopy(world), pickle.loads(pickle.dumps(world))
    for other in (twin, pickled):
        (theirs,) = other.joints
        assert theirs.bodies.count(other.bodies[0]) == 1 and theirs.group is not None and list(theirs.group) == [theirs]
        assert other.state_hash() == world.state_hash()
    group.empty()
    newer = world.add_contact(found_contacts(world)[0], od.Surface(), group=group)
    world.restore(snapshot)
    assert joint.alive and not newer.alive and list(group) == [joint] == list(world.joints)
    world.step(H)
    group.empty()
    assert not joint.alive


# -- all contacts at once ----------------------------------------------------------------------------------------------


def test_all_contacts_at_once_move_a_pile_as_those_of_a_callback():
    bulk, single = pile(), pile()
    surface = od.Surface(mu=0.5)
    for world in (bulk, single):
        world.surfaces.default = surface
        for geom in world.geoms:
            geom.material = None
    for _ in range(100):
        group = od.JointGroup()
        joints = bulk.add_contacts(bulk.space.contacts(), surface, group=group)
        assert list(bulk.joints) == joints == list(group)
        bulk.step(H)
        group.empty()
        classic_step(single, H, od.JointGroup())
    assert np.array_equal(state(bulk), state(single))


def test_all_contacts_as_arrays_and_in_parts():
    world, ball, floor = touching()
    world.add_body(od.Box((1, 1, 1)), position=(3, 0, 0.4))
    contacts = world.space.contacts(max_contacts=4)
    assert isinstance(contacts, od.ContactPoints) and len(contacts) == len(list(contacts)) == 5
    assert contacts.array.dtype.names[:3] == ("position", "normal", "depth")
    assert [contact.depth for contact in contacts] == contacts.depths.tolist() == contacts.array["depth"].tolist()
    deep = contacts[contacts.depths > 0.05]
    assert len(deep) == 4 and set(deep.geoms1) | set(deep.geoms2) == {floor, world.bodies[1].geoms[0]}
    assert np.allclose(abs(deep.normals), (0, 0, 1)) and deep.positions.shape == (4, 3)
    joints = world.add_contacts(deep, od.Surface())
    assert [joint.bodies.count(ball) for joint in joints] == [0] * 4
    assert len(world.add_contacts(contacts[:2])) == 2
    assert len(world.joints) == 6


def test_all_contacts_leave_out_what_advance_leaves_out():
    world, ball, _floor = touching()
    other = world.add_body(od.Sphere(0.5), position=(0.5, 0, 0.5))
    world.add_geom(od.Sphere(1, sensor=True))
    world.add_geom(od.Box((9, 9, 0.1)))
    count = len(world.space.contacts())
    world.add_ball(None, other)
    assert len(world.space.contacts()) == count
    joint = world.add_ball(ball, other)
    assert len(world.space.contacts()) == count - 1
    joint.enabled = False  # connects nothing, as in `advance`
    assert len(world.space.contacts()) == count
    joint.attach(None, None)
    joint.enabled = True
    assert len(world.space.contacts()) == count
    joint.attach(other, ball)
    assert len(world.space.contacts()) == count - 1
    world.collide_connected = True
    assert len(world.space.contacts()) == count
    world.collide_connected = False
    world.advance(1e-9)
    assert len(world.contacts) == count - 1


def test_all_contacts_ask_colliders_in_python():
    world = od.World()
    touch = od.Contact((0, 0, 0), (0, 0, 1), 0.25)
    plate = od.GeomClass("plate", bounds=lambda geom: (-1, 1) * 3, collider=lambda *_: [touch])
    world.add_body(plate(), mass=od.Mass.sphere(1.0, mass=1.0))
    world.add_body(od.Sphere(0.5))
    world.add_body(od.Sphere(0.5), position=(0, 0, 0.9))
    contacts = world.space.contacts()
    assert sorted(contacts.depths.round(9).tolist()) == [0.1, 0.25, 0.25]
    joints = world.add_contacts(contacts, od.Surface())
    assert {frozenset(joint.bodies) for joint in joints} == {
        frozenset((one, other)) for one in world.bodies for other in world.bodies if one is not other
    }


def test_an_empty_space_has_no_contacts():
    world = od.World()
    od.HashSpace(space=world.space)
    contacts = world.space.contacts()
    assert len(contacts) == 0 and contacts.positions.shape == (0, 3) and contacts.geoms1 == ()
    assert world.add_contacts(contacts) == []


def test_contacts_of_geoms_of_no_world_or_of_two_are_refused_at_once():
    space = od.SimpleSpace([od.Sphere(1), od.Sphere(1)])
    with pytest.raises(ValueError, match="one world's bodies"):
        space.contacts()
    with pytest.raises(ValueError, match="at least 1"):
        touching()[0].space.contacts(max_contacts=0)


@pytest.mark.parametrize("solver", ["auto", "exact", "pgs", "soft"])
def test_a_step_by_any_solver_moves_a_pile_as_advance_does_with_the_same_contacts(solver):
    looped, advanced = pile(), pile()
    advanced.solver = solver
    group = od.JointGroup()
    for _ in range(60):
        looped.space.collide(lambda a, b: join_all(looped, a, b, group))
        looped.step(H, solver=solver)
        group.empty()
        advanced.advance(H)
    heights = [np.array([body.position for body in world.bodies]) for world in (looped, advanced)]
    assert np.abs(heights[0] - heights[1]).max() < 5e-3
    assert looped.statistics.solvers == advanced.statistics.solvers


def join_all(world, a, b, group):
    for contact in od.collide(a, b, max_contacts=world.max_contacts):
        world.add_contact(contact, world.surfaces[a.material, b.material], group=group)


def test_a_step_by_an_unknown_solver_or_one_that_cannot_follow_the_integrator_is_refused():
    world, ball, _floor = touching()
    before = state(world)
    with pytest.raises(ValueError, match=r"the solver of a step of world must be one of .*, not 'fast'"):
        world.step(H, solver="fast")
    world.integrator = "verlet"
    with pytest.raises(ValueError, match="soft"):
        world.step(H, solver="soft")
    assert np.array_equal(state(world), before) and ball.alive
