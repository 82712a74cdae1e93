"""The same scene gives the same bits: repeated, in another process, and together with other worlds."""

from __future__ import annotations

import gc
import hashlib
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import opendynamics as od
from tests.unit.scenes import classic_step, pile, state

KINDS = ("sphere", "box", "capsule")
STEPS = 80
ROOT = Path(__file__).parents[2]


def machine():
    """A chain with motors and stops that falls into the pile."""
    world = pile(kinds=KINDS, count=18)
    links = [world.add_body(od.Capsule(0.1, 0.4), position=(0.6 * k - 1, 0.2, 3.0)) for k in range(5)]
    for k, (a, b) in enumerate(pairwise(links)):
        anchor = 0.5 * (a.position + b.position)
        if k % 2:
            world.add_ball(a, b, anchor=anchor)
        else:
            world.add_hinge(a, b, anchor=anchor, axis=(0, 1, 0), stops=(-1, 1)).motor(2.0, 5.0)
    return world


def digest(world):
    return hashlib.sha256(state(world).tobytes()).hexdigest()


def run(way="advance", world=None):
    world = world or machine()
    group = od.JointGroup()
    for _ in range(STEPS):
        if way == "advance":
            world.advance(0.01)
        else:
            classic_step(world, 0.01, group, way)
    return digest(world)


@pytest.mark.parametrize("way", ["advance", "step", "quick_step"])
def test_a_rerun_in_one_process_gives_the_same_bits(way):
    first = run(way)
    assert run(way) == first


def test_a_rerun_in_another_process_gives_the_same_bits():
    code = "from tests.determinism.test_rerun import run; print(run(), run('quick_step'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [run(), run("quick_step")]


def test_worlds_do_not_disturb_each_other():
    alone = run()
    one, other = machine(), machine()
    for _ in range(STEPS):
        one.advance(0.01)
        od.World().add_body(od.Sphere(1))  # and more of them come and go
        other.advance(0.01)
    assert digest(one) == digest(other) == alone


def test_worlds_in_turn_are_worlds_one_after_the_other():
    a, b = pile(seed=1), pile(seed=2)
    for _ in range(STEPS):
        b.advance(0.01)
        a.advance(0.01)
    c, d = pile(seed=1), pile(seed=2)
    c.advance(0.01, steps=STEPS)
    d.advance(0.01, steps=STEPS)
    assert digest(a) == digest(c)
    assert digest(b) == digest(d)


def test_the_number_of_steps_in_a_call_does_not_matter():
    world = machine()
    for steps in (1, 7, 30, 0, STEPS - 38):
        world.advance(0.01, steps=steps)
    assert digest(world) == run()


def test_where_a_sleeping_joint_last_had_its_rows_does_not_matter():
    def hash_after(*calls):
        world = od.World(gravity=(0, 0, -9.81), solver="exact")
        world.auto_disable, world.substeps = True, 2
        for x in (0, 1):
            body = world.add_body(od.Sphere(0.1), position=(x, 0, 0))
            world.add_slider(body, None, axis=(1, 0, 0))
            world.add_ball(body, None, anchor=(x, 0, 0))
        for steps in calls:
            world.advance(0.01, steps)
        assert not any(body.enabled for body in world.bodies)
        return world.state_hash()

    assert hash_after(20) == hash_after(*[1] * 20) == hash_after(5, 15)


def test_garbage_does_not_matter():
    # Rows of geoms that were thrown away are used again by others; the order of geoms is not that of their rows.
    alone = run()
    junk = [od.Sphere(0.1) for _ in range(100)]
    del junk[::3]
    gc.collect()
    assert run() == alone


def test_bodies_that_came_and_went_do_not_matter():
    world = pile(seed=6)
    expected = run(world=pile(seed=6))
    for k in range(7):
        body = world.add_body(od.Sphere(0.2), position=(50 + k, 0, 0))
        (geom,) = body.geoms
        geom.destroy()
        body.destroy()
    assert run(world=world) == expected
