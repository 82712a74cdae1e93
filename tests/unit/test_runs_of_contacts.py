"""Contact joints created in sequence, for contacts in the order of collision, and for those that break it."""

import gc
import weakref

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api as c
from opendynamics import pyode
from opendynamics.c_api.collision import geom as c_geoms
from opendynamics.c_api.objects import connections
from opendynamics.core.arrays.contacts import CONTACTS
from tests.unit.scenes import state

BODIES = 4


def row_of_boxes():
    """A world with boxes on a plane, each with four contacts; neighbours touch too."""
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    for k in range(BODIES):
        world.add_body(od.Box((1, 1, 1)), position=(0.999 * k, 0, 0.499))
    return world


def own(contact):
    """A contact of the user's own that is like one that was found."""
    return od.Contact(contact.position, contact.normal, contact.depth, contact.geom1, contact.geom2)


def step_with(world, join, group):
    """A step with what `join(contact, number)` makes of the contacts of each pair of geoms, then none of it."""

    def near(a, b):
        for number, contact in enumerate(od.collide(a, b)):
            join(contact, number)

    world.space.collide(near)
    world.step(0.01)
    group.empty()


@pytest.mark.parametrize("changed", range(3))
def test_a_contact_that_was_changed_is_taken_as_it_is_among_others(changed):
    results = []
    for copied, depth in ((False, 0.3), (True, 0.3), (True, 0.0)):
        world, group, surface = row_of_boxes(), od.JointGroup(), od.Surface(mu=0.5)

        def join(contact, number, world=world, group=group, surface=surface, copied=copied, depth=depth):
            if number == changed:
                contact = own(contact) if copied else contact
                contact.depth = depth
            world.add_contact(contact, surface=surface, group=group)

        for _ in range(2):
            step_with(world, join, group)
        results.append(state(world))
    assert np.array_equal(results[0], results[1])
    assert not np.array_equal(results[0], results[2])


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (0, 2, 3), (0, 0, 1, 1), (3, 2, 1, 0), (2,)])
def test_contacts_in_any_order_are_the_contacts_they_are(order):
    results = []
    for copied in (False, True):
        world, group, surfaces = row_of_boxes(), od.JointGroup(), (od.Surface(mu=0.5), od.Surface(mu=0.1))

        def near(a, b, world=world, group=group, surfaces=surfaces, copied=copied):
            contacts = od.collide(a, b)
            for k in order:
                if k < len(contacts):
                    contact = own(contacts[k]) if copied else contacts[k]
                    world.add_contact(contact, surface=surfaces[k > 1], group=group)

        for _ in range(3):
            world.space.collide(near)
            world.step(0.01)
            group.empty()
        results.append(state(world))
    assert np.array_equal(*results)


def test_joints_are_noted_together_where_contacts_between_them_are_left_out():
    """A few numbers per gap: noting the joints up to each would take several times as long."""
    world, group, surface = row_of_boxes(), od.JointGroup(), od.Surface(mu=0.5)
    expected, noted = [], []

    def near(a, b):
        for number, contact in enumerate(od.collide(a, b)):
            if number != 1:
                expected.append(
                    (world.add_contact(contact, surface=surface, group=group), contact.depth, (a.body, b.body))
                )
                noted.append(len(world._contact_rows.joints))

    world.space.collide(near)
    assert len(noted) > 3 * BODIES and max(noted) == 0
    assert list(world.joints) == [joint for joint, *_ in expected]
    assert [joint.bodies for joint, *_ in expected] == [bodies for *_, bodies in expected]
    points = world._store[CONTACTS]["point"][: len(expected)]
    assert points["depth"].tolist() == [depth for _, depth, _ in expected]


def test_several_groups_take_turns():
    world, groups, surface = row_of_boxes(), [od.JointGroup() for _ in range(3)], od.Surface()
    made = []

    def near(a, b):
        for group, contact in zip(groups, od.collide(a, b), strict=False):
            made.append((world.add_contact(contact, surface=surface, group=group), group, (a.body, b.body)))

    for _ in range(2):
        made.clear()
        world.space.collide(near)
        assert all(joint.group is group and joint.bodies == bodies for joint, group, bodies in made)
        assert len({id(joint) for joint, *_ in made}) == len(made) == sum(map(len, groups)) > 3 * BODIES
        for group in groups:
            group.empty()
        assert not any(joint.alive for joint, *_ in made)


@pytest.mark.parametrize("asked_first", [False, True])
def test_bodies_are_connected_from_their_first_contact_on(asked_first):
    world, group, surface = row_of_boxes(), od.JointGroup(), od.Surface()
    world.add_ball(world.bodies[0], world.bodies[1], anchor=(0.5, 0, 0.5))
    answers, joined = [], set()

    def near(a, b):
        one, other = a.body, b.body
        if one is None or other is None:
            return
        pair = frozenset((one, other))
        known = pair in joined or pair == frozenset(world.bodies[:2])
        if asked_first:
            answers.append(one.is_connected_to(other) == known)
        for contact in reversed(od.collide(a, b)):
            world.add_contact(contact, surface=surface, group=group)
            joined.add(pair)
            answers.append(one.is_connected_to(other) and other.is_connected_to(one))
        for third in world.bodies:
            if third is not one:
                answers.append(
                    one.is_connected_to(third) == (frozenset((one, third)) in joined | {frozenset(world.bodies[:2])})
                )

    for _ in range(2):
        answers.clear(), joined.clear()
        world.space.collide(near)
        group.empty()
        assert len(answers) > 2 * BODIES and all(answers)


