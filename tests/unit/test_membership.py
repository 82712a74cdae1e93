"""Invalid combinations: bodies of two worlds, a body and itself, a geom in two places. A rejected call changes nothing."""

from __future__ import annotations

import pytest

import opendynamics as od
from tests.unit.joint_kinds import JOINT_KINDS, make_joint, usual_bodies
from tests.unit.snapshots import snapshot
from tests.unit.test_bad_input import goes_on


@pytest.fixture
def worlds():
    world, other = od.World(gravity=(0, 0, -1)), od.World(name="other")
    mine = world.add_body(od.Sphere(1, name="my ball"), name="mine")
    theirs = other.add_body(od.Sphere(1, name="their ball"), name="theirs")
    return world, other, mine, theirs


@pytest.mark.parametrize("kind", JOINT_KINDS)
def test_joints_stay_within_one_world_and_join_two_bodies(worlds, kind):
    world, other, mine, theirs = worlds
    second = world.add_body(position=(0, 3, 0))
    bodies = usual_bodies(kind, mine, second)
    joint = make_joint(world, kind, *bodies)
    before = snapshot(world, other)
    bad = ((theirs, None), (None, theirs), (mine, theirs), (theirs, mine), (mine, mine), (mine, "mine"), (5, None))
    for pair in bad:
        for call in (lambda pair=pair: make_joint(world, kind, *pair), lambda pair=pair: joint.attach(*pair)):
            with pytest.raises((ValueError, TypeError)) as refusal:
                call()
            text = str(refusal.value)
            assert "itself" in text or "another world" in text or "bodies" in text
            assert snapshot(world, other) == before
            assert joint.bodies == bodies
    goes_on(world)


def test_joint_options_are_checked_before_the_joint_exists(worlds):
    world, other, mine, _ = worlds
    before = snapshot(world, other)
    for call in (
        lambda: world.add_hinge(mine, group="contacts"),
        lambda: world.add_hinge(mine, colour="red"),
        lambda: world.add_contact("touch"),
        lambda: world.add_contact(od.Contact(), surface=0.5),
        lambda: world.add_contact(od.Contact(depth=float("nan"))),
        lambda: world.add_contact(od.Contact(side1="left")),
        lambda: world.add_contact(od.Contact(geom1="ball")),
        lambda: od.Joint(world),
        lambda: od.Hinge("world"),
        lambda: od.Body("world"),
        lambda: od.Geom((1,)),
        od.Space,
    ):
        with pytest.raises((ValueError, TypeError)):
            call()
        assert snapshot(world, other) == before
    assert mine.joints == ()
    goes_on(world)


