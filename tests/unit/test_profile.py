"""`world.profile()`: the same motion, bit for bit, and the time of its stages."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import profile as profiling
from opendynamics.api.profile import COUNTS, STAGES
from opendynamics.api.threads import Threads
from opendynamics.core import step as stages


def pile(**settings):
    world = od.World(gravity=(0, 0, -9.81))
    for name, value in settings.items():
        setattr(world, name, value)
    world.add_plane(normal=(0, 0, 1))
    for k in range(12):
        shape = od.Sphere(0.1) if k % 2 else od.Box((0.2, 0.2, 0.2))
        body = world.add_body(shape, position=(0.12 * (k % 3), 0.1 * (k % 2), 0.15 + 0.2 * k), density=1000)
        body.linear_velocity = (0.3, 0.0, -float(k))
    world.add_hinge(world.bodies[0], world.bodies[1], anchor=(0, 0, 0.2), axis=(0, 1, 0))
    return world


SETTINGS = {
    "default": {},
    "exact": {"solver": "exact"},
    "pgs": {"solver": "pgs"},
    "speculative and continuous": {"speculative_margin": 0.01, "substeps": 2},
    "verlet": {"integrator": "verlet"},
    "sequential": {"impacts": "sequential"},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_the_motion_is_the_same_bit_for_bit(settings):
    one, other = pile(**settings), pile(**settings)
    for world in (one, other):
        world.bodies[5].continuous = True
    one.advance(0.01, steps=60)
    with other.profile() as profile:
        other.advance(0.01, steps=60)
    assert np.array_equal(one.positions, other.positions)
    assert np.array_equal(one.linear_velocities, other.linear_velocities)
    assert profile.steps == 60 * one.substeps
    one.advance(0.01)
    other.advance(0.01)
    assert np.array_equal(one.positions, other.positions) and profile.steps == 60 * one.substeps


def test_loading_a_kernel_does_not_count(monkeypatch):
    world, load, clock = pile(), stages.move.load, [0.0]

    def load_slowly():
        clock[0] += 1000.0
        load()

    monkeypatch.setattr(profiling, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(stages.move, "load", load_slowly)
    monkeypatch.setattr(stages.move, "call", stages.move._load_and_call)
    with world.profile() as profile:
        world.advance(0.01)
    assert clock[0] >= 1000.0 and profile.seconds["moving"] == 0.0


def test_it_adds_up_stages_and_counts():
    world = pile()
    with world.profile() as profile:
        for _ in range(40):
            world.advance(0.01)
            assert profile.most["contacts"] >= world.statistics.contacts
    assert set(profile.seconds) == set(STAGES) and all(seconds > 0.0 for seconds in profile.seconds.values())
    assert set(profile.totals) == set(COUNTS)
    assert 0 < profile.totals["contacts"] <= 40 * profile.most["contacts"]
    assert profile.most["rows"] >= 3 * profile.most["contacts"] > 0
    text = str(profile)
    assert text.startswith("40 steps, ") and all(f"  {name} " in text for name in (*STAGES, *COUNTS))


def test_steps_of_odes_kind_are_profiled_too():
    worlds = [pile(), pile()]
    group = od.JointGroup()

    def step(world):
        def near(a, b):
            for contact in od.collide(a, b):
                world.add_contact(contact, group=group)

        world.space.collide(near)
        world.step(0.01)
        group.empty()

    with worlds[1].profile() as profile:
        for _ in range(20):
            for world in worlds:
                step(world)
    assert np.array_equal(worlds[0].positions, worlds[1].positions)
    assert profile.steps == 20 and profile.seconds["bounds"] == 0.0 < profile.seconds["solver"]


def test_what_raises_leaves_no_clock_behind():
    world = pile()
    with pytest.raises(ValueError, match="step size"), world.profile():
        world.advance(-1.0)
    assert world._profile is None


def test_without_geoms_there_is_nothing_to_collide():
    world = od.World(gravity=(0, 0, -9.81))
    body = world.add_body(od.Sphere(0.1), position=(0, 0, 1), density=1000)
    body.geoms[0].destroy()
    with world.profile() as profile:
        world.advance(0.01, steps=10)
    assert profile.totals["contacts"] == 0 and body.position[2] < 1.0


def test_what_threads_solve_is_counted(monkeypatch):
    """By a clock that only their solving turns."""
    world = od.World(gravity=(0, 0, -9.81), solver="exact")
    world.threads = 2
    world.add_plane(normal=(0, 0, 1))
    places = [(1.0 * x, 1.0 * y, 0.1) for x in range(15) for y in range(15)]
    world.add_bodies(od.Box((0.2, 0.2, 0.2)), places, density=1000)
    seconds = [0.0]
    solve = Threads.solve

    def turn(threads, *arguments):
        solve(threads, *arguments)
        seconds[0] += 10.0

    monkeypatch.setattr(Threads, "solve", turn)
    monkeypatch.setattr(profiling, "perf_counter", lambda: seconds[0])
    with world.profile() as profile:
        world.advance(0.01, steps=3)
    assert seconds[0] > 0.0 and profile.seconds["solver"] == seconds[0]
