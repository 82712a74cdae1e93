"""Contacts after `advance`: forces, arrays, events, zones; and the time."""

import copy

import numpy as np
import pytest

import opendynamics as od

G = 9.81


def resting(count=1, **options):
    """A pile of boxes of 2 kg that rests on a plane."""
    world = od.World(gravity=(0, 0, -G), **options)
    floor = world.add_plane(name="floor")
    boxes = [world.add_body(od.Box((1, 1, 1)), mass=2, position=(0, 0, 0.5 + k), name=f"box {k}") for k in range(count)]
    world.advance(0.01, steps=50)
    return world, floor, boxes


# -- forces --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"solver": "pgs"}, {"like": "ode"}])
def test_contact_forces_carry_the_weight(options):
    tolerance = 0.5 if options.get("solver") == "pgs" else 0.05
    world, floor, (low, high) = resting(2, **options)
    assert world.contact_force(low, floor) == pytest.approx([0, 0, 4 * G], abs=tolerance)
    assert world.contact_force(floor) == pytest.approx([0, 0, -4 * G], abs=tolerance)
    assert world.contact_force(high, low) == pytest.approx([0, 0, 2 * G], abs=tolerance)
    assert world.contact_force(high) == pytest.approx([0, 0, 2 * G], abs=tolerance)
    assert world.contact_force(low) == pytest.approx([0, 0, 2 * G], abs=tolerance)  # floor and the box above
    assert world.contact_force(high, floor).tolist() == [0, 0, 0]


def test_friction_is_in_the_force():
    """A box on a slope of 20 degrees: the contacts' force is against gravity, friction included."""
    angle = np.radians(20)
    world = od.World(gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 0.2)), mass=3, position=(0, 0, 0.1))
    world.advance(0.01, steps=50)
    assert world.contact_force(box) == pytest.approx(-3 * world.gravity, rel=1e-3)


def test_one_contact_and_the_arrays_agree():
    world, floor, (low, high) = resting(2)
    contacts = world.contacts
    assert len(contacts) == 8
    assert contacts.forces.shape == contacts.positions.shape == contacts.normals.shape == (8, 3)
    assert contacts.impulses == pytest.approx(0.01 * contacts.forces)
    for k, contact in enumerate(contacts):
        assert (contact.geom1, contact.geom2) == (contacts.geoms1[k], contacts.geoms2[k])
        assert (contact.body1, contact.body2) == tuple(
            None if g is floor else g.body for g in (contact.geom1, contact.geom2)
        )
        assert (contact.force == contacts.forces[k]).all()
        assert (contact.impulse == contacts.impulses[k]).all()
        assert (contact.position == contacts.positions[k]).all()
        assert (contact.normal == contacts.normals[k]).all()
        assert contact.depth == contacts.depths[k]
        assert contact.force @ contact.normal > 0.0  # geoms push each other
    assert {len(body.contacts) for body in (low, high)} == {8, 4}
    assert sum(contact.force_on(low) for contact in low.contacts) == pytest.approx(world.contact_force(low))
    assert contacts[-1].position.tolist() == contacts[7].position.tolist()
    assert len(contacts[2:4]) == 2


def test_contacts_stay_as_they_were():
    world, _, (box,) = resting()
    contacts = world.contacts
    force, number = contacts.forces.copy(), len(contacts)
    box.position = (0, 0, 9)
    world.advance(0.01)
    assert (len(contacts), len(world.contacts)) == (number, 0)
    assert (contacts.forces == force).all()
    assert world.contact_force(box).tolist() == [0, 0, 0]


def test_contacts_beside_those_of_the_users():
    """Contact joints stand before the contacts of `advance` in the table."""
    world, floor, (box,) = resting()
    world.add_contact(od.Contact((0, 0, 5), (0, 0, 1), 0.0), body1=world.add_body(position=(0, 0, 5)))
    world.advance(0.01)
    assert world.contact_force(box, floor) == pytest.approx([0, 0, 2 * G], abs=0.05)


