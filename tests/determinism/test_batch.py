"""Many worlds in one call: each moves as it does by itself, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.bodies import MOTIONS

H = 0.01


def figure(seed, solver="pgs"):
    """A chain of capsules that falls on the ground, different for each seed."""
    world = od.World(gravity=(0, 0, -9.81), solver=solver, name=f"world {seed}")
    world.add_plane()
    random = np.random.default_rng(seed)
    above = None
    for k in range(3 + seed % 4):
        at = (random.uniform(-0.02, 0.02), 0.0, 0.3 + 0.25 * k)
        body = world.add_body(od.Capsule(0.05, 0.15), position=at)
        if above is not None:
            world.add_ball(above, body, anchor=(0, 0, at[2] - 0.125))
        above = body
    return world


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_worlds_of_a_batch_move_as_by_themselves(threads):
    solvers = ("pgs", "auto", "soft", "auto", "exact")
    worlds = [figure(seed, solvers[seed % 5]) for seed in range(17)]
    alone = [figure(seed, solvers[seed % 5]) for seed in range(17)]
    batch = od.Batch(worlds, threads=threads)
    assert len(batch) == 17
    for steps in (1, 30, 7):
        batch.advance(H, steps)
        for world in alone:
            world.advance(H, steps)
        assert [world.state_hash() for world in worlds] == [world.state_hash() for world in alone]
    assert worlds[3].contacts[0].depth == alone[3].contacts[0].depth
    assert worlds[3].statistics.contacts == alone[3].statistics.contacts


def test_a_batch_notices_what_changes_between_its_calls():
    worlds, alone = ([figure(seed) for seed in range(4)] for _ in range(2))
    batch = od.Batch(worlds)
    for group in (worlds, alone):
        step = batch.advance if group is worlds else lambda h, n=1, group=group: [w.advance(h, n) for w in group]
        step(H, 5)
        group[0].bodies[-1].destroy()
        group[1].add_body(od.Sphere(0.1), position=(0, 0, 3))
        group[2].speculative_margin = "auto"
        group[3].step(H)  # by the exact solver; the batch goes back to the world's own
        step(H, 5)
        group[0].quickstep_order = "ode"
        group[1].bodies[0].continuous = True
        group[2].solver = "exact"
        snapshot = group[3].save()
        step(H, 5)
        group[3].restore(snapshot)
        step(H, 5)
    assert [world.state_hash() for world in worlds] == [world.state_hash() for world in alone]


def _make_contact_joints(world):
    *_, ground = world.space.geoms()
    for body in world.bodies:
        for contact in od.collide(body.geoms[0], ground):
            world.add_contact(contact, od.Surface(mu=0.3))


@pytest.mark.parametrize("threads", [1, 3])
def test_contact_forces_of_a_batch_are_those_of_its_worlds_by_themselves(threads):
    solvers = ("pgs", "auto", "soft", "exact")
    worlds, alone = ([figure(seed, solvers[seed % 4]) for seed in range(9)] for _ in range(2))
    batch, seen = od.Batch(worlds, threads=threads), 0
    for number in range(60):
        batch.advance(H)
        for world in alone:
            world.advance(H)
        if number == 40:  # rows before those of the step come, and go in the next step
            for world in (worlds[2], alone[2]):
                _make_contact_joints(world)
        if number == 41:
            for world in (worlds[2], alone[2]):
                for joint in list(world.joints):
                    if isinstance(joint, od.ContactJoint):
                        joint.destroy()
        for world, other in zip(worlds, alone, strict=True):
            np.testing.assert_array_equal(world.contacts.forces, other.contacts.forces)
            seen += len(world.contacts)
    assert seen > 400


CHANGES = {
    "a body destroyed": lambda world: world.bodies[-1].destroy(),
    "a body added": lambda world: world.add_body(od.Sphere(0.1), position=(0, 0, 3)),
    "a body put elsewhere": lambda world: setattr(world.bodies[0], "position", (0.1, 0.2, 0.3)),
    "a geom put elsewhere": lambda world: setattr(world.bodies[0].geoms[0], "offset_position", (0.0, 0.0, 0.01)),
    "another solver": lambda world: setattr(world, "solver", "exact"),
    "another order": lambda world: setattr(world, "quickstep_order", "ode"),
    "speculative contacts": lambda world: setattr(world, "speculative_margin", "auto"),
    "a continuous body": lambda world: setattr(world.bodies[0], "continuous", True),
    "ODE's contact points": lambda world: setattr(world, "collider", "ode"),
    "another integrator": lambda world: setattr(world, "integrator", "verlet"),
    "another broadphase": lambda world: setattr(world.space, "broadphase", "hash"),
    "two sub-steps": lambda world: setattr(world, "substeps", 2),
    "sequential impacts": lambda world: setattr(world, "impacts", "sequential"),
    "contact joints": _make_contact_joints,
}


@pytest.mark.filterwarnings("ignore::opendynamics.MissingContactsWarning")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_batch_notices_each_change_by_itself(change):
    world, alone = figure(2), figure(2)
    batch = od.Batch([world, figure(3)], threads=1)
    for advance, each in ((batch.advance, world), (alone.advance, alone)):
        advance(H, 20)
        advance(H, 20)
        change(each)
        advance(H, 20)
        advance(H, 20)
    assert world.state_hash() == alone.state_hash()


def test_a_batch_notices_who_begins_to_follow_a_world(tmp_path):
    world = figure(2)
    batch = od.Batch([world, figure(3)])
    batch.advance(H)
    with od.Recorder(world, tmp_path / "followed.odrec") as recorder:
        batch.advance(H, 2)
        assert recorder.frames == 3
    batch.advance(H)
    assert not world.contact_events.begin
    batch.advance(H, 100)
    assert world.contact_events.begin
    with world.profile() as profile:
        batch.advance(H, 2)
    assert profile.steps == 2


def test_a_batch_notices_a_collider_of_the_users():
    def none(geom_a, geom_b, max_contacts):
        return []

    world = figure(2)
    batch = od.Batch([world])
    batch.advance(H)
    od.set_collider(od.Capsule, od.Plane, none)
    try:
        batch.advance(H, 150)
    finally:
        od.set_collider(od.Capsule, od.Plane, None)
    assert world.bodies[0].position[2] < -1.0


def test_contact_points_from_before_a_call_count_no_longer():
    world = figure(2)
    (*_, ground), geom = world.space.geoms(), world.bodies[0].geoms[0]
    batch = od.Batch([world])
    batch.advance(H, 60)
    batch.advance(H)
    before = [contact.depth for contact in od.collide(geom, ground)]
    world.bodies[0].linear_velocity = (0, 0, -0.5)
    batch.advance(H)
    assert [contact.depth for contact in od.collide(geom, ground)] != before


@pytest.mark.filterwarnings("ignore::opendynamics.MissingContactsWarning")
def test_a_step_by_another_solver_between_two_calls_changes_no_setting():
    world, alone = figure(3), figure(3)
    batch = od.Batch([world])
    for advance, each in ((batch.advance, world), (alone.advance, alone)):
        advance(H, 40)
        each.step(H)  # exact, without contacts, and nothing else changes
        advance(H, 40)
    assert world.state_hash() == alone.state_hash()


def test_worlds_that_ask_python_are_advanced_too():
    worlds = [figure(seed) for seed in range(3)]
    alone = [figure(seed) for seed in range(3)]
    seen = []
    worlds[1].bodies[0].moved_callback = seen.append
    od.Batch(worlds).advance(H, 3)
    for world in alone:
        world.advance(H, 3)
    assert seen == [worlds[1].bodies[0]] * 3
    assert [world.state_hash() for world in worlds] == [world.state_hash() for world in alone]


def test_a_fault_stays_in_its_world():
    worlds = [figure(seed) for seed in range(3)]
    worlds[1]._store[MOTIONS]["linear_velocity"][1] = np.nan  # nothing that is public lets NaN in
    with pytest.warns(od.FaultWarning, match="capsule|body"):
        od.Batch(worlds).advance(H, 5)
    assert worlds[1].faults
    assert not worlds[0].faults and not worlds[2].faults
    assert np.isfinite(worlds[0].positions).all() and np.isfinite(worlds[2].positions).all()


def test_bad_batches_are_refused():
    world = figure(0)
    with pytest.raises(ValueError, match="twice"):
        od.Batch([world, world])
    with pytest.raises(TypeError, match="worlds"):
        od.Batch([world, 3])
    with pytest.raises(ValueError, match="threads of a batch"):
        od.Batch([world], threads=0)
    with pytest.raises(ValueError, match="at most"):
        od.Batch([world], threads=10**6)
    with pytest.raises(ValueError, match="step"):
        od.Batch([world]).advance(0.0)
    other = figure(1)
    other.destroy()
    before = world.state_hash()
    with pytest.raises(od.DestroyedError):
        od.Batch([world, other]).advance(H)
    assert world.state_hash() == before
    world.advance(H)  # the batch that failed has released it


def test_an_empty_batch_does_nothing():
    od.Batch([]).advance(H, 3)


def test_a_new_world_is_small():
    """At most 16 kB, so that thousands fit; everything but the state is shared."""
    import tracemalloc

    od.World()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        worlds = [od.World() for _ in range(100)]
        assert (tracemalloc.get_traced_memory()[0] - before) / len(worlds) < 16e3
    finally:
        tracemalloc.stop()
