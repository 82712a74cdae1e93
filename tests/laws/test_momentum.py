"""Newton's third law: no force of a joint or contact changes the momentum of the whole, nor, acting in one point, its
angular momentum. Bodies are as spheres (I a multiple of 1), whose spin carries momentum I w however they are turned."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import opendynamics as od

INERTIA = 0.7


def momenta(world):
    masses = np.array([body.mass for body in world.bodies])[:, None]
    spins = np.array([body.inertia[0, 0] for body in world.bodies])[:, None]
    p = masses * world.linear_velocities
    return p.sum(axis=0), (np.cross(world.positions, p) + spins * world.angular_velocities).sum(axis=0)


def random_bodies(world, count, seed, shapes=False):
    random = np.random.default_rng(seed)
    bodies = []
    for k in range(count):
        body = world.add_body(
            *([od.Sphere(0.6)] if shapes else []),
            mass=od.Mass(1 + k % 3, INERTIA * (1 + k % 3) * np.eye(3)),
            position=(k, *random.uniform(-0.1, 0.1, 2)),
        )
        body.linear_velocity, body.angular_velocity = random.uniform(-1, 1, (2, 3))
        bodies.append(body)
    return bodies


def chain(kind, count=5, seed=1):
    world = od.World()
    bodies = random_bodies(world, count, seed)
    joints = []
    for a, b in pairwise(bodies):
        options = {"anchor": 0.5 * (a.position + b.position)} if kind in ("ball", "hinge") else {}
        options |= {"axis": (0.6, 0, 0.8)} if kind in ("hinge", "slider") else {}
        joints.append(getattr(world, f"add_{kind}")(a, b, **options))
    return world, joints


@pytest.mark.parametrize("kind", ["ball", "hinge", "slider", "fixed"])
def test_joints_keep_the_momentum(kind):
    world, _ = chain(kind)
    before, _ = momenta(world)
    for _ in range(200):
        world.step(0.01)
    after, _ = momenta(world)
    assert after == pytest.approx(before, abs=1e-12)


@pytest.mark.parametrize("kind", ["ball", "hinge", "slider", "fixed"])
def test_joints_keep_the_angular_momentum_in_their_first_step(kind):
    world, _ = chain(kind)
    _, before = momenta(world)
    world.step(0.01)
    _, after = momenta(world)
    assert after == pytest.approx(before, abs=1e-12)


def test_sliders_keep_the_angular_momentum_for_good():
    # Their sideways forces act half way between the centres, wherever these are: no pair of forces is off its line.
    world, _ = chain("slider")
    _, before = momenta(world)
    for _ in range(200):
        world.step(0.01)
    _, after = momenta(world)
    assert after == pytest.approx(before, abs=1e-11)


@pytest.mark.parametrize("kind", ["ball", "hinge"])
def test_angular_momentum_changes_by_the_gap_of_the_anchors_and_nothing_else(kind):
    # Equal and opposite forces at two anchors that are a gap apart make the torque -gap x f.
    world, joints = chain(kind)
    h = 0.01
    for _ in range(100):
        _, before = momenta(world)
        gaps = [joint.anchor2 - joint.anchor for joint in joints]
        world.step(h)
        _, after = momenta(world)
        torque = -sum(np.cross(gap, joint.feedback.force1) for gap, joint in zip(gaps, joints, strict=True))
        assert after - before == pytest.approx(h * torque, abs=1e-12)


@pytest.mark.parametrize("way", ["advance", "classic"])
@pytest.mark.parametrize("surface", [od.Surface(mu=0), od.Surface(mu=0.5, bounce=0.5), od.Surface(mu=1, rolling=0.1)])
@pytest.mark.parametrize("stabilization", ["baumgarte", "split"])
def test_contacts_keep_both_momenta(way, surface, stabilization):
    # Split impulses move places without velocity, and so, by their cross product, the angular momentum of moving bodies.
    world = od.World(surface=surface)
    world.stabilization = stabilization
    random_bodies(world, 6, 3, shapes=True)
    before = momenta(world)
    group, touched = od.JointGroup(), 0

    def near(a, b):
        for contact in od.collide(a, b):
            world.add_contact(contact, surface, group=group)

    for _ in range(100):
        if way == "advance":
            world.advance(0.01)
            touched += len(world.contacts)
        else:
            world.space.collide(near)
            touched += len(group)
            world.step(0.01)
            group.empty()
    assert touched > 20
    after = momenta(world)
    assert after[0] == pytest.approx(before[0], abs=1e-12)
    if stabilization == "baumgarte":
        assert after[1] == pytest.approx(before[1], abs=1e-11)


def test_motors_and_stops_between_bodies_keep_both_momenta():
    world = od.World()
    a, b, c = random_bodies(world, 3, 5)
    hinge = world.add_hinge(a, b, anchor=b.position, axis=(0, 0, 1), stops=(-0.3, 0.3))
    slider = world.add_slider(b, c, axis=(1, 0, 0), stops=(-0.2, 0.2))
    hinge.motor(2.0, 5.0)
    slider.motor(-1.0, 5.0)
    linear, angular = momenta(world)
    for n in range(100):
        gap = hinge.anchor2 - hinge.anchor
        if n == 50:
            hinge.motor(-2.0, 5.0)
        if n % 10 == 0:
            hinge.add_torque(0.3)
            slider.add_force(-0.2)
        world.step(0.01)
        angular = angular - 0.01 * np.cross(gap, hinge.feedback.force1)
    after = momenta(world)
    assert after[0] == pytest.approx(linear, abs=1e-12)
    assert after[1] == pytest.approx(angular, abs=1e-11)


@pytest.mark.parametrize("h", [1e-3, 1 / 60, 0.01])
def test_free_bodies_keep_their_velocity_to_the_last_bit(h):
    # Adding what a velocity changes by adds nothing; going by way of v/h would round in every step.
    world = od.World()
    velocities = np.random.default_rng(5).normal(size=(20, 3))
    bodies = [
        world.add_body(od.Sphere(0.1), position=(3 * k, 0, 0), linear_velocity=v) for k, v in enumerate(velocities)
    ]
    world.advance(h, steps=1000)
    assert [body.linear_velocity.tolist() for body in bodies] == velocities.tolist()
