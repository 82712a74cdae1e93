"""The report of the last step is that of the saved moment: feedback, contact points, statistics."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api as c
from opendynamics.api.saving.snapshot import Snapshot
from tests.saving.trials import pile


def reported(world):
    contacts = [(c.position.tolist(), c.normal.tolist(), c.depth) for c in world.contacts]
    feedback = [
        np.concatenate([f.force1, f.torque1, f.force2, f.torque2]).tolist() for f in (j.feedback for j in world.joints)
    ]
    return contacts, feedback, world.statistics


@pytest.mark.parametrize("solver", ["exact", "pgs"])
def test_reports_are_those_of_the_moment(solver, tmp_path):
    world, bodies = pile(solver=solver)
    world.advance(0.01, steps=40)
    snapshot, before = world.save(), reported(world)
    assert before[0]
    assert any(any(numbers) for numbers in before[1])
    world.advance(0.01, steps=20)
    bodies[7].destroy()
    world.add_ball(bodies[4], None)
    world.advance(0.01, steps=3)
    assert reported(world) != before
    world.restore(snapshot)
    assert reported(world) == before
    snapshot.write(tmp_path / "w")
    for other in (copy.deepcopy(world), od.World.load(snapshot), od.World.load(tmp_path / "w")):
        assert reported(other) == before
        with od.Recorder(other, tmp_path / "r.odr", contacts=True, joint_forces=True, overwrite=True):
            other.advance(0.01)


def test_a_world_that_never_stepped_has_no_feedback():
    world, _ = pile()
    other = od.World.load(Snapshot.from_bytes(world.save().to_bytes()))
    assert reported(other) == reported(world)
    assert not other.contacts


def test_feedback_structures_of_the_c_names_go_with_their_world():
    world = c.dWorldCreate()
    c.dWorldSetGravity(world, 0, 0, -10)
    body = c.dBodyCreate(world)
    joint = c.dJointCreateBall(world, None)
    c.dJointAttach(joint, body, None)
    page = c.dJointFeedback()
    c.dJointSetFeedback(joint, page)
    snapshot = world.save()
    c.dJointSetFeedback(joint, None)
    world.restore(snapshot)
    assert c.dJointGetFeedback(joint) is page
    c.dWorldStep(world, 0.01)
    assert page.f1[2] == pytest.approx(10.0)
    other = copy.deepcopy(world)
    twin = c.dJointGetFeedback(other.joints[0])
    assert twin is not page
    c.dWorldSetGravity(other, 0, 0, -20)
    c.dWorldStep(other, 0.01)
    assert twin.f1[2] == pytest.approx(20.0)
    assert page.f1[2] == pytest.approx(10.0)
    third = od.World.load(Snapshot.from_bytes(other.save().to_bytes()))
    assert c.dJointGetFeedback(third.joints[0]).f1[2] == pytest.approx(20.0)


def test_what_the_c_names_keep_of_an_object_is_copied_with_it():
    world = c.dWorldCreate()
    c.dWorldSetStepIslandsProcessingMaxThreadCount(world, 3)
    space = c.dSimpleSpaceCreate(world.space)
    c.dSpaceSetManualCleanup(space, 1)
    snapshot = world.save()
    c.dSpaceSetManualCleanup(space, 0)
    c.dWorldSetStepIslandsProcessingMaxThreadCount(world, 4)
    world.restore(snapshot)
    for each in (world, copy.deepcopy(world), od.World.load(Snapshot.from_bytes(snapshot.to_bytes()))):
        assert c.dWorldGetStepIslandsProcessingMaxThreadCount(each) == 3
        assert c.dSpaceGetManualCleanup(each.space[0]) == 1


def test_times_of_stages_are_those_of_another_state_after_restore():
    world = od.World()
    world.add_body(od.Sphere(0.1))
    snapshot = world.save()
    world.time_stages(0.01, 1)
    assert world.statistics.seconds
    world.restore(snapshot)
    assert world.statistics.seconds == {}


def events(world):
    """Contact events of the last `advance`, by the names of the geoms."""
    return [(kind, pair.geom1.name, pair.geom2.name, round(pair.time, 3)) for kind, pair in world.contact_events]


def copies(world):
    """The world again, by every way of copying and loading it."""
    snapshot = world.save()
    read = Snapshot.from_bytes(snapshot.to_bytes())
    return copy.deepcopy(world), pickle.loads(pickle.dumps(world)), od.World.load(snapshot), od.World.load(read)


def test_copies_continue_the_contact_events():
    """What has touched persists in them, and they report later contacts without being asked before."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    for name, x, z in (("low", 0, 0.099), ("high", 1, 0.5)):
        world.add_body(od.Sphere(0.1, name=name), mass=1, position=(x, 0, z))
    world.contact_events  # noqa: B018
    world.advance(0.01, steps=7)
    others = copies(world)
    for each in (*others, copy.deepcopy(others[0]), world):
        each.advance(0.01, steps=50)
        assert events(each) == [("begin", "high", "floor", 0.3), ("persist", "low", "floor", 0.57)]


def test_sleeping_pairs_continue_to_touch():
    """They have no contacts, and are saved; but without the geoms that have been destroyed since."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    for name, x in (("one", 0), ("two", 1)):
        body = world.add_body(od.Box((0.2, 0.2, 0.2), name=name), mass=1, position=(x, 0, 0.1))
        body.auto_disable = True
    world.contact_events  # noqa: B018
    world.advance(0.01, steps=100)
    assert not any(body.enabled for body in world.bodies)
    snapshot, others = world.save(), copies(world)
    world.bodies[1].destroy()
    fewer = copies(world)
    world.restore(snapshot)
    for each in (*others, *fewer, world):
        each.bodies[0].enabled = True
        each.advance(0.01)
        sleeping = [] if each in fewer else [("persist", "two", "floor", 1.01)]
        assert sorted(events(each)) == sorted([("persist", "one", "floor", 1.01), *sleeping])


def test_restoring_a_state_before_the_first_events_continues_to_report():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    world.add_body(od.Sphere(0.1, name="ball"), mass=1, position=(0, 0, 0.1))
    snapshot = world.save()
    world.contact_events  # noqa: B018
    world.restore(snapshot)
    for each in (copy.deepcopy(world), world):
        each.advance(0.01)
        assert events(each) == [("begin", "ball", "floor", 0.01)]
    assert od.World.load(snapshot)._tracker is None
