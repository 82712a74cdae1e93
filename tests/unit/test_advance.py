"""`world.advance`: the compiled loop; surfaces by material, statistics, growing memory."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.rows import CORRECTIONS, EXTERNALS, FORCES, REACTIONS, ROWS, UNCONSTRAINED, VARIANTS
from tests.unit.scenes import classic_step, pile, state


@pytest.mark.parametrize("kinds", [("sphere",), ("sphere", "box"), ("sphere", "box", "capsule")])
@pytest.mark.parametrize("broadphase", [None, "simple"])
def test_it_is_the_classic_loop(kinds, broadphase):
    ours, classic = pile(kinds=kinds, broadphase=broadphase), pile(kinds=kinds)
    group, most = od.JointGroup(), 0
    for _ in range(60):
        ours.advance(0.01)
        classic_step(classic, 0.01, group)
        most = max(most, ours.statistics.contacts)
        assert state(ours) == pytest.approx(state(classic), rel=1e-9, abs=1e-9)
    assert most > 10


def test_with_sleeping_bodies_it_is_the_classic_loop_too():
    ours, classic = (od.World(gravity=(0, 0, -10)) for _ in range(2))
    group, slept = od.JointGroup(), False
    for world in (ours, classic):
        world.add_plane()
        world.auto_disable, world.auto_disable_steps = True, 5
        for k in range(3):
            world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5 + k))
        world.add_body(od.Sphere(0.3), position=(0.1, 0, 5.0))
    for _ in range(120):
        ours.advance(0.01)
        classic_step(classic, 0.01, group)
        slept |= not ours.bodies[0].enabled
        assert [body.enabled for body in ours.bodies] == [body.enabled for body in classic.bodies]
        assert state(ours) == pytest.approx(state(classic), rel=1e-9, abs=1e-9)
    assert slept


@pytest.mark.parametrize("way", ["steps", "callback", "stages"])
def test_many_steps_are_as_many_single_ones(way):
    one, many = pile(), pile()
    for _ in range(60):
        one.advance(0.01)
    if way == "callback":
        many.bodies[3].moved_callback = lambda body: None
    if way == "stages":
        start = perf_counter()
        seconds = many.time_stages(0.01, 60)
        assert sum(seconds.values()) <= perf_counter() - start
        assert set(seconds) == {"collide", "constrain", "solve", "move"}
        assert all(value > 0 for value in seconds.values())
        assert many.statistics.seconds == seconds
    else:
        many.advance(0.01, steps=60)
    assert (state(one) == state(many)).all()


def test_contacts_list_what_touched():
    world = od.World(gravity=(0, 0, -10))
    ground = world.add_plane()
    a = world.add_body(od.Sphere(0.5), position=(0, 0, 0.49))
    b = world.add_body(od.Sphere(0.5), position=(0, 0, 1.47))
    world.add_body(od.Sphere(0.5), position=(9, 0, 9))
    world.advance(0.01)
    contacts = {frozenset((c.geom1, c.geom2)): c for c in world.contacts}
    assert set(contacts) == {frozenset((ground, a.geoms[0])), frozenset((a.geoms[0], b.geoms[0]))}
    low, high = contacts[frozenset((ground, a.geoms[0]))], contacts[frozenset((a.geoms[0], b.geoms[0]))]
    assert low.depth == pytest.approx(0.01)
    assert high.depth == pytest.approx(0.02)
    # The normal points into the first geom.
    assert low.normal[2] == (1 if low.geom2 is ground else -1)
    assert high.normal[2] == (1 if high.geom2 is a.geoms[0] else -1)
    assert high.position == pytest.approx([0, 0, 0.98])
    kept = low.position.tolist()
    with pytest.warns(od.MissingContactsWarning):
        world.step(0.01)
    assert world.contacts == []  # that step was the user's
    world.advance(0.01)
    assert low.position.tolist() == kept  # the next step's contacts are others


def test_contacts_of_a_geom_that_is_gone_are_not_given_to_its_successor():
    world = od.World(gravity=(0, 0, -10))
    ground = world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.49))
    world.advance(0.01)
    old = ball.geoms[0]
    row = old._row
    old.destroy()
    new = od.Sphere(0.1, body=ball)
    assert new._row == row
    (contact,) = world.contacts
    assert {contact.geom1, contact.geom2} == {ground, None}


def test_contacts_of_one_collision_are_not_those_of_the_next():
    a, b, c = (od.Sphere(1, position=(x, 0, 0)) for x in (0, 1, 1.5))
    (first,) = od.collide(a, b)
    (second,) = od.collide(a, c)
    assert first.position.tolist() == [0.5, 0, 0]
    assert second.position.tolist() == [0.75, 0, 0]
    assert (first.geom2, second.geom2) == (b, c)


def test_statistics():
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    for x in (0, 5, 10):
        world.add_body(od.Sphere(0.5), position=(x, 0, 0.5 - 0.01 * x))
    world.add_body(od.Sphere(0.5), position=(5, 0, 40))
    world.advance(0.01)
    statistics = world.statistics
    assert (statistics.pairs, statistics.contacts, statistics.islands) == (3, 3, 4)
    assert statistics.rows == 9  # normal and two of friction for each contact
    assert statistics.deepest == pytest.approx(0.1)
    assert statistics.seconds == {}
    assert statistics.residual < 1e-9


def test_user_made_contacts_act_beside_those_of_advance():
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.5))
    held = world.add_body(position=(5, 0, 0))
    contact = world.add_contact(od.Contact((5, 0, 0)), body1=held)
    world.advance(0.01, steps=10)
    assert held.position[2] == pytest.approx(0, abs=1e-6)
    assert contact.feedback.force1[2] == pytest.approx(10, rel=1e-6)
    assert ball.position[2] == pytest.approx(0.5, abs=1e-6)
    contact.destroy()
    world.advance(0.01, steps=10)
    assert held.position[2] < -0.04


# -- surfaces ----------------------------------------------------------------------------------------------------------


def test_which_surface_counts():
    world = od.World(surface=od.Surface(mu=0.1))
    s = world.surfaces
    ice, rubber, both, bare = od.Surface(mu=0.02), od.Surface(mu=1.5), od.Surface(mu=0.3), od.Surface(mu=0.7)
    s["ice"], s["rubber"], s["rubber", "ice"], s[None] = ice, rubber, both, bare
    assert s["ice", "rubber"] is s["rubber", "ice"] is both  # the most specific
    assert s["ice"] is s["ice", "ice"] is s["ice", "wood"] is ice
    assert s["rubber", None] is bare  # of two that have one, the one with less friction
    assert s[None, None] is s[None] is bare
    assert s["wood", "wood"] is s["wood"] is s.default
    s.default = wood = od.Surface(mu=0.4)
    assert s["wood", "steel"] is wood


@pytest.mark.parametrize("late", [False, True])
def test_materials_decide_in_advance(late):
    # Three equal boxes slide: v = v0 - μ g t.
    world = od.World(gravity=(0, 0, -10))
    frictions = {"ice": 0.02, "rubber": 0.6, None: 0.3}

    def set_surfaces():
        world.surfaces.default = od.Surface(mu=frictions[None])
        for name in ("ice", "rubber"):
            world.surfaces[name] = od.Surface(mu=frictions[name])

    if not late:
        set_surfaces()
    world.add_plane()
    boxes = {
        name: world.add_body(od.Box((1, 1, 0.2), material=name), position=(0, 3 * k, 0.1), linear_velocity=(4, 0, 0))
        for k, name in enumerate(frictions)
    }
    if late:
        set_surfaces()
    world.advance(0.01, steps=20)
    for name, box in boxes.items():
        assert box.linear_velocity[0] == pytest.approx(4 - 10 * frictions[name] * 0.2, rel=1e-6)
    boxes["ice"].geoms[0].material = "rubber"
    before = boxes["ice"].linear_velocity[0]
    world.advance(0.01, steps=20)
    assert boxes["ice"].linear_velocity[0] == pytest.approx(before - 10 * 0.6 * 0.2, rel=1e-6)


def test_bad_surfaces_are_refused():
    world = od.World()
    before = world.surfaces.materials
    for key, value in (
        ("ice", 0.5),
        (3, od.Surface()),
        (("a", "b", "c"), od.Surface()),
        ("a", od.Surface(direction1=(1, 0, 0))),
    ):
        with pytest.raises((TypeError, ValueError)):
            world.surfaces[key] = value
        assert world.surfaces.materials == before
    with pytest.raises(TypeError):
        world.surfaces[3]
    with pytest.raises(TypeError):
        world.surfaces["a", "b", "c"]


# -- what collides -----------------------------------------------------------------------------------------------------


def test_collide_connected():
    for collide_connected in (False, True):
        world = od.World()
        world.collide_connected = collide_connected
        a, b = (world.add_body(od.Sphere(0.5), position=(x, 0, 0)) for x in (0, 0.9))
        joint = world.add_slider(a, b, axis=(1, 0, 0))
        world.advance(0.01)
        assert (world.statistics.contacts == 1) is collide_connected
        joint.enabled = False
        world.advance(0.01)
        joint.destroy()
        b.position = np.add(a.position, (0.9, 0, 0))
        world.advance(0.01)
        assert world.statistics.contacts == 1


def test_bits_and_enabled_decide_in_advance():
    world = od.World(gravity=(0, 0, -10))
    ground = world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.5))
    geom = ball.geoms[0]
    for change, back in (
        (lambda: setattr(geom, "enabled", False), lambda: setattr(geom, "enabled", True)),
        (lambda: world.space.remove(geom), lambda: world.add_geom(geom)),
        (lambda: setattr(ground, "enabled", False), lambda: setattr(ground, "enabled", True)),
    ):
        world.advance(0.01)
        assert world.statistics.contacts == 1
        change()
        world.advance(0.01)
        assert world.statistics.contacts == 0
        back()
        ball.position, ball.linear_velocity = (0, 0, 0.5), (0, 0, 0)
    geom.category_bits, geom.collide_bits = 1, 0
    ground.collide_bits, ground.category_bits = 2, 0
    world.advance(0.01)
    assert world.statistics.contacts == 0
    ground.collide_bits = 3
    world.advance(0.01)
    assert world.statistics.contacts == 1


def test_geoms_of_spaces_within_the_worlds_space_collide():
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    inner = od.HashSpace(space=world.space)
    ball = world.add_body(position=(0, 0, 0.5))
    geom = od.Sphere(0.5, body=ball, space=inner)
    world.advance(0.01, steps=10)
    assert ball.position[2] == pytest.approx(0.5, abs=1e-6)
    inner.remove(geom)
    world.advance(0.01, steps=10)
    assert ball.position[2] < 0.46


def test_max_contacts():
    for most in (1, 3, 4, 8):
        world = od.World(gravity=(0, 0, -10))
        world.max_contacts = most
        world.add_plane()
        world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.49))
        world.advance(0.01)
        assert world.statistics.contacts == min(most, 4)


# -- memory ------------------------------------------------------------------------------------------------------------


def test_hundreds_of_bodies_and_contacts():
    # Every table has to grow, in the middle of a run.
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5))
    world.add_plane()
    boxes = [world.add_body(od.Box((1, 1, 1)), position=(2 * i, 2 * j, 0.55)) for i in range(20) for j in range(20)]
    world.advance(0.01, steps=40)
    assert world.statistics.contacts == 1600
    assert world.statistics.rows == 4800
    assert world.positions[:, 2] == pytest.approx(np.full(400, 0.5), abs=5e-3)
    assert [body.position[0] for body in boxes[:3]] == pytest.approx([0, 0, 0], abs=1e-6)


def test_growth_does_not_change_the_result():
    # The same scene in a world whose tables have grown before.
    small, large = pile(), pile()
    extra = [large.add_body(od.Sphere(0.1), position=(100 + k, 0, 0.09)) for k in range(300)]
    large.advance(0.01)
    for body in extra:
        body.destroy()
    for world in (small, large):
        fresh = pile()
        world.positions, world.quaternions = fresh.positions, fresh.quaternions
        world.linear_velocities, world.angular_velocities = fresh.linear_velocities, fresh.angular_velocities
        world.advance(0.01, steps=60)
    assert (state(small) == state(large)).all()


def test_a_step_that_runs_out_of_memory_after_bodies_went_to_rest():
    # It is taken up again with the contacts that it had, or the body would be found at rest on the platform that wakes it.
    ends = []
    for grown in (False, True):
        world = od.World(gravity=(0, 0, -10))
        world.auto_disable_steps = 1
        world.add_plane()
        world.add_body(od.Box((1, 1, 1)), position=(-9, 0, 0.5), kinematic=True)
        body = world.add_body(od.Box((1, 1, 1)), position=(-9, 0, 1.5))
        for k in range(40):
            world.add_body(od.Box((1, 1, 1)), position=(2 * k, 0, 0.5))
        if grown:
            positions, quaternions = world.positions, world.quaternions
            world.advance(0.01)
            world.positions, world.quaternions = positions, quaternions
            world.linear_velocities = world.angular_velocities = np.zeros((42, 3))
            body.enabled = True
        body.auto_disable = True
        world.advance(0.01)
        ends.append((body.enabled, world.statistics.contacts, state(world).tobytes()))
    assert ends[0] == ends[1]


def test_bodies_joints_and_geoms_come_and_go():
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.5))
    world.add_plane()
    random = np.random.default_rng(2)
    for n in range(120):
        if random.random() < 0.6 or not world.bodies:
            body = world.add_body(od.Sphere(0.3), position=(*random.uniform(-2, 2, 2), 2.0))
            others = [other for other in world.bodies if other is not body]
            if others and n % 4 == 0:
                world.add_ball(body, others[int(random.integers(len(others)))])
        else:
            victim = world.bodies[int(random.integers(len(world.bodies)))]
            for geom in victim.geoms:
                geom.destroy()
            victim.destroy()
        for joint in world.joints:
            if joint.bodies == (None, None) or random.random() < 0.05:
                joint.destroy()
        world.advance(0.01, steps=3)
        assert np.isfinite(state(world)).all()
        assert len(world.geoms) == len(world.bodies) + 1
        assert (world.positions[:, 2] > 0.0).all()
    assert world.faults == ()


def test_rows_of_samples_are_bounded_by_the_bodies_at_a_time():
    # A body takes rows for its velocity samples; those of destroyed bodies have to be used again.
    from opendynamics.core.arrays.bodies import SAMPLES

    world = od.World()
    for _ in range(50):
        body = world.add_body()
        body.auto_disable_samples = 20
        body.auto_disable_samples = 1
        body.auto_disable_samples = 20
        body.destroy()
    assert world._store.used(SAMPLES) <= 100


def test_contacts_left_out_are_counted():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.49))
    for most, left_out in ((8, 0), (4, 0), (3, 1), (1, 3)):
        world.max_contacts = most
        world.advance(1e-6)
        assert (world.statistics.contacts, world.statistics.contacts_left_out) == (min(most, 4), left_out)
        found = od.collide(box.geoms[0], world.geoms[0], max_contacts=most)
        assert (len(found), found.left_out) == (min(most, 4), left_out)


@pytest.mark.parametrize(
    "make",
    [
        lambda: od.Box((1, 1, 1)),
        lambda: od.Cylinder(0.5, 1.0),
        lambda: od.Convex.hull([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]),
    ],
)
def test_what_is_left_out_is_what_a_larger_limit_finds(make):
    shape = make()
    shape.position = 0, 0, 0.49
    for ground in (od.Plane((0, 0, 1), 0), od.Box((9, 9, 1), position=(0, 0, -0.5))):
        for one, two in ((shape, ground), (ground, shape)):
            whole = od.collide(one, two, max_contacts=100)
            assert len(whole) >= 4
            assert whole.left_out == 0
            part = od.collide(one, two, max_contacts=2)
            assert (len(part), part.left_out) == (2, len(whole) - 2)
            assert max(contact.depth for contact in part) == max(contact.depth for contact in whole)


def test_a_lying_capsule_tells_that_one_end_was_left_out():
    capsule, ground = od.Capsule(0.5, 2.0, position=(0, 0, 0.49), quaternion=(1, 1, 0, 0)), od.Plane((0, 0, 1), 0)
    assert od.collide(capsule, ground).left_out == 0
    assert od.collide(capsule, ground, max_contacts=1).left_out == 1


def test_tables_have_room_for_what_a_step_writes_to_them():
    """With more rows and bodies than tables initially have room for."""
    world = od.World(gravity=(0, 0, -9.81), solver="exact", surface=od.Surface(bounce=0.5))
    world.add_plane()
    for k in range(50):
        world.add_body(od.Box((1, 1, 1)), position=(2 * k, 0, 0.499))
    world.advance(0.01)
    rows, bodies = world.statistics.rows, len(world.bodies) + 1
    assert rows == 600 > 256
    for table in (ROWS, FORCES, VARIANTS):
        assert len(world._store[table]) >= rows, table
    for table in (EXTERNALS, UNCONSTRAINED, REACTIONS, CORRECTIONS):
        assert len(world._store[table]) >= bodies > 16, table


def test_materials_and_pairs_with_an_entry_are_in_the_surfaces():
    world = od.World()
    world.surfaces["ice"] = od.Surface(mu=0.02)
    world.surfaces["ice", "rubber"] = od.Surface(mu=0.15)
    surfaces = world.surfaces
    assert "ice" in surfaces and ("rubber", "ice") in surfaces
    assert "rubber" not in surfaces and ("ice", "wood") not in surfaces and None not in surfaces
