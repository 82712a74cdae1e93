"""Scenes and solvers for the tests of saving."""

from __future__ import annotations

import opendynamics as od
from opendynamics import scenes

# The solvers of a world: `advance`'s solver and QuickStep's order.
VARIANTS = {
    "auto": ("auto", None),
    "soft": ("soft", None),
    "exact": ("exact", None),
    "blocks": ("pgs", "blocks"),
    "ode order": ("pgs", "ode"),
}


def built(name, variant):
    """A registered scene, solved by a variant."""
    scene = scenes.build(name)
    solver, order = VARIANTS[variant]
    scene.world.solver = solver
    if order is not None:
        scene.world.quickstep_order = order
    return scene


def hashes(scene, first, count, world=None):
    """Step from step `first` on; the state's hash after each step. `world`: another one than the scene's, not controlled."""
    found = []
    for step in range(first, first + count):
        if world is None and scene.control is not None:
            scene.control(step * scene.h)
        (world or scene.world).advance(scene.h)
        found.append((world or scene.world).state_hash())
    return found


def pile(count=8, **settings):
    """Bodies of several shapes that fall onto each other, with joints, materials and a sleeper."""
    world = od.World(gravity=(0, 0, -9.81), **settings)
    world.add_plane(normal=(0, 0, 1))
    world.surfaces["ice"] = od.Surface(mu=0.05, bounce=0.3)
    shapes = (
        lambda k: od.Box((0.3, 0.2, 0.25), material="ice" if k % 2 else None),
        lambda k: od.Sphere(0.14),
        lambda k: od.Capsule(0.1, 0.2),
        lambda k: od.Cylinder(0.12, 0.25, material="ice"),
    )
    bodies = [
        world.add_body(shapes[k % 4](k), position=(0.07 * (k % 3), 0.05 * (k % 2), 0.2 + 0.3 * k), name=f"piece {k}")
        for k in range(count)
    ]
    hinge = world.add_hinge(bodies[0], bodies[1], anchor=bodies[0].position, axis=(0, 1, 0), stops=(-1.0, 1.0))
    hinge.motor(velocity=2.0, max_torque=0.5)
    world.add_ball(bodies[2], None, anchor=bodies[2].position)
    return world, bodies
