"""Long runs end on Ctrl-C, let other threads run, and refuse changes that those try."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import opendynamics as od

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