def test_a_geom_is_in_one_space_and_on_one_body(worlds):
    world, other, mine, theirs = worlds
    ball, space = mine.geoms[0], od.HashSpace(name="lone")
    lone = od.Sphere(1, name="lone ball", space=space)
    before = snapshot(world, other)
    for call, words in (
        (lambda: world.add_geom(ball), "already in"),
        (lambda: space.add(ball), "already in"),
        (lambda: space.add(lone), "already in"),
        (lambda: world.add_body(ball), "already on"),
        (lambda: world.add_body(lone), "already in"),
        (lambda: world.add_body(*2 * [od.Sphere(1)]), "twice"),
        (lambda: world.add_body(od.Plane()), "cannot be put on a body"),
        (lambda: setattr(ball, "body", theirs), "another world"),
        (lambda: other.space.remove(ball), "not in"),
        (lambda: od.Plane(body=mine, space=space), "cannot be put on a body"),
        (lambda: od.Sphere(1, body=theirs, space=world.space), "another world"),
        (lambda: od.Sphere(1, space=world.space, body="mine"), "Body"),
        (lambda: space.add(space), "contains or is"),
        (lambda: space.add(5), "geoms and spaces"),
        (lambda: od.HashSpace([od.Sphere(1), ball]), "already in"),
        (lambda: od.HashSpace([od.Sphere(1)], space="lone"), "must be a Space"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            call()
        assert snapshot(world, other) == before
        assert list(space) == [lone]
        assert ball.body is mine
    goes_on(world)


def test_a_geom_on_a_body_does_not_join_another_worlds_space(worlds):
    world, other, _, theirs = worlds
    geom = od.Sphere(1, body=theirs, name="carried")
    inner = od.HashSpace([geom])
    before = snapshot(world, other)
    for member in (geom, inner):
        with pytest.raises(ValueError, match=r"another world|already in"):
            world.space.add(member)
        assert snapshot(world, other) == before
    goes_on(world)


def test_a_failed_space_lets_its_geoms_go():
    free, taken = od.Sphere(1), od.Sphere(1, space=od.HashSpace())
    with pytest.raises(ValueError, match="already in"):
        od.SimpleSpace([free, taken])
    assert free.space is None
    od.SimpleSpace([free])


def test_a_space_within_itself_is_refused_at_any_depth():
    outer, middle = od.HashSpace(name="outer"), od.HashSpace()
    inner = od.HashSpace(space=middle)
    outer.add(middle)
    with pytest.raises(ValueError, match="outer"):
        inner.add(outer)


def test_a_body_that_cannot_be_made_leaves_nothing_behind(worlds):
    world, other, *_ = worlds
    before = snapshot(world, other)
    for shapes, arguments in (
        ([od.Sphere(1e-160)], {}),  # its volume is 0 in floating point
        ([od.Sphere(1)], {"density": 1e-320}),
        ([od.Sphere(1)], {"mass": 1, "density": 1}),
        ([], {"density": 1}),
        ([], {"mass": od.Mass()}),
        ([], {"quaternion": (1, 0, 0, 0), "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}),
        (["ball"], {}),
        ([od.Sphere(1)], {"kinematic": "yes"}),
        ([od.Sphere(1)], {"angular_velocity": (0, 0, float("nan"))}),
    ):
        with pytest.raises((ValueError, TypeError)):
            world.add_body(*shapes, **arguments)
        assert world.bodies == before[1][0][0]
        assert not any(world._store.used(table) for table in world._joint_rows.tables)
        assert all(getattr(shape, "body", None) is None for shape in shapes)
    goes_on(world)


def test_changes_during_a_collision_are_refused_and_leave_nothing_behind(worlds):
    world, *_ = worlds
    world.add_body(od.Sphere(1, name="second"), position=(0.5, 0, 0))
    bodies, members = world.bodies, tuple(world.space)
    refused = []

    def near(a, b):
        for call in (
            lambda: world.add_body(od.Sphere(1)),
            world.add_plane,
            lambda: world.space.remove(a),
            world.space.destroy,
            world.destroy,
            a.destroy,
        ):
            with pytest.raises(RuntimeError, match="collide"):
                call()
            refused.append(call)

    world.space.collide(near)
    assert len(refused) == 6
    assert world.bodies == bodies
    assert tuple(world.space) == members
    goes_on(world)


def test_a_callback_cannot_step_or_end_the_world():
    world = od.World()
    body = world.add_body(linear_velocity=(1, 0, 0))
    seen = []

    def moved(body):
        for call in (lambda: world.step(0.1), lambda: world.advance(0.1), world.destroy):
            with pytest.raises(RuntimeError, match="being stepped"):
                call()
            seen.append(call)

    body.moved_callback = moved
    world.step(0.1)
    assert len(seen) == 3
    body.moved_callback = None
    world.step(0.1)
    assert body.position[0] == pytest.approx(0.2)


def test_a_callback_that_raises_does_not_block_the_world():
    world = od.World()
    body = world.add_body(linear_velocity=(1, 0, 0))

    def fail(body):
        raise KeyError("mine")

    for step in (lambda: world.step(0.1), lambda: world.advance(0.1), lambda: world.time_stages(0.1)):
        body.moved_callback = fail
        with pytest.raises(KeyError, match="mine"):
            step()
        body.moved_callback = None
        world.step(0.1)
    assert body.position[0] == pytest.approx(0.6)


@pytest.mark.parametrize("h", [0, -0.01, float("nan"), float("inf"), "0.01", None, (0.01,)])
def test_step_sizes_are_checked(worlds, h):
    world, other, *_ = worlds
    before = snapshot(world, other)
    for call in (
        world.step,
        world.advance,
        world.quick_step,
        world.time_stages,
        lambda h: world.impulse_to_force(h, (1, 0, 0)),
    ):
        with pytest.raises((ValueError, TypeError), match="step size"):
            call(h)
        assert snapshot(world, other) == before


@pytest.mark.parametrize("steps", [-1, 1.5, "3", 2**70, None, True])
def test_step_numbers_are_checked(worlds, steps):
    world, other, *_ = worlds
    before = snapshot(world, other)
    for call in (world.advance, world.time_stages):
        with pytest.raises((ValueError, TypeError), match="number of steps"):
            call(0.01, steps=steps)
        assert snapshot(world, other) == before
