"""Islands are solved by several threads where that is faster, and their number changes no bit."""

from __future__ import annotations

from itertools import pairwise

import pytest

import opendynamics as od
from opendynamics.api.threads import Threads
from opendynamics.core.arrays.cones import CONE_FLOATS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.store import Branch
from tests.unit.scenes import state

STEPS = 30


def world_solved_by(solver):
    """Solver "exact" or "soft", "auto" where both have their share, or "pgs" with the order of constraints that is given."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.6))
    if solver == "auto":
        world.solver, world.auto_exact_rows = "auto", 240
    elif solver in ("exact", "soft"):
        world.solver = solver
    else:
        world.solver, world.quickstep_order = "pgs", solver
    return world


def towers(threads, solver):
    """60 towers of 4 boxes, each its own island, one of them pushed over."""
    world = world_solved_by(solver)
    world.threads = threads
    world.add_plane(normal=(0, 0, 1))
    for k in range(60):
        for level in range(4):
            turn = od.rotation.quaternion_from_axis_angle((0, 0, 1), 0.3 * level + 0.01 * k)
            world.add_body(
                od.Box((1, 1, 1)), position=(3.0 * k, 0.02 * level * k, 0.5 + 0.999 * level), quaternion=turn
            )
    world.bodies[7].linear_velocity = (2, 1, 0)
    return world


@pytest.fixture
def shared(monkeypatch):
    """How often threads shared the islands, by the number of threads."""
    counts = {}
    solve = Threads.solve

    def count(self, *arguments):
        counts[self.count] = counts.get(self.count, 0) + 1
        return solve(self, *arguments)

    monkeypatch.setattr(Threads, "solve", count)
    return counts


@pytest.mark.parametrize("solver", ["auto", "exact", "ode", "blocks", "soft"])
def test_number_of_threads_changes_no_bit(shared, solver):
    results = {}
    for threads in (1, 2, 5):
        world = towers(threads, solver)
        world.advance(0.01, steps=STEPS)
        results[threads] = state(world).tobytes()
    assert results[1] == results[2] == results[5]
    assert shared.keys() == {2, 5}
    assert min(shared.values()) > STEPS // 2  # towers that sway have fewer contacts


def test_more_threads_than_islands(shared):
    results = []
    for threads in (1, 8):
        world = world_solved_by("blocks")
        world.threads = threads
        world.add_plane()
        for k in range(300):
            world.add_body(od.Box((1, 1, 1)), position=(3.0 * (k % 3), 0, 0.5 + 0.999 * (k // 3)))
        world.advance(0.01, steps=3)
        results.append(state(world).tobytes())
    assert results[0] == results[1] and shared[8] > 0


def test_threads_share_the_steps_of_odes_loop(shared):
    results = []
    for threads in (1, 3):
        world = towers(threads, "exact")
        contacts = od.JointGroup()

        def near(a, b, world=world, contacts=contacts):
            for contact in od.collide(a, b, max_contacts=8):
                world.add_contact(contact, surface=od.Surface(mu=0.6), group=contacts)

        for _ in range(3):
            world.space.collide(near)
            world.step(0.01)
            contacts.empty()
        results.append(state(world).tobytes())
    assert results[0] == results[1]
    assert shared == {3: 3}


def towers_and_a_net(threads, solver, reserve):
    """Towers, and balls made before them, which joints make the last and largest island of all at the sixth step."""
    world = world_solved_by(solver)
    world.threads = threads
    if reserve:
        for table in (FLOATS, INTEGERS, CONE_FLOATS):
            world._store.make_room(table, 1 << 18)
    world.add_plane(normal=(0, 0, 1))
    balls = [world.add_body(od.Sphere(0.5), position=(1.2 * k, -9.0, 0.499)) for k in range(150)]
    for k in range(60):
        for level in range(4):
            world.add_body(od.Box((1, 1, 1)), position=(3.0 * k, 0.02 * level, 0.499 + 0.998 * level))
    world.advance(0.01, steps=5)
    for one, other in pairwise(balls):
        world.add_ball(one, other, anchor=0.5 * (one.position + other.position))
    world.advance(0.01, steps=3)
    return world


@pytest.mark.parametrize("solver", ["auto", "exact", "ode", "blocks", "soft"])
def test_scratch_that_grows_while_threads_solve_changes_no_bit(shared, solver, monkeypatch):
    """Islands that a share had solved before it ran out of room are solved again, from the same cached impulses."""
    grown, make_room = [], Branch.make_room

    def note(self, table, rows):
        grown.append((self.trunk[REPORTS]["moves"][0], table))
        make_room(self, table, rows)

    monkeypatch.setattr(Branch, "make_room", note)
    results = {
        state(towers_and_a_net(threads, solver, reserve)).tobytes()
        for threads, reserve in ((1, True), (1, False), (2, False), (3, False))
    }
    assert len(results) == 1
    assert shared.keys() == {2, 3}
    assert [table for moves, table in grown if moves >= 5], "no share ran out of room after the first step"


def test_small_islands_wake_no_thread(shared):
    world = od.World(gravity=(0, 0, -9.81))
    world.threads = 4
    world.add_plane(normal=(0, 0, 1))
    for k in range(10):
        world.add_body(od.Sphere(0.5), position=(2.0 * k, 0, 0.49))
    world.advance(0.01, steps=5)
    assert shared == {}


def test_statistics_are_those_of_all_islands():
    seen = []
    for threads in (1, 4):
        world = towers(threads, "exact")
        world.advance(0.01, steps=2)
        seen.append(world.statistics)
    assert seen[0] == seen[1]
    assert seen[0].iterations > 0


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "two"])
def test_number_of_threads_is_checked(count):
    world = od.World()
    before = world.threads
    with pytest.raises((TypeError, ValueError), match="number of threads"):
        world.threads = count
    assert world.threads == before
