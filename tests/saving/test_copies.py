"""Copies and pickles of worlds and of their members; user-defined classes."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import tracemalloc

import numba
import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.saving.manifest import Manifest
from opendynamics.api.saving.snapshot import Snapshot
from tests.saving.trials import pile


class Arena(od.World):
    """A user's world class with its own attributes."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.score, self.marked = 0, []

    def mark(self, body):
        """Note a body, in a list and by an attribute."""
        self.marked = [*self.marked, body]
        self.last = body


class Player(od.Body):
    """A body of the user's."""

    def __init__(self, world, team):
        super().__init__(world)
        self.team = team


def moved(body):
    """Count the calls in the body's data."""
    body.data = (body.data or 0) + 1


@numba.njit
def egg(parameters, direction):
    """An ellipsoid."""
    x, y, z = direction[0] * parameters[0], direction[1] * parameters[1], direction[2] * parameters[2]
    length = (x * x + y * y + z * z) ** 0.5
    return x * parameters[0] / length, y * parameters[1] / length, z * parameters[2] / length


EGGS = od.SupportClass("egg", egg)


def bounds(geom):
    x, y, z = geom.position
    return x - 0.3, x + 0.3, y - 0.3, y + 0.3, z - 0.3, z + 0.3


def touch(geom, other, limit):
    """A ball on planes."""
    if not isinstance(other, od.Plane):
        return NotImplemented
    depth = 0.3 - geom.position[2]
    return [od.Contact(geom.position - (0, 0, 0.3), (0, 0, 1), depth, geom, other)] if depth > 0 else []


BALLS = od.GeomClass("ball", bounds=bounds, collider=touch)


def continued(world, steps=5):
    found = [world.state_hash()]
    for _ in range(steps):
        world.advance(0.01)
        found.append(world.state_hash())
    return found


def test_objects_are_copied_together_with_their_world():
    world, bodies = pile()
    inner = od.SimpleSpace(space=world.space)
    group = od.JointGroup()
    joint = world.add_ball(bodies[0], bodies[3], group=group)
    parts = (world, bodies[3], inner, joint, group, bodies[3].geoms[0])
    for copied in (copy.deepcopy(parts), pickle.loads(pickle.dumps(parts))):
        twin, body, space, ball, joints, geom = copied
        assert twin is not world
        assert body is twin.bodies[3]
        assert body.geoms == (geom,)
        assert space in twin.space
        assert ball in twin.joints
        assert list(joints) == [ball]
        assert continued(copy.deepcopy(twin)) == continued(copy.deepcopy(world))
        body.destroy()
        assert bodies[3].alive
    with pytest.raises(TypeError, match=r"copy\.copy\(world\)"):
        copy.copy(bodies[0])


def test_data_is_copied_but_by_copy_copy():
    world, bodies = pile()
    bodies[0].data = {"friends": [bodies[1]], "numbers": np.arange(3)}
    deep, shallow = copy.deepcopy(world), copy.copy(world)
    assert shallow.bodies[0].data is bodies[0].data
    assert deep.bodies[0].data["friends"] == [deep.bodies[1]]
    assert deep.bodies[0].data["numbers"] is not bodies[0].data["numbers"]
    snapshot = world.save()
    kept, bodies[0].data = bodies[0].data, None
    world.restore(snapshot)
    assert bodies[0].data is kept
    od.World.load(snapshot).bodies[0].data["numbers"][:] = 7
    assert kept["numbers"].tolist() == [0, 1, 2]


def test_attributes_that_a_contact_joint_did_not_have_are_undone():
    world = od.World(gravity=(0, 0, -9.81))
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.45))
    group = od.JointGroup()
    joint = world.add_contact(od.collide(world.add_plane(), ball.geoms[0])[0], group=group)
    snapshot = world.save()
    joint.data, joint.name = "hit", "first contact"
    world.restore(snapshot)
    assert joint.data is None
    assert joint.name != "first contact"