def test_a_contact_point_without_a_step_has_no_force():
    with pytest.raises(ValueError, match=r"only contacts of world.contacts"):
        od.collide(od.Sphere(1), od.Sphere(1, position=(1, 0, 0)))[0].force  # noqa: B018
    world, _, _ = resting()
    with pytest.raises(ValueError, match="is not one of the two"):
        world.contacts[0].force_on(world.add_body(name="other"))
    with pytest.raises(TypeError, match="a body, a geom or a robot"):
        world.contact_force("box")
    with pytest.raises(AttributeError, match="did you mean 'forces'"):
        world.contacts.forcs  # noqa: B018


def test_forces_are_unknown_after_restoring():
    world, _, (box,) = resting()
    snapshot = world.save()
    world.advance(0.01)
    expected = world.contact_force(box)
    world.restore(snapshot)
    assert len(world.contacts) == 4
    assert np.isnan(world.contact_force(box)).all()
    world.advance(0.01)
    assert (world.contact_force(box) == expected).all()
    batch = od.Batch([world])
    batch.advance(0.01)
    world.restore(snapshot)
    assert np.isnan(world.contact_force(box)).all()
    batch.advance(0.01)
    assert (world.contact_force(box) == expected).all()


# -- events --------------------------------------------------------------------------------------------------------


def test_a_bouncing_ball_begins_and_ends_to_touch():
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(bounce=0.9))
    floor = world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.5))
    assert not list(world.contact_events)
    seen = []
    for _ in range(100):
        world.advance(0.01)
        seen += [(kind, world.time) for kind, pair in world.contact_events if floor in pair and ball in pair]
    kinds = [kind for kind, _ in seen if kind != "persist"]
    assert kinds[:4] == ["begin", "end", "begin", "end"]
    assert seen[0][1] == pytest.approx(np.sqrt(2 * 0.4 / G), abs=0.02)


def test_events_of_many_steps_are_those_of_single_ones():
    def bouncing():
        world = od.World(gravity=(0, 0, -G), surface=od.Surface(bounce=0.9))
        world.add_plane()
        world.add_body(od.Sphere(0.1), position=(0, 0, 0.5))
        world.contact_events  # noqa: B018
        return world

    one, many = bouncing(), bouncing()
    begun, ended = [], []
    for _ in range(100):
        one.advance(0.01)
        begun += [pair.time for pair in one.contact_events.begin]
        ended += [pair.time for pair in one.contact_events.end]
    many.advance(0.01, steps=100)
    assert [pair.time for pair in many.contact_events.begin] == begun
    assert [pair.time for pair in many.contact_events.end] == ended
    assert len(begun) > 1


def test_what_sleeps_still_touches():
    world, _, (box,) = resting()
    world.contact_events  # noqa: B018
    box.auto_disable = True
    world.advance(0.01, steps=30)
    assert not box.enabled
    assert len(world.contacts) == 0
    events = world.contact_events
    assert (len(events.begin), len(events.persist), len(events.end)) == (0, 1, 0)
    box.position, box.enabled = (0, 0, 9), True
    world.advance(0.01)
    assert [kind for kind, _ in world.contact_events] == ["end"]


def test_a_destroyed_geom_ends_to_touch():
    world, _, (box,) = resting()
    assert [kind for kind, _ in world.contact_events] == ["begin"]
    geom = box.geoms[0]
    geom.destroy()
    world.advance(0.01)
    (pair,) = world.contact_events.end
    assert geom in (pair.geom1, pair.geom2)
    assert pair.body1 is None or pair.body2 is None


def test_events_go_on_after_restoring():
    world, _, (box,) = resting()
    world.contact_events  # noqa: B018
    snapshot = world.save()
    box.position = (0, 0, 9)
    world.advance(0.01)
    assert world.contact_events.end
    world.restore(snapshot)
    assert not list(world.contact_events)
    world.advance(0.01)
    assert [kind for kind, _ in world.contact_events] == ["persist"]


# -- zones ---------------------------------------------------------------------------------------------------------