def test_joints_connect_bodies_while_contacts_are_added_in_order():
    """Also one that the callback adds, after contacts of other pairs."""
    world, group, surface = row_of_boxes(), od.JointGroup(), od.Surface()
    first, second, third, fourth = world.bodies
    world.add_ball(first, second, anchor=(0.5, 0, 0.5))
    answers, made = {}, []

    def near(a, b):
        one, other = a.body, b.body
        if one is None or other is None or (made and {one, other} == {third, fourth}):
            return
        if not made:
            made.append(world.add_ball(third, second, anchor=(1.5, 0, 0.5)))
        answers[frozenset((one, other))] = one.is_connected_to(other)
        for contact in od.collide(a, b):
            world.add_contact(contact, surface=surface, group=group)

    world.space.collide(near)
    assert len(group) >= 3 and answers[frozenset((fourth, third))] is False
    assert answers[frozenset((third, second))] is answers[frozenset((second, first))] is True


def test_bodies_of_two_worlds_in_one_space_are_not_connected():
    space, answers = od.HashSpace(), []
    for _ in range(2):
        body = od.World().add_body(mass=1.0)
        od.Sphere(0.5, body=body, space=space)

    def near(a, b):
        answers.append((a.body.is_connected_to(b.body), len(od.collide(a, b))))

    for _ in range(2):
        space.collide(near)
    assert answers == [(False, 1)] * 2


def test_an_earlier_contact_added_late_connects_its_bodies():
    world, group, surface = row_of_boxes(), od.JointGroup(), od.Surface()
    held, answers = [], []

    def near(a, b):
        contacts = od.collide(a, b)
        if held:
            earlier, bodies = held.pop()
            world.add_contact(contacts[0], surface=surface, group=group)
            world.add_contact(earlier, surface=surface, group=group)
            answers.append(a.body is None or b.body is None or a.body.is_connected_to(b.body))
            answers.append(None in bodies or bodies[0].is_connected_to(bodies[1]))
        held.append((contacts[0], (a.body, b.body)))

    world.space.collide(near)
    assert len(answers) > BODIES and all(answers)