def test_classes_of_ones_own_keep_their_attributes():
    world = Arena(gravity=(0, 0, -9.81))
    player = Player(world, "red")
    world.mark(player)
    world.score = 3
    snapshot = world.save()
    world.mark(world.add_body())
    world.score, player.team, world.later = 9, "blue", 1
    world.restore(snapshot)
    assert (world.score, player.team, world.marked, world.last) == (3, "red", [player], player)
    assert not hasattr(world, "later")
    for other in (copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
        assert type(other) is Arena
        assert other.score == 3
        assert other.marked == [other.bodies[0]] == [other.last]
        assert (type(other.last), other.last.team) == (Player, "red")


def test_callbacks_go_on():
    world, bodies = pile()
    bodies[4].moved_callback = moved
    world.advance(0.01, steps=5)
    snapshot = world.save()
    world.advance(0.01, steps=4)
    assert bodies[4].data == 9
    bodies[4].moved_callback = None
    world.restore(snapshot)
    other = od.World.load(Snapshot.from_bytes(snapshot.to_bytes(), trust=True))
    for each in (world, other):
        each.advance(0.01, steps=2)
        assert each.bodies[4].data == 7


@pytest.mark.parametrize("solver", ["exact", "pgs"])
def test_geoms_of_classes_of_ones_own_and_everything_that_solvers_keep(solver):
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    world.auto_disable = True
    world.random_seed = 5
    world.add_plane()
    world.add_body(EGGS((0.2, 0.3, 0.4)), position=(0, 0, 0.5), mass=od.Mass.sphere(0.3, mass=1.0))
    world.add_body(BALLS(), position=(2, 0, 0.31), mass=od.Mass.sphere(0.3, mass=1.0))
    still = world.add_body(od.Box((1, 1, 1)), position=(-3, 0, 0.5))
    wheels = [world.add_body(od.Cylinder(0.2, 0.1), position=(5 + k, 0, 2)) for k in range(2)]
    hinges = [world.add_hinge(wheel, None, anchor=wheel.position, axis=(0, 0, 1)) for wheel in wheels]
    hinges[0].motor(velocity=3.0, max_torque=4.0)
    world.add_transmission(*wheels, mode="parallel", axis=(0, 0, 1), anchor1=(5, 0, 2), anchor2=(6, 0, 2), ratio=2.0)
    for _ in range(150):
        world.advance(0.01)
    assert not still.enabled
    snapshot = world.save()
    first = continued(world, 8)
    still.enabled = True
    world.random_seed = 99
    world.advance(0.01, steps=7)
    world.restore(snapshot)
    assert not still.enabled
    assert continued(world, 8) == first
    loaded = od.World.load(Snapshot.from_bytes(snapshot.to_bytes(), trust=True))
    for other in (copy.deepcopy(od.World.load(snapshot)), loaded):
        assert continued(other, 8) == first


def test_reset_goes_back_to_the_state_before_the_first_step():
    world, bodies = pile()
    start = world.state_hash()
    world.reset()
    assert world.state_hash() == start
    world.advance(0.01, steps=3)
    bodies[0].destroy()
    added = world.add_body()
    world.advance(0.01)
    world.reset()
    assert world.state_hash() == start
    assert bodies[0].alive
    assert not added.alive
    world.gravity = (0, 0, -1)
    world.advance(0.01)
    world.reset()
    assert world.gravity.tolist() == [0, 0, -9.81]


def test_reset_takes_back_the_first_change_after_the_first_step():
    """Attributes are read when one is about to change: each change here is the first one."""
    for change, of in (
        (lambda world, body: setattr(body, "name", "other"), lambda world, body: body.name),
        (lambda world, body: setattr(body, "data", 2), lambda world, body: body.data),
        (lambda world, body: body.destroy(), lambda world, body: len(world.bodies)),
        (lambda world, body: world.add_body(), lambda world, body: len(world.bodies)),
        (lambda world, body: world.add_bodies(od.Sphere(1), [(0, 0, 9)] * 3), lambda world, body: len(world.bodies)),
        (lambda world, body: world.add_ball(body, None), lambda world, body: len(body.joints)),
        (lambda world, body: body.joints[0].destroy(), lambda world, body: len(body.joints)),
        (lambda world, body: world.space.remove(body.geoms[0]), lambda world, body: len(world.space)),
        (lambda world, body: body.geoms[0].destroy(), lambda world, body: len(body.geoms)),
        (lambda world, body: setattr(world, "contact_filter", max), lambda world, body: world.contact_filter),
    ):
        world, (body, *_) = pile()
        world.add_ball(body, None)
        before = of(world, body)
        world.advance(0.01)
        change(world, body)
        assert of(world, body) != before
        world.reset()
        assert of(world, body) == before and body.alive


def test_reset_takes_back_the_place_of_a_geom_without_a_body_in_a_space_without_a_world():
    """It is in tables that all worlds share, and its place is no attribute."""
    world, _ = pile()
    free = od.Sphere(1)
    world.space.remove(world.bodies[0].geoms[0])
    od.SimpleSpace([free, world.bodies[0].geoms[0]])
    world.advance(0.01)
    free.position = (5, 5, 5)
    world.reset()
    assert free.position.tolist() == [0, 0, 0]


def test_another_thread_changes_no_world_before_its_beginning_is_known(monkeypatch):
    """`reset` restores what was before, though the first change is made while members are still being read."""
    world, other = (pile()[0] for _ in range(2))
    world.advance(0.01)
    name, of, reads = world.bodies[0].name, Manifest.of, threading.Event()

    def rename():
        reads.wait(60)
        world.bodies[0].name = "renamed"

    def slow(world):
        reads.set()
        renamer.join(0.1)
        return of(world)

    renamer = threading.Thread(target=rename)
    renamer.start()
    monkeypatch.setattr(Manifest, "of", slow)
    gc.disable()  # a geom that is collected in the other thread counts a change, and waits as well, whatever it holds there
    try:
        other.bodies[0].name = "renamed"
    finally:
        gc.enable()
    renamer.join(60)
    world.reset()
    assert world.bodies[0].name == name


@pytest.mark.parametrize("times", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_saves_and_restores_take_no_memory(times):
    world, _ = pile(4)
    world.advance(0.01, steps=40)
    for _ in range(200):
        world.restore(world.save())
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for k in range(times):
        world.restore(world.save())
        if k % 100 == 0:  # with another manifest, too
            body = world.add_body(od.Sphere(0.1), position=(0, 0, 9))
            for one in (*body.geoms, body):
                one.destroy()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 50_000
