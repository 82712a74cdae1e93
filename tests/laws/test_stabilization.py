"""Position correction of contacts removes penetration, without adding velocity."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.peers.solids import creep, pyramid, tower
from benchmarks.validation import stabilization


@pytest.mark.parametrize("solver", ["exact", "pgs"])
@pytest.mark.parametrize("overlap", [0.0, 0.001])
def test_a_tower_that_overlaps_does_not_fly_apart(solver, overlap):
    highest, fastest = stabilization.rise(solver, overlap)
    assert highest <= max(49.5 * overlap, 49.5 * 9.81 * stabilization.H**2)
    assert fastest < (0.5 if solver == "exact" else 2.5)


@pytest.mark.parametrize(("like", "contacts"), [("opendynamics", 200), ("ode", 79)])
def test_rounding_takes_no_contact_from_boxes_that_touch(like, contacts):
    world = od.World(like=like)
    world.add_plane()
    for k in range(50):
        world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * k))
    world.advance(0.01)
    assert world.statistics.contacts == contacts


def test_with_the_correction_in_the_velocity_it_does():
    highest, fastest = stabilization.rise("exact", 0.0, "ode")
    assert highest > 1.0
    assert fastest > 5.0


@pytest.mark.parametrize("solver", ["exact", "pgs"])
@pytest.mark.parametrize("erp", [0.2, 1.0])
def test_erp_is_the_part_of_the_overlap_that_a_step_corrects(solver, erp):
    world = od.World(erp=erp, solver=solver)
    for x in (0.0, 0.9):
        world.add_body(od.Sphere(0.5), position=(x, 0, 0))
    overlap = 0.1
    for _ in range(3):
        world.advance(0.01)
        overlap *= 1.0 - erp
        assert 1.0 - np.diff(world.positions[:, 0])[0] == pytest.approx(overlap, rel=1e-5, abs=1e-6)
        assert np.abs(world.linear_velocities).max() < 1e-12


def test_corrections_turn_bodies_too():
    # A box that overlaps the ground with one edge: the correction turns it, and leaves no spin.
    world = od.World()
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), quaternion=(np.cos(0.01), 0, np.sin(0.01), 0))
    depths = []
    for _ in range(40):
        world.advance(0.01)
        depths.append(world.statistics.deepest)
    assert depths[0] > 0.009
    assert depths[-1] < 1e-4
    assert np.abs(box.angular_velocity).max() < 1e-12
    assert abs(box.quaternion[2]) < 0.01


def test_soft_contacts_are_springs_in_both():
    def settle(stabilization):
        surface = od.Surface(soft_erp=0.1, soft_cfm=1e-4)
        world = od.World(gravity=(0, 0, -10), surface=surface)
        world.stabilization = stabilization
        world.add_plane()
        ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.4))
        heights = []
        for _ in range(30):
            world.advance(0.01)
            heights.append(ball.position[2])
        return heights

    assert settle("split") == settle("baumgarte")


def test_what_rests_is_solved_once():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    for level in range(5):
        world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5 + 0.97 * level))
    world.advance(0.01)
    twice = world.statistics.iterations
    world.advance(0.01, steps=200)
    assert world.statistics.iterations < twice


@pytest.mark.parametrize("setting", ["stabilization", "restitution"])
def test_ways_that_there_are_not(setting):
    world = od.World()
    before = getattr(world, setting)
    with pytest.raises(ValueError, match=f"the {setting} of the world must be one of .*, not 'none'"):
        setattr(world, setting, "none")
    assert getattr(world, setting) == before


@pytest.mark.parametrize("scene", [tower(6), pyramid(8)], ids=["tower", "pyramid in lanes"])
def test_a_limit_of_the_correcting_velocity_is_none_of_the_load(scene):
    """Springs of the soft step whose correction was limited yielded under what they carried."""
    assert creep(scene, 1.0, solver="soft", contact_max_correcting_velocity=0.01) < 1e-4
