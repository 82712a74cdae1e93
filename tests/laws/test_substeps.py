"""world.substeps: a step of `advance` divided into smaller ones, under the same forces."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od


def falling(substeps):
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.4, bounce=0.3))
    world.substeps = substeps
    world.add_plane()
    for k in range(3):
        body = world.add_body(od.Box((0.3, 0.2, 0.1)), density=1000, position=(0.1 * k, 0, 0.3 + 0.3 * k))
        body.angular_velocity = (1.0, 2.0, 3.0)
        body.linear_damping = 0.01
    return world


def test_substeps_are_steps():
    one, other = falling(1), falling(4)
    one.advance(0.0025, steps=400)
    other.advance(0.01, steps=60)
    for _ in range(40):
        other.advance(0.01)
    assert (one.positions == other.positions).all()
    assert (one.quaternions == other.quaternions).all()


def test_watched_worlds_move_alike():
    one, other = falling(3), falling(3)
    calls = []
    other.bodies[0].moved_callback = calls.append
    one.advance(0.01, steps=50)
    other.advance(0.01, steps=50)
    assert (one.positions == other.positions).all()
    assert len(calls) == 50
    assert one.time == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize("watched", [False, True])
def test_forces_act_in_all_substeps_and_in_no_further_step(watched):
    world = od.World()
    world.substeps = 8
    body = world.add_body(mass=2.0)
    if watched:
        body.moved_callback = lambda _: None
    body.add_force((4.0, 0, 0))
    world.advance(0.1, steps=3)
    assert body.linear_velocity[0] == pytest.approx(4.0 / 2.0 * 0.1, rel=1e-12)


def test_worlds_of_a_batch_have_their_own():
    worlds, alone = [falling(1), falling(4)], falling(4)
    od.Batch(worlds).advance(0.01, steps=30)
    alone.advance(0.01, steps=30)
    assert (worlds[1].positions == alone.positions).all()


def test_saving_keeps_them():
    world = falling(4)
    world.advance(0.01, steps=20)
    other = od.World.load(world.save())
    for each in (world, other):
        each.advance(0.01, steps=20)
    assert other.substeps == 4
    assert (world.positions == other.positions).all()


def test_timing_moves_alike():
    one, other = falling(2), falling(2)
    one.advance(0.01, steps=10)
    other.time_stages(0.01, steps=10)
    assert (one.positions == other.positions).all()


def test_no_substeps():
    with pytest.raises(ValueError, match="the number of sub-steps of lab must be"):
        od.World(name="lab").substeps = 0


def parting(links, tip, seconds=2.0, **settings):
    """The largest separation of a chain's joints while it swings, released level, at steps of 10 ms; and the energy it gains,
    J.
    """
    world = od.World(gravity=(0, 0, -9.81))
    for name, value in settings.items():
        setattr(world, name, value)
    last = None
    for k in range(links):
        mass = od.Mass.box((0.1, 0.02, 0.02), mass=1.0) if k < links - 1 else od.Mass.sphere(0.1, mass=tip)
        body = world.add_body(mass=mass, position=(0.1 * (k + 0.5), 0, 0))
        world.add_ball(body, last, anchor=(0.1 * k, 0, 0))
        last = body
    start, gap, gain = world.kinetic_energy + world.potential_energy, 0.0, 0.0
    for _ in range(round(seconds / 0.01)):
        world.advance(0.01)
        gap = max(gap, *(np.linalg.norm(joint.anchor - joint.anchor2) for joint in world.joints))
        gain = max(gain, world.kinetic_energy + world.potential_energy - start)
    return gap, gain


def test_a_taut_chain_holds():
    assert parting(20, 100.0)[0] > 0.1  # in one step the tension is too stiff
    gap, gain = parting(20, 100.0, substeps=4, integrator="verlet")
    assert gap < 0.005
    assert gain < 1e-4 * 100.0 * 9.81 * 2.0