def test_a_zone_notices_and_does_not_push():
    world = od.World(gravity=(0, 0, -G))
    floor = world.add_plane()
    zone = world.add_geom(od.Box((1, 1, 1), position=(0, 0, 0.8), sensor=True, name="zone"))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), name="ball")
    free = od.World(gravity=(0, 0, -G))
    free.add_plane()
    twin = free.add_body(od.Sphere(0.1), position=(0, 0, 2))
    world.contact_events  # noqa: B018
    kinds = []
    for _ in range(100):
        world.advance(0.01)
        free.advance(0.01)
        assert ball.position.tolist() == twin.position.tolist()
        kinds += [(kind, pair.sensor) for kind, pair in world.contact_events if zone in pair and kind != "persist"]
        inside = 0.2 < ball.position[2] < 1.4
        assert world.space.overlaps(zone) == ((ball.geoms[0],) if inside else ())
    assert kinds == [("begin", True), ("end", True)]
    assert ball.position[2] == pytest.approx(0.1, abs=1e-2)
    assert (zone.sensor, floor.sensor) == (True, False)


def test_what_starts_in_a_zone_begins_in_the_first_step():
    """As contacts at the start do; the first access, which most programs make to start tracking, reports neither."""
    world = od.World(gravity=(0, 0, -9.81))
    floor = world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), mass=1)
    zone = world.add_geom(od.Box((3, 3, 3), sensor=True))
    assert list(world.contact_events) == []
    world.advance(0.01)
    assert [(pair.geom1, pair.geom2) for pair in world.contact_events.begin] == [
        (box.geoms[0], floor),
        (zone, box.geoms[0]),
    ]
    world.advance(0.01)
    assert world.contact_events.begin == [] and len(world.contact_events.persist) == 2


def test_rays_and_queries_pass_through_zones():
    world = od.World()
    zone = world.add_geom(od.Box((1, 1, 1), position=(2, 0, 0), sensor=True))
    wall = world.add_geom(od.Box((1, 1, 1), position=(5, 0, 0)))
    hits = world.space.cast_rays((0, 0, 0), (1, 0, 0))
    assert hits.geom_of(0) is wall
    zone.sensor = False
    assert world.space.cast_rays((0, 0, 0), (1, 0, 0)).geom_of(0) is zone


def test_zones_are_saved_and_hashed():
    world = od.World(gravity=(0, 0, -G))
    world.add_body(od.Sphere(0.1), position=(0, 0, 1))
    zone = world.add_geom(od.Box((1, 1, 1), sensor=True))
    snapshot, with_zone = world.save(), world.state_hash()
    twin = copy.deepcopy(world)
    assert [geom.sensor for geom in twin.geoms] == [False, True]
    zone.sensor = False
    assert world.state_hash() != with_zone
    world.restore(snapshot)
    assert zone.sensor
    assert world.state_hash() == with_zone
    with pytest.raises(TypeError, match="sensor of a sphere must be True or False"):
        od.Sphere(1, sensor="yes")


# -- time ----------------------------------------------------------------------------------------------------------


def test_time_is_the_sum_of_the_steps():
    world = od.World()
    assert world.time == 0.0
    world.advance(0.01, steps=100)
    single = od.World()
    for _ in range(100):
        single.advance(0.01)
    assert single.time == world.time == 1.0
    world.step(0.25)
    world.quick_step(0.25)
    od.Batch([world]).advance(0.5, steps=2)
    assert world.time == 2.5


def test_time_is_saved():
    world = od.World()
    world.advance(0.01, steps=10)
    snapshot = world.save()
    world.advance(0.02, steps=10)
    assert world.time == pytest.approx(0.3)
    assert od.World.load(od.Snapshot.from_bytes(snapshot.to_bytes())).time == pytest.approx(0.1)
    world.restore(snapshot)
    assert world.time == pytest.approx(0.1)
    world.advance(0.01)
    assert world.time == pytest.approx(0.11)
    world.reset()
    assert world.time == 0.0


def test_time_in_a_callback_is_that_after_the_step():
    world, times = od.World(), []
    world.add_body().moved_callback = lambda body: times.append(world.time)
    world.advance(0.5, steps=3)
    assert times == [0.5, 1.0, 1.5]


@pytest.mark.parametrize("index", ["box", 1.0, None])
def test_contacts_are_not_indexed_by_what_is_no_number(index):
    world = od.World()
    with pytest.raises(TypeError, match=r"contacts are indexed by numbers, not by .*: world\.contacts\.of\(body\)"):
        world.contacts[index]
