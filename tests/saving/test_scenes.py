"""Every registered scene, with every solver: a restored world continues bit for bit."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes
from tests.saving.trials import VARIANTS, built, hashes, pile

CASES = [(name, variant) for name in scenes.SCENES.names for variant in VARIANTS]
FOLLOWED = 8  # steps that are compared

# The walker's closed loops strain under soft constraints.
STRAINED = pytest.mark.filterwarnings("ignore::opendynamics.ConflictWarning")


def disturb(world, rng):
    """Change what restoring has to undo: bodies, geoms, joints and spaces that come and go, and a step with them."""
    for kind in ("bodies", "geoms", "joints"):
        if members := getattr(world, kind):  # geoms end with their body
            rng.choice(members).destroy()
    od.HashSpace([od.Sphere(0.2)], space=world.space)
    world.add_body(od.Sphere(0.1), position=(90, 90, 90), mass=1.0)
    if world.bodies[0] is not world.bodies[-1]:
        world.add_ball(world.bodies[0], world.bodies[-1])
    world.advance(1e-3)


def try_times(name, variant, times, until):
    """Save at random times of one run, and continue from each of them again, in any order, by one thread or two.

    In between, things come and go.
    """
    rng = random.Random(f"{name} {variant}")
    scene = built(name, variant)
    moments = sorted(rng.sample(range(until), times))
    saved, run = [], []
    for step in range(until + FOLLOWED):
        if step in moments:
            saved.append((step, scene.world.save(), scene.world.state_hash()))
        run += hashes(scene, step, 1)
    rng.shuffle(saved)
    for step, snapshot, at_first in saved:
        if rng.random() < 0.5:
            disturb(scene.world, rng)
        scene.world.restore(snapshot)
        scene.world.threads = rng.choice((1, 2))
        assert scene.world.state_hash() == at_first
        assert hashes(scene, step, FOLLOWED) == run[step : step + FOLLOWED], f"saved before step {step}"


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_a_restored_scene_continues_bit_for_bit(name, variant):
    try_times(name, variant, times=2, until=24)


@STRAINED
@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant"), CASES)
def test_a_restored_scene_continues_bit_for_bit_at_many_times(name, variant):
    try_times(name, variant, times=20, until=min(scenes.build(name).steps, 300))


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_copies_move_like_the_original(name, variant):
    scene = built(name, variant)
    hashes(scene, 0, 10)
    world = scene.world
    copies = [copy.deepcopy(world), copy.copy(world), pickle.loads(pickle.dumps(world)), od.World.load(world.save())]
    expected = hashes(scene, 0, 4, world)
    assert len(set(expected)) > 1
    for other in copies:
        assert hashes(scene, 0, 4, other) == expected


IN_ANOTHER_PROCESS = """
import json, sys
import numpy as np
import opendynamics as od
for path, h, count in json.load(sys.stdin):
    world = od.World.load(path)
    found = [world.state_hash()]
    for _ in range(count):
        world.advance(h)
        found.append(world.state_hash())
    print(json.dumps(found), flush=True)
"""


def continue_elsewhere(jobs):
    """The hashes of worlds from files, `jobs` of (path, step size, steps), in another process."""
    done = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS], input=json.dumps(jobs), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def try_elsewhere(folder, times):
    jobs, expected = [], []
    for name, variant in CASES:
        rng, scene, step = random.Random(f"{name} {variant}"), built(name, variant), 0
        for number, moment in enumerate(sorted(rng.sample(range(min(10 * times, scene.steps)), times))):
            hashes(scene, step, moment - step)
            step = moment
            path = folder / f"{name} {variant} {number}.odsnap"
            snapshot = scene.world.save()
            snapshot.write(path)
            jobs.append([str(path), scene.h, 4])
            expected.append([scene.world.state_hash(), *hashes(scene, 0, 4, scene.world)])
            scene.world.restore(snapshot)
    for job, here, there in zip(jobs, expected, continue_elsewhere(jobs), strict=True):
        assert here == there, job[0]


def test_a_file_continues_bit_for_bit_in_another_process(tmp_path):
    try_elsewhere(tmp_path, times=1)


@STRAINED
@pytest.mark.slow
def test_files_of_many_times_continue_bit_for_bit_in_another_process(tmp_path):
    try_elsewhere(tmp_path, times=20)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("variant", VARIANTS)
def test_worlds_that_threads_share_are_saved_alike(threads, variant):
    """Columns of two boxes each, enough of them that threads share the islands."""
    world = od.World(gravity=(0, 0, -9.81), solver=VARIANTS[variant][0])
    world.quickstep_order = VARIANTS[variant][1] or "blocks"
    world.add_plane(normal=(0, 0, 1))
    for k in range(100):
        for level in range(2):
            world.add_body(od.Box((1, 1, 1)), position=(3.0 * k, 0.01 * k * level, 0.5 + 0.999 * level))
    scene = scenes.Scene(world, h=0.01)
    world.threads = threads
    world.advance(0.01, steps=5)
    assert world.statistics.rows >= 2000
    snapshot, copied = world.save(), copy.deepcopy(world)
    expected = hashes(scene, 5, 3)
    world.restore(snapshot)
    world.threads = copied.threads = 3 - threads
    assert hashes(scene, 5, 3) == expected == hashes(scene, 5, 3, copied)


def test_hashes_of_worlds_that_differ_in_anything_that_moves_them_differ():
    worlds = [pile()[0] for _ in range(6)]
    worlds[1].bodies[0].position = np.add(worlds[1].bodies[0].position, (0, 0, 1e-15))
    worlds[2].gravity = (0, 0, -9.82)
    worlds[3].surfaces["ice"] = od.Surface(mu=0.06)
    worlds[4].quickstep_iterations = 21
    worlds[5].joints[0].attach(worlds[5].bodies[0], worlds[5].bodies[2])
    assert len({world.state_hash() for world in worlds}) == len(worlds)
    assert pile()[0].state_hash() == worlds[0].state_hash()
