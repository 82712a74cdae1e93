"""A large island of the soft step is solved by a team of threads, whose number, speed and presence change no bit."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import team
from opendynamics.core.arrays.team.jobs import NUMBER, OWNER, TEAM
from tests.unit.scenes import state

H, STEPS = 1 / 60, 8


@pytest.fixture(autouse=True)
def tireless(monkeypatch):
    """Helpers in every step, however busy the machine is."""
    monkeypatch.setattr(team.Trials, "begin", lambda self: True)


def pyramid(threads, *, compound=False, bounce=0.0):
    """2,211 cubes and 13,000 rows; compound: 1,830 of two halves each, so that bodies touch by several pairs of geoms."""
    world = od.World(gravity=(0.3, 0.1, -10), solver="soft", surface=od.Surface(mu=0.6, bounce=bounce))
    world.threads = threads
    world.add_plane()
    base = 60 if compound else 66
    for row in range(base):
        for k in range(base - row):
            width, places = (0.5, (-0.25, 0.25)) if compound else (1.0, (0.0,))
            shapes = [od.Box((width, 1, 1), position=(x, 0, 0)) for x in places]
            world.add_body(*shapes, position=(k + 0.5 * row, 0, 0.499 + 0.998 * row), mass=100.0)
    world.bodies[-1].linear_velocity = (1, 2, -3)
    return world


def net(threads):
    """60 x 60 balls that hang from the first row by ball joints."""
    world = od.World(gravity=(0, 0.5, -10), solver="soft")
    world.threads = threads
    side = 60
    bodies = [
        world.add_body(mass=1.0, position=(x, 0, -y), kinematic=y == 0 and x % 9 == 4)
        for y in range(side)
        for x in range(side)
    ]
    for k, body in enumerate(bodies):
        if k >= side:
            world.add_ball(bodies[k - side], body, anchor=(k % side, 0, 0.5 - k // side))
        if k % side:
            world.add_ball(bodies[k - 1], body, anchor=(k % side - 0.5, 0, -(k // side)))
    return world


def compound_pyramid(threads):
    return pyramid(threads, compound=True)


def bouncing_pyramid(threads):
    return pyramid(threads, bounce=0.5)


def jobs():
    """How many have been published so far."""
    return int(TEAM[NUMBER])


@pytest.mark.parametrize("build", [pyramid, compound_pyramid, bouncing_pyramid, net])
def test_number_of_threads_changes_no_bit(build):
    alone = build(1)
    before = jobs()
    alone.advance(H, steps=STEPS)
    assert jobs() == before
    for threads in (2, 3):
        before = jobs()
        world = build(threads)
        world.advance(H, steps=STEPS)
        assert jobs() > before + STEPS
        assert np.array_equal(state(world), state(alone))
        assert world.statistics.residual == alone.statistics.residual
        assert world.contact_force(world.bodies[0]).tolist() == alone.contact_force(alone.bodies[0]).tolist()


def test_helpers_that_come_too_late_are_not_missed(monkeypatch):
    class Absent:
        def submit(self, *arguments):
            future = Future()
            future.set_result(1)
            return future

    alone, world = pyramid(1), pyramid(2)
    alone.advance(H, steps=3)
    monkeypatch.setattr(team, "pool", lambda *_: Absent())
    world.advance(H, steps=3)
    assert np.array_equal(state(world), state(alone))


def test_worlds_in_several_threads_have_one_team_between_them():
    alone = pyramid(1)
    alone.advance(H, steps=STEPS)
    worlds = [pyramid(2) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda world: world.advance(H, steps=STEPS), worlds))
    assert TEAM[OWNER] == 0
    for world in worlds:
        assert np.array_equal(state(world), state(alone))


def test_an_error_of_the_solver_ends_the_team(monkeypatch):
    world = pyramid(2)

    def fail(*_):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(od.World, "_help", fail)
    with pytest.raises(RuntimeError, match="out of memory"):
        world.advance(H)
    assert TEAM[OWNER] == 0
    monkeypatch.undo()
    world.advance(H)
    alone = pyramid(1)
    alone.advance(H)
    assert np.array_equal(state(world), state(alone))


def test_small_islands_have_no_team():
    world = od.World(gravity=(0, 0, -10), solver="soft")
    world.threads = 2
    world.add_plane()
    world.add_bodies(od.Box((1, 1, 1)), [(k + 0.5 * row, 0, 0.5 + row) for row in range(12) for k in range(12 - row)])
    before = jobs()
    world.advance(H, steps=3)
    assert world.statistics.contacts < 1000
    assert jobs() == before


@pytest.mark.parametrize("helped, alone", [(2.0, 1.0), (1.0, 2.0), (1.0, 1.0)])
def test_the_faster_way_is_kept(monkeypatch, helped, alone):
    monkeypatch.undo()
    trials, calls = team.Trials(), []
    for _ in range(1000):
        calls.append(trials.begin())
        trials.end(helped if calls[-1] else alone)
    slower = calls.count(helped > alone)
    assert calls[0]
    assert 5 < slower < 30
    gaps = np.diff([k for k, call in enumerate(calls) if call == (helped > alone)])
    assert gaps[-1] > 200


def test_the_way_is_changed_when_the_other_becomes_faster(monkeypatch):
    monkeypatch.undo()
    trials, calls = team.Trials(), []
    for k in range(2000):
        calls.append(trials.begin())
        trials.end(1.0 if calls[-1] == (k < 1000) else 2.0)
    assert sum(calls[:1000]) > 950
    assert sum(calls[1600:]) < 20


def test_one_slow_call_changes_nothing(monkeypatch):
    monkeypatch.undo()
    trials, calls = team.Trials(), []
    for k in range(200):
        calls.append(trials.begin())
        trials.end(10.0 if k % 9 == 7 else 1.0 if calls[-1] else 1.5)
    assert calls.count(False) < 10


def pile(threads, max_contacts=8):
    """1,500 boxes, balls and capsules that overlap, in a heap above the ground."""
    world = od.World(gravity=(0, 0, -10), solver="soft")
    world.threads, world.max_contacts = threads, max_contacts
    world.add_plane()
    rng = np.random.default_rng(5)
    shapes = (lambda: od.Box((0.2, 0.2, 0.2))), (lambda: od.Sphere(0.1)), (lambda: od.Capsule(0.08, 0.1))
    for k in range(1500):
        place = rng.uniform(-0.8, 0.8, 2)
        world.add_body(shapes[k % 3](), position=(*place, 0.2 + 0.004 * k), density=500)
    return world


@pytest.mark.parametrize("max_contacts", [8, 2])
def test_points_of_many_pairs_are_found_jointly(max_contacts):
    worlds = [pile(threads, max_contacts) for threads in (1, 2, 3)]
    for world in worlds:
        before = jobs()
        world.advance(0.005, steps=20)
        assert (jobs() > before) == (world.threads > 1)
        assert world.statistics.pairs > 2500
    for world in worlds[1:]:
        assert np.array_equal(state(world), state(worlds[0]))
        assert world.statistics == worlds[0].statistics
        assert np.array_equal(world.contacts.positions, worlds[0].contacts.positions)


def test_colliders_in_python_are_called_in_the_order_of_the_pairs():
    seen = {1: [], 2: []}

    def collide(a, b, limit):
        seen[a.body.world.threads].append((a.body.name, b.body.name))
        return NotImplemented

    worlds = [pile(threads) for threads in (1, 2)]
    od.set_collider(od.Sphere, od.Capsule, collide)
    try:
        for world in worlds:
            world.advance(0.005, steps=2)
    finally:
        od.set_collider(od.Sphere, od.Capsule, None)
    assert len(seen[1]) > 100
    assert seen[1] == seen[2]
    assert np.array_equal(state(worlds[1]), state(worlds[0]))
