"""Scenes shared by several tests."""

from __future__ import annotations

import numpy as np

import opendynamics as od


def make_shape(kind, size, random, material):
    if kind == "sphere":
        return od.Sphere(size, material=material)
    if kind == "box":
        return od.Box(size * random.uniform(0.8, 2.0, 3), material=material)
    return od.Capsule(0.5 * size, size, material=material)


def pile(seed=4, count=24, kinds=("sphere", "box"), **arguments):
    """A world in which shapes of two materials fall onto the ground, and onto each other."""
    random = np.random.default_rng(seed)
    world = od.World(gravity=(0, 0, -10), **arguments)
    world.add_plane(material="ground")
    world.surfaces.default = od.Surface(mu=0.5)
    world.surfaces["rubber"] = od.Surface(mu=1.0, bounce=0.4, bounce_velocity=0.1)
    world.surfaces["rubber", "ground"] = od.Surface(mu=0.8, rolling=0.005)
    for k in range(count):
        kind = kinds[k % len(kinds)]
        size = random.uniform(0.2, 0.5)
        material = "rubber" if k % 3 == 0 else None
        shape = make_shape(kind, size, random, material)
        world.add_body(
            shape,
            position=(*random.uniform(-0.8, 0.8, 2), 0.5 + 0.3 * k),
            quaternion=random.normal(size=4),
            linear_velocity=random.uniform(-1, 1, 3),
            angular_velocity=random.uniform(-2, 2, 3),
        )
    return world


def classic_step(world, h, group, step="step"):
    """ODE's way: contact joints made in a callback, with the surfaces that `advance` would take."""

    def near(a, b):
        if a.body is None and b.body is None:
            return
        if a.body is not None and b.body is not None and a.body.is_connected_to(b.body, excluding=od.ContactJoint):
            return
        surface = world.surfaces[a.material, b.material]
        for contact in od.collide(a, b, max_contacts=world.max_contacts):
            world.add_contact(contact, surface, group=group)

    world.space.collide(near)
    getattr(world, step)(h)
    group.empty()


def state(world):
    """Poses and velocities of all bodies in one array, a row a body."""
    return np.hstack([world.positions, world.quaternions, world.linear_velocities, world.angular_velocities])
