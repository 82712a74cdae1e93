"""Long runs end on Ctrl-C, let other threads run, and reject changes by these."""

from __future__ import annotations

import copy
import os
import signal
import threading
import time
from itertools import count

import pytest

import opendynamics as od
from opendynamics.api import running, stepping
from opendynamics.core.arrays.report import PAIR_KERNELS

H = 0.001


@pytest.fixture
def pile():
    world = od.World(gravity=(0, 0, -9.81), solver="pgs", name="pile")
    world.add_plane()
    for k in range(30):
        world.add_body(od.Box((0.2, 0.2, 0.2)), position=(k % 5 * 0.21, k // 5 % 3 * 0.21, 0.1 + 0.21 * (k // 15)))
    world.advance(H, 5)
    return world


def test_ctrl_c_ends_a_long_run_between_two_steps(pile):
    pile.advance(H, 5000)  # compiles all that it needs, which is not interrupted
    start = pile.save()
    asked = []

    def interrupt():
        time.sleep(0.3)
        asked.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        pile.advance(H, 10**7)
    late = time.perf_counter() - asked[0]
    thread.join()
    assert late < 5.0  # 0.1 s on a machine with nothing else to do
    reached = pile.state_hash()
    pile.restore(start)
    for _ in range(10**5):  # the run ended after a whole number of steps
        if pile.state_hash() == reached:
            break
        pile.advance(H)
    else:
        pytest.fail("the interrupted run is at no step of the uninterrupted one")


def test_other_threads_run_while_a_world_advances(pile):
    counted, stop = [0], []

    def count():
        while not stop:
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    pile.advance(H, 200)
    stop.append(True)
    thread.join()
    assert counted[0] > 1000


def test_changes_from_another_thread_are_refused_while_a_step_runs(pile):
    other = od.Sphere(0.1)
    attempts = {
        "add_body": lambda: pile.add_body(od.Sphere(0.1)),
        "destroy a body": pile.bodies[0].destroy,
        "destroy a geom": pile.bodies[0].geoms[0].destroy,
        "add_geom": lambda: pile.add_geom(other),
        "add_ball": lambda: pile.add_ball(pile.bodies[0]),
        "advance": lambda: pile.advance(H),
        "step": lambda: pile.step(H),
        "save": pile.save,
        "restore": lambda: pile.restore(start),
        "reset": pile.reset,
        "destroy": pile.destroy,
    }
    start = pile.save()
    refused = {}

    def attempt():
        time.sleep(0.1)
        for name, change in attempts.items():
            try:
                change()
            except RuntimeError as error:
                refused[name] = str(error)

        os.kill(os.getpid(), signal.SIGINT)

    members = pile.bodies, pile.geoms, pile.joints
    thread = threading.Thread(target=attempt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        pile.advance(H, 10**7)
    thread.join()
    assert set(refused) == set(attempts)
    assert all("step" in message for message in refused.values())
    assert (pile.bodies, pile.geoms, pile.joints) == members
    pile.add_body(od.Sphere(0.1))  # now it may
    pile.advance(H)


def test_the_number_of_threads_is_bounded_by_the_machine(pile):
    with pytest.raises(ValueError, match="number of threads of pile must be at most"):
        pile.threads = 10**6


def test_steps_that_may_become_expensive_are_looked_at_more_often():
    """What falls freely costs little until it lands: a look every so many steps must do for the steps then, too."""
    world = od.World(gravity=(0, 0, -9.81), solver="pgs")
    world.add_bodies(od.Sphere(0.1), positions=[(k % 20, k // 20, 10.0) for k in range(400)])
    world.advance(1e-5, 2000)
    assert 1 <= world._portion <= stepping.PORTION_SECONDS / (400 * stepping.BODY_SECONDS)
    assert stepping.next_portion(1, 1e-9, 1) == 8
    assert stepping.next_portion(1000, 1.0, 1) == 20


def test_slow_single_steps_shorten_the_portion_of_later_ones(pile, monkeypatch):
    pile.advance(H)
    pile._portion = 1000
    monkeypatch.setattr(stepping, "perf_counter", count().__next__)  # each step takes a second
    pile.advance(H)
    assert pile._portion == 1


def test_ctrl_c_while_a_kernel_is_loaded_is_not_put_off(pile, monkeypatch):
    """Loading may take seconds, and what was interrupted would begin once more."""
    asked, twin = [], copy.copy(pile)

    def interrupted(store):
        asked.append(store)
        raise KeyboardInterrupt

    before = pile.positions.copy()
    monkeypatch.setattr(running, "load_missing_pair", interrupted)
    pile._store[PAIR_KERNELS][:] = 0
    with pytest.raises(KeyboardInterrupt):
        pile.advance(H, 10)
    assert len(asked) == 1 and (pile.positions == before).all()
    monkeypatch.undo()
    pile.advance(H, 10)
    twin.advance(H, 10)
    assert pile.state_hash() == twin.state_hash()