def test_all_points_are_shown_where_there_are_more_than_before_and_the_first_pair_has_to_be_collided_alone():
    world = od.World()
    boxes = [world.add_body(od.Box((1, 1, 1)), position=(0.999 * k, 0, 5.0 * (k // 2))) for k in range(5)]
    still = [od.Box((1, 1, 1), position=(50.0, 0, 0.1 * k), space=world.space) for k in range(2)]  # newest: found first
    counts = []

    def near(a, b):
        counts.append(len(od.collide(a, b)))

    world.space.collide(near)
    assert still and len(counts) == 3 and all(counts)
    for box in boxes:
        box.position = (*box.position[:2], 0.0)
    counts.clear()
    world.space.collide(near)
    assert len(counts) == 5 and all(count >= 4 for count in counts)


def test_a_world_ends_with_contacts_that_were_never_removed():
    world, surface = row_of_boxes(), od.Surface()

    def near(a, b, world=world, group=od.JointGroup()):  # noqa: B008
        for contact in od.collide(a, b):
            world.add_contact(contact, surface=surface, group=group)

    world.space.collide(near)
    assert len(world.joints) > BODIES
    gone = weakref.ref(world)
    del world, near
    gc.collect()
    assert gone() is None


def pyode_pile():
    """A PyODE world with boxes on a plane, and the objects that must be kept alive."""
    world, space = pyode.World(), pyode.HashSpace()
    world.setGravity((0, 0, -10))
    bodies, geoms = [], [pyode.GeomPlane(space, (0, 0, 1), 0)]
    for k in range(BODIES):
        body, geom = pyode.Body(world), pyode.GeomBox(space, (1, 1, 1))
        body.setPosition((0.999 * k, 0, 0.499))
        geom.setBody(body)
        bodies.append(body)
        geoms.append(geom)
    return world, space, bodies, geoms


@pytest.mark.parametrize("odd", ["touched", "asked", "turned", "nothing", "late"])
def test_contacts_of_pyode_that_are_not_like_the_others(odd):
    """In each pair of geoms, one contact is treated in another way; `copied`: with contacts of the program's own."""
    results = []
    for copied in (False, True):
        world, space, bodies, geoms = pyode_pile()
        group, late = pyode.JointGroup(), []

        def near(_, a, b, world=world, group=group, late=late, copied=copied):
            for number, found in enumerate(pyode.collide(a, b)):
                contact = found
                if copied:
                    contact = pyode.Contact()
                    contact.setContactGeomParams(*found.getContactGeomParams())
                contact.setMu(100.0)
                one, two = a.getBody(), b.getBody()
                if number == 1 and odd == "touched":
                    at, normal, _, g1, g2 = contact.getContactGeomParams()
                    contact.setContactGeomParams(at, normal, 0.2, g1, g2)
                joint = pyode.ContactJoint(world, group, contact)
                if number == 1 and odd == "asked":
                    assert two is None or not one or pyode.areConnected(one, two)
                if number == 1 and odd == "turned":
                    one, two = two, one
                if number == 1 and odd == "late":
                    late.append((joint, one, two))
                elif not (number == 1 and odd == "nothing"):
                    joint.attach(one, two)
                    assert joint.getBody(0) is one and joint.getBody(1) is two
                    assert one is None or two is None or pyode.areConnected(one, two)

        for _ in range(3):
            space.collide(None, near)
            for joint, one, two in late:
                joint.attach(one, two)
            late.clear()
            world.step(0.01)
            group.empty()
        results.append([body.getPosition() + body.getLinearVel() for body in bodies])
        del geoms
    assert results[0] == results[1]


def test_a_restored_world_has_no_joints_that_were_made_since():
    world, group, surface = row_of_boxes(), od.JointGroup(), od.Surface()
    saved, made = world.save(), []

    def near(a, b):
        made.extend(world.add_contact(contact, surface=surface, group=group) for contact in od.collide(a, b))

    for _ in range(2):
        world.space.collide(near)
        world.restore(saved)
        assert len(made) > BODIES and not any(joint.alive for joint in made) and world.joints == ()
        made.clear()
        world.space.collide(near)
        assert world.joints == tuple(made)
        group.empty()
        made.clear()


def own_geom(found):
    """A contact point of a C program's own that is like one that was found."""
    return c.dContactGeom(found.pos, found.normal, found.depth, found.g1, found.g2, found.side1, found.side2)


def test_c_names_know_the_bodies_of_a_pair_and_its_joints_without_looking_further(monkeypatch):
    """Loops ask for them for every pair."""
    world, group, surface = row_of_boxes(), od.JointGroup(), od.Surface()
    joined = world.bodies[:2]
    c.dJointAttach(c.dJointCreateBall(world, None), *joined)
    answers = []

    def near(_, a, b):
        if group:  # the first contact begins a run, which answers are known from
            for module, name in ((connections, "is_connected"), (c_geoms, "geom_or_space"), (c_geoms, "Geom")):
                monkeypatch.setattr(module, name, None)
        bodies = c.dGeomGetBody(a), c.dGeomGetBody(b)
        assert bodies == (a._body, b._body)
        if None not in bodies:
            answers.append((c.dAreConnected(*bodies), set(bodies) == set(joined)))
        for contact in od.collide(a, b):
            world.add_contact(contact, surface=surface, group=group)

    c.dSpaceCollide(world.space, None, near)
    assert sorted(answers) == [(0, False), (0, False), (1, True)]


@pytest.mark.parametrize(
    "way", ["in turn", "later", "every other", "every other, later", "all but the last", "into an array"]
)
def test_contact_joints_of_c_names_in_the_ways_of_c_programs(way):
    results = []
    for copied in (False, True):
        world, group, made = row_of_boxes(), od.JointGroup(), []
        array = [c.dContact(c.dSurfaceParameters(c.dContactApprox1, 0.5)) for _ in range(8)]

        def contacts_of(a, b, copied=copied, array=array):
            if way == "into an array":
                contacts = array[: c.dCollide(a, b, 8, array)]
            else:
                contacts = [c.dContact(geom=found) for found in c.dCollide(a, b, 8)]
            for contact in contacts:
                contact.surface.mode, contact.surface.mu = c.dContactApprox1, 0.5
                contact.geom = own_geom(contact.geom) if copied else contact.geom
            return contacts

        def near(_, a, b, world=world, group=group, made=made, contacts_of=contacts_of):
            bodies, loose = (c.dGeomGetBody(a), c.dGeomGetBody(b)), []
            for number, contact in enumerate(contacts_of(a, b)):
                if way.startswith("every other") and number % 2:
                    continue
                loose.append(c.dJointCreateContact(world, group, contact))
                made.append((loose[-1], bodies))
                if way not in ("later", "every other, later", "all but the last"):
                    c.dJointAttach(loose.pop(), *bodies)
            if way == "all but the last":
                made[-1] = loose.pop(), (None, None)
            for joint in loose:
                c.dJointAttach(joint, *bodies)
            if None not in bodies:
                assert c.dAreConnected(*bodies)

        for _ in range(3):
            c.dSpaceCollide(world.space, None, near)
            assert all(joint.alive and joint.bodies == bodies for joint, bodies in made)
            assert world.joints == tuple(joint for joint, _ in made)
            made.clear()
            c.dWorldQuickStep(world, 0.01)
            c.dJointGroupEmpty(group)
        results.append(state(world))
    assert np.array_equal(*results)
