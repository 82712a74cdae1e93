"""Overlapping stacks are separated without gaining velocity."""

from __future__ import annotations

from typing import Any

import numpy as np

import opendynamics as od
from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most

TITLE = "Stabilization"
TEXT = """
A tower of 50 boxes of side 0.2 m, 1000 kg/m³, steps of 10 ms. With the centre of box number r at z = 0.1 + 0.2 r,
rounding decides which boxes touch; the others fall by a millimetre before they do. With the same centres and boxes
that are 0.201 m high, all overlap by a millimetre. The figure is how far a box rises above its initial place in 2 s;
it may rise at most by the sum of the overlaps below it.
"""
BOXES, SIDE, H, STEPS = 50, 0.2, 0.01, 200


def rise(solver: str, overlap: float, like: Any = "opendynamics") -> tuple[float, float]:
    """How far any box rises, m, and how fast, m/s."""
    world = od.World(gravity=(0, 0, -9.81), solver=solver, like=like)
    world.add_plane()
    for r in range(BOXES):
        world.add_body(od.Box((SIDE, SIDE, SIDE + overlap)), position=(0, 0, 0.1 + SIDE * r), density=1000)
    start, highest, fastest = world.positions[:, 2], 0.0, 0.0
    for _ in range(STEPS):
        world.advance(H)
        highest = max(highest, float((world.positions[:, 2] - start).max()))
        fastest = max(fastest, float(world.linear_velocities[:, 2].max()))
    return highest, fastest


def rise_in_ode(ode: Any, step: str, overlap: float) -> tuple[float, float]:
    """The same of ODE's loop: dWorldStep or dWorldQuickStep."""
    world, space, group = ode.dWorldCreate(), ode.dSimpleSpaceCreate(None), ode.dJointGroupCreate(0)
    ode.dWorldSetGravity(world, 0, 0, -9.81)
    ode.dCreatePlane(space, 0, 0, 1, 0)
    bodies = []
    for r in range(BOXES):
        body, mass = ode.dBodyCreate(world), ode.dMass()
        ode.dMassSetBox(mass, 1000, SIDE, SIDE, SIDE + overlap)
        ode.dBodySetMass(body, mass)
        ode.dBodySetPosition(body, 0, 0, 0.1 + SIDE * r)
        ode.dGeomSetBody(ode.dCreateBox(space, SIDE, SIDE, SIDE + overlap), body)
        bodies.append(body)

    def near(_: Any, one: Any, other: Any) -> None:
        for found in ode.dCollide(one, other, 8):
            contact = ode.dContact()
            contact.surface.mu, contact.geom = np.inf, found
            joint = ode.dJointCreateContact(world, group, contact)
            ode.dJointAttach(joint, ode.dGeomGetBody(one), ode.dGeomGetBody(other))

    highest = fastest = 0.0
    for _ in range(STEPS):
        ode.dSpaceCollide(space, None, near)
        getattr(ode, step)(world, H)
        ode.dJointGroupEmpty(group)
        for r, body in enumerate(bodies):
            highest = max(highest, float(ode.dBodyGetPosition(body)[2]) - 0.1 - SIDE * r)
            fastest = max(fastest, float(ode.dBodyGetLinearVel(body)[2]))
    ode.dWorldDestroy(world)
    return highest, fastest


def measure() -> list[Row]:
    """Both towers, both solvers."""
    rows = []
    for solver, step in (("exact", "dWorldStep"), ("pgs", "dWorldQuickStep")):
        for overlap in (0.0, 0.001):
            ours = rise(solver, overlap)
            theirs = rise_in_ode(LibOde(), step, overlap) if LibOde.available() else (None, None)
            tower = f'boxes of {SIDE + overlap} m, "{solver}"'
            most = max((BOXES - 0.5) * overlap, (BOXES - 0.5) * 9.81 * H * H)
            rows.append(at_most(f"highest rise, m: {tower}", ours[0], most, theirs[0]))
            if solver == "exact":
                rows.append(at_most(f"fastest rise, m/s: {tower}", ours[1], 0.5, theirs[1]))
    return rows
