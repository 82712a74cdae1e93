"""A large island of the soft step is solved by a team of threads, whose number, speed and presence change no bit."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import team
from opendynamics.core.arrays.team.jobs import NUMBER, OWNER, STALLS, TEAM
from tests.unit.scenes import state

H, STEPS = 1 / 60, 12


@pytest.fixture(autouse=True)
def tireless(monkeypatch):
    """Helpers in every step, however busy the machine is."""
    monkeypatch.setattr(team.Rests, "begin", lambda self: True)


def pyramid(threads, *, compound=False, bounce=0.0):
    """465 cubes, 1,300 pairs, 11,000 rows; compound: of two halves each, so that bodies touch by several pairs of geoms."""
    world = od.World(gravity=(0.3, 0.1, -10), solver="soft", surface=od.Surface(mu=0.6, bounce=bounce))
    world.threads = threads
    world.add_plane()
    base = 30
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


def test_stalled_helpers_are_left_alone_for_longer_each_time(monkeypatch):
    monkeypatch.undo()
    rests, helped, alone = team.Rests(), [], 0
    for step in range(200):
        if rests.begin():
            helped.append(step)
            TEAM[STALLS] += 1
            rests.end()
    gaps = np.diff(helped)
    assert gaps[0] == team.FEWEST + 1
    assert (np.diff(gaps) > 0).all()
    while not rests.begin():
        alone += 1
    rests.end()
    assert alone <= team.MOST
    assert rests.begin()
