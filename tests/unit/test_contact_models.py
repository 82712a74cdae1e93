"""Exact or ODE's contact points: `world.collider`, and `like` of `od.collide`."""

import copy

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api

LYING = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)


def capsule_on_a_box(world):
    world.add_geom(od.Box((2, 2, 1), position=(0, 0, -0.5)))
    return world.add_body(od.Capsule(0.1, 0.5), position=(0, 0, 0.099), quaternion=LYING, mass=1.0)


def test_a_capsule_that_lies_has_two_contacts_and_one_where_the_world_is_like_ode():
    for world, count in ((od.World(gravity=(0, 0, -10)), 2), (od.World(gravity=(0, 0, -10), like="ode"), 1)):
        capsule_on_a_box(world)
        world.advance(0.01)
        assert world.statistics.contacts == count
        assert len(od.collide(*world.geoms)) == count
        world.collider = "ode" if count == 2 else "exact"
        world.advance(0.01)
        assert world.statistics.contacts == 3 - count


def test_meshes_that_choose_their_contacts_leave_the_others_to_the_world():
    world = od.World(gravity=(0, 0, -10))
    capsule_on_a_box(world)
    mesh = world.add_geom(od.Trimesh([(5, 5, 0), (6, 5, 0), (5, 6, 0)], [(0, 1, 2)]))
    mesh.callback = lambda *_: True
    for collider, count in (("exact", 2), ("ode", 1), ("exact", 2)):
        world.collider = collider
        world.advance(0.001)
        assert world.statistics.contacts == count


def test_the_setting_is_saved_and_copied():
    world = od.World(gravity=(0, 0, -10))
    capsule_on_a_box(world)
    world.collider = "ode"
    for other in (od.World.load(world.save()), copy.deepcopy(world)):
        assert other.collider == "ode"
        other.advance(0.01)
        assert other.statistics.contacts == 1


def test_geoms_of_no_world_touch_exactly_unless_asked_otherwise():
    box, capsule = od.Box((1, 1, 1)), od.Capsule(0.1, 0.5, position=(0.2, 0.1, 0.599), quaternion=LYING)
    assert len(od.collide(box, capsule)) == 2
    assert len(od.collide(box, capsule, like="ode")) == 1
    assert len(od.collide(box, capsule, like="opendynamics")) == 2
    with pytest.raises(ValueError, match="the model of contacts must be one of 'opendynamics', 'ode', not 'bullet'"):
        od.collide(box, capsule, like="bullet")
    with pytest.raises(ValueError, match="the collider of the world must be one of 'ode', 'exact', not 'bullet'"):
        od.World().collider = "bullet"


def test_c_names_have_odes_contacts():
    box, capsule = c_api.dCreateBox(0, 1, 1, 1), c_api.dCreateCapsule(0, 0.1, 0.5)
    c_api.dGeomSetPosition(capsule, 0.2, 0.1, 0.599)
    c_api.dGeomSetQuaternion(capsule, LYING)
    assert len(c_api.dCollide(box, capsule, 8)) == 1


def test_two_boxes_deep_in_each_other_part_by_the_least_translation():
    """ODE prefers a face unless edges are less deep by 5 %."""
    rng, better = np.random.default_rng(5), 0
    for _ in range(300):
        a = od.Box((1.0, 0.7, 0.5), quaternion=rng.normal(size=4))
        b = od.Box((1.0, 0.7, 0.5), position=rng.uniform(-0.2, 0.2, 3), quaternion=rng.normal(size=4))
        exact = max(contact.depth for contact in od.collide(a, b))
        odes = max(contact.depth for contact in od.collide(a, b, like="ode"))
        lengths = 0.5 * np.array([1.0, 0.7, 0.5, 1.0, 0.7, 0.5])[:, None]
        halves = np.vstack([a.rotation.T, b.rotation.T]) * lengths
        normals = np.array([np.cross(u, v) for k, u in enumerate(halves) for v in halves[:k]])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        truth = (abs(normals @ halves.T).sum(axis=1) - abs(normals @ b.position)).min()
        assert exact == pytest.approx(truth, rel=1e-12)
        better += odes > exact * (1.0 + 1e-6)
    assert better > 3
