"""Setting a surface in one world of an `od.Batch` prepared all worlds of all batches again."""

import gc

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import batch as batches

H = 0.005
SURFACES = [
    od.Surface(mu=0.0),
    od.Surface(mu=1.0, bounce=0.5),
    od.Surface(mu=0.3, slip1=0.01, motion1=0.5),  # with details, for which there is no room yet
    od.Surface(mu=0.3, stiffness=1e4, damping=100.0),
]


@pytest.fixture
def prepared(monkeypatch):
    """The number of worlds of which it was asked anew how they step."""
    asked = []
    ask = batches.stops_between_stages
    monkeypatch.setattr(batches, "stops_between_stages", lambda own: asked.append(own) or ask(own))
    gc.collect()  # worlds of other tests whose parts change as they are freed
    gc.disable()
    yield asked
    gc.enable()


def pile(k):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0.2, 0, 1), material="floor")
    for number in range(4):
        shape = od.Box((0.2, 0.2, 0.2), material="rubber") if number % 2 else od.Sphere(0.1, material="ice")
        world.add_body(shape, position=(0.02 * k, 0.3 * number, 0.2), mass=1)
    return world


def states(worlds):
    return np.array([np.column_stack([w.positions, w.linear_velocities, w.angular_velocities]) for w in worlds])


def test_surfaces_are_set_between_the_steps_of_a_batch(prepared):
    together, alone = [pile(k) for k in range(3)], [pile(k) for k in range(3)]
    batch = od.Batch(together, threads=2)
    for world in alone:  # first steps change attributes
        world.advance(H, steps=20)
    batch.advance(H, steps=20)
    assert len(prepared) == 3
    before = states(together)
    for surface in SURFACES:
        for worlds in (together, alone):
            worlds[1].surfaces["ice"] = surface
            worlds[1].surfaces["rubber", "new"] = surface  # of a material that was not known
            worlds[2].surfaces.default = surface
        batch.advance(H, steps=20)
        for world in alone:
            world.advance(H, steps=20)
        assert np.array_equal(states(together), states(alone))
    assert len(prepared) == 3
    assert (states(together)[:, :, :3] != before[:, :, :3]).any()


def test_a_changed_surface_moves_bodies_of_a_batch_that_slept():
    world = pile(0)
    for body in world.bodies:
        body.auto_disable = True
    batch = od.Batch([world])
    world.surfaces.default = od.Surface(mu=5.0, rolling=1.0)
    batch.advance(H, steps=1000)
    asleep = [body for body in world.bodies if not body.enabled]
    assert asleep
    before = world.positions.copy()
    world.surfaces.default = od.Surface(mu=0.0)
    batch.advance(H, steps=100)
    assert all(body.enabled for body in asleep) and abs(world.positions - before).max() > 0.01


def test_a_snapshot_after_a_step_of_a_batch_has_the_surfaces():
    world = pile(0)
    batch = od.Batch([world])
    batch.advance(H)
    world.save()
    world.surfaces["ice"] = SURFACES[1]
    world.surfaces.default = SURFACES[0]
    later = world.save()
    world.surfaces["ice"] = world.surfaces.default = SURFACES[2]
    world.restore(later)
    assert world.surfaces["ice"] == SURFACES[1] and world.surfaces.default == SURFACES[0]
