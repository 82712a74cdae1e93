"""Worlds: ODE 0.16's defaults, members, whole-world arrays, energy, destruction."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import opendynamics as od


def test_defaults_are_odes():
    world = od.World()
    assert world.gravity.tolist() == [0, 0, 0]
    assert (world.erp, world.cfm) == (0.2, 1e-10)
    assert world.contact_max_correcting_velocity == math.inf
    assert world.contact_surface_layer == 0
    assert (world.linear_damping, world.angular_damping) == (0, 0)
    assert (world.linear_damping_threshold, world.angular_damping_threshold) == (0.01, 0.01)
    assert world.max_angular_speed == math.inf
    assert not world.auto_disable
    assert (world.auto_disable_linear_threshold, world.auto_disable_angular_threshold) == (0.01, 0.01)
    assert (world.auto_disable_steps, world.auto_disable_time, world.auto_disable_samples) == (10, 0, 1)
    assert (world.quickstep_iterations, world.quickstep_relaxation) == (20, 1.3)
    assert world.max_contacts == 8
    assert not world.collide_connected
    assert world.surfaces.default == od.Surface()
    assert world.bodies == world.joints == world.geoms == world.faults == ()
    assert world.contacts == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gravity", [1, 2, 3]),
        ("erp", 0.8),
        ("cfm", 0.0),
        ("contact_max_correcting_velocity", 0.1),
        ("contact_surface_layer", 0.001),
        ("linear_damping", 0.1),
        ("angular_damping", 0.1),
        ("linear_damping_threshold", 0.1),
        ("angular_damping_threshold", 0.1),
        ("max_angular_speed", 3.0),
        ("auto_disable", True),
        ("auto_disable_linear_threshold", 0.1),
        ("auto_disable_angular_threshold", 0.1),
        ("auto_disable_steps", 3),
        ("auto_disable_time", 0.1),
        ("auto_disable_samples", 3),
        ("max_contacts", 3),
        ("collide_connected", True),
        ("quickstep_iterations", 3),
        ("quickstep_relaxation", 1.0),
        ("random_seed", 2**32 - 1),
        ("data", "anything"),
    ],
)
def test_what_is_set_is_what_is_read(name, value):
    world, other = od.World(), od.World()
    before = getattr(other, name)
    setattr(world, name, value)
    assert np.array_equal(getattr(world, name), value)
    assert np.array_equal(getattr(other, name), before)


def test_members_are_listed_oldest_first():
    world = od.World()
    bodies = [world.add_body() for _ in range(3)]
    joints = [world.add_ball(bodies[0]), world.add_contact(od.Contact(), body1=bodies[1]), world.add_hinge()]
    geoms = [world.add_plane(), world.add_geom(od.Sphere(1))]
    assert world.bodies == tuple(bodies)
    assert world.joints == tuple(joints)
    assert world.geoms == tuple(geoms)
    bodies[1].destroy()
    joints[0].destroy()
    geoms[0].destroy()
    new = world.add_body()  # in the row of the one that is gone, but at the end of the list
    assert world.bodies == (bodies[0], bodies[2], new)
    assert world.joints == tuple(joints[1:])
    assert world.geoms == (geoms[1],)
    assert repr(world) == "<World 'world': 3 bodies, 2 joints, 1 geom, time 0 s>"


@pytest.mark.parametrize(
    ("many", "one", "width"),
    [
        ("positions", "position", 3),
        ("quaternions", "quaternion", 4),
        ("linear_velocities", "linear_velocity", 3),
        ("angular_velocities", "angular_velocity", 3),
    ],
)
def test_whole_world_arrays(many, one, width):
    world = od.World()
    assert getattr(world, many).shape == (0, width)
    setattr(world, many, np.zeros((0, width)))
    bodies = [world.add_body() for _ in range(40)]
    for body in bodies[::3]:
        body.destroy()
    random = np.random.default_rng(1)
    values = random.uniform(-1, 1, (len(world.bodies), width))
    if width == 4:
        values /= np.linalg.norm(values, axis=1)[:, None]
    setattr(world, many, values)
    assert getattr(world, many) == pytest.approx(values, abs=1e-15)
    assert np.array([getattr(body, one) for body in world.bodies]) == pytest.approx(values, abs=1e-15)
    with pytest.raises(ValueError, match="read-only"):
        getattr(world, many)[...] = 9
    setattr(world, many, values.tolist())  # anything array-like
    if width == 4:
        assert world.bodies[3].rotation == pytest.approx(od.rotation.matrix_from_quaternion(values[3]), abs=1e-14)


def test_energy():
    world = od.World(gravity=(0, 0, -10))
    world.add_body(mass=2, position=(0, 0, 3), linear_velocity=(1, 0, 0))
    floating = world.add_body(mass=5, position=(0, 0, 7), angular_velocity=(0, 0, 2))
    floating.gravity_mode = False
    assert world.kinetic_energy == pytest.approx(1 + 10)
    assert world.potential_energy == pytest.approx(60)


def test_destroy_ends_everything_in_it():
    world = od.World()
    body, geom = world.add_body(od.Sphere(1)), world.add_plane()
    joint, space = world.add_ball(body), od.HashSpace(space=world.space)
    inner = od.Sphere(1, space=space)
    world.destroy()
    for thing in (world, body, geom, joint, space, inner):
        assert not thing.alive


def test_many_worlds_at_once():
    worlds = [od.World(gravity=(0, 0, -k)) for k in range(5)]
    for world in worlds:
        world.add_body(position=(0, 0, 0))
    for world in worlds:
        world.step(0.5)
    assert [world.bodies[0].linear_velocity[2] for world in worlds] == [0, -0.5, -1, -1.5, -2]


def test_broadphase_and_solver_are_chosen_by_name():
    for broadphase in (None, "hash", "quad_tree", "simple", "sweep_and_prune", "tree"):
        for solver in ("auto", "exact", "pgs", "soft"):
            world = od.World(gravity=(0, 0, -10), broadphase=broadphase, solver=solver)
            world.add_plane()
            ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.5))
            world.advance(0.01, steps=20)
            assert ball.position[2] == pytest.approx(0.5, abs=1e-4)
    with pytest.raises(ValueError, match="there are: hash, quad_tree, simple, sweep_and_prune, tree"):
        od.World(broadphase="octree")
    with pytest.raises(
        ValueError, match="the solver of world must be one of 'auto', 'exact', 'pgs', 'soft', not 'dense'"
    ):
        od.World(solver="dense")  # a file next to the members, not a member


def test_a_world_without_bodies_steps():
    world = od.World()
    world.step(0.01)
    world.advance(0.01, steps=3)
    world.add_plane()
    world.advance(0.01, steps=0)
    assert world.statistics.islands == 0


def test_a_ball_falls_in_five_lines():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000)
    world.advance(1 / 60, steps=300)
    assert ball.position == pytest.approx([0, 0, 0.1], abs=1e-6)


def test_what_a_body_says_is_in_the_tables_that_grow():
    world = od.World()
    bodies = [world.add_body(position=(k, 0, 0)) for k in range(40)]  # the tables have been replaced meanwhile
    before = bodies[3].position
    for k, body in enumerate(bodies):
        body.position, body.linear_velocity, body.angular_velocity = (k, 1, 2), [0, k, 0], np.array([0, 0, k])
        body.add_force((0, 0, k))
        body.add_torque((1, 0, 0))
    assert np.array_equal(world.positions, [(k, 1, 2) for k in range(40)])
    assert np.array_equal(world.linear_velocities[:, 1], range(40))
    assert np.array_equal(world.angular_velocities[:, 2], range(40))
    assert (bodies[7].force[2], bodies[7].torque[0], before[0]) == (7, 1, 3)
    saved = world.save()
    bodies[7].position = (0, 0, 0)
    world.restore(saved)
    assert bodies[7].position[0] == 7
    other = pickle.loads(pickle.dumps(world))
    other.bodies[7].position = (1, 1, 1)
    assert other.positions[7, 0] == 1
    assert bodies[7].position[0] == 7


def spinning():
    """A world whose bodies turn, and a hinge that is driven."""
    world = od.World(gravity=(0, 0, -9.81))
    one = world.add_body(od.Box((0.1, 0.2, 0.3)), position=(0, 0, 1), angular_velocity=(1, 2, 3), rotation=np.eye(3))
    other = world.add_body(od.Sphere(0.2), position=(1, 0, 1), linear_velocity=(0, 1, 0))
    world.add_hinge(one, other, anchor=(0.5, 0, 1), axis=(0, 1, 0))
    return world


def test_steps_between_which_settings_change_are_those_of_worlds_that_had_them_all_along():
    """What is at hand from the step before counts as long as it is what the next one asks for."""
    mixed = spinning()
    for change in (
        lambda world: world.step(0.01),
        lambda world: world.step(0.02),
        lambda world: world.quick_step(0.01),
        lambda world: setattr(world, "quickstep_order", "ode"),
        lambda world: world.quick_step(0.01),
        lambda world: world.advance(0.01),
        lambda world: world.quick_step(0.01),
        lambda world: setattr(world, "threads", 1),
        lambda world: world.step(0.01),
        lambda world: od.Batch([world]).advance(0.01),
        lambda world: world.step(0.01),
    ):
        alone = pickle.loads(pickle.dumps(mixed))  # has nothing at hand
        for world in (mixed, alone):
            change(world)
        assert mixed.state_hash() == alone.state_hash()
    saved = mixed.save()
    mixed.quickstep_order = "blocks"
    mixed.quick_step(0.01)
    mixed.restore(saved)
    alone = pickle.loads(pickle.dumps(mixed))
    mixed.quick_step(0.01)
    alone.quick_step(0.01)
    assert mixed.quickstep_order == "ode"
    assert mixed.state_hash() == alone.state_hash()


def test_kinetic_energy_is_that_of_the_bodies():
    world = spinning()
    world.step(0.01)
    energies = []
    for body in world.bodies:
        v, w, turn = body.linear_velocity, body.angular_velocity, body.rotation
        energies.append(0.5 * body.mass * v @ v + 0.5 * w @ turn @ body.inertia @ turn.T @ w)
    assert [body.kinetic_energy for body in world.bodies] == pytest.approx(energies, rel=1e-14)
    assert world.kinetic_energy == pytest.approx(sum(energies), rel=1e-14)
