"""Newton's cradle: as many balls leave a row as arrive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import opendynamics as od
from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most

TITLE = "Newton's cradle"
TEXT = """
Steel balls in contact: balls that arrive at 1 m/s pass their momentum on, one pair after another, and as many balls
leave. `world.impacts = "sequential"`, restitution 1; free balls on a line at steps of 1 ms, and balls that hang from
hinges, or from two strings each. Largest error of a ball's velocity after the impact, m/s, over rows of 2 to 7 balls, and
relative errors of momentum and energy. ODE resolves all contacts of a step at once, and several balls leave.
"""
H, STEPS, RADIUS, HEIGHT = 1e-3, 400, 0.1, 0.9
STEEL = od.Surface(mu=0.0, bounce=1.0, soft_erp=0.0)
ROWS = [*((count, 1) for count in range(2, 8)), (5, 2), (7, 3)]

Array = npt.NDArray[np.float64]


def free_balls(count: int, arriving: int, solver: str) -> Array:
    """Velocities along the line, m/s, after the impact."""
    world = od.World(surface=STEEL, solver=solver)
    world.impacts = "sequential"
    for k in range(count):
        x = 2 * RADIUS * k - (0.3005 if k < arriving else 0.0)
        world.add_body(od.Sphere(RADIUS), mass=1.0, position=(x, 0, 0), linear_velocity=(float(k < arriving), 0, 0))
    world.advance(H, steps=STEPS)
    return np.array([body.linear_velocity[0] for body in world.bodies])


def hanging_balls(count: int, arriving: int, solver: str, joint: str) -> Array:
    """The same for balls that hang, in a step so short that gravity has no part in it."""
    world = od.World(gravity=(0, 0, -9.81), surface=STEEL, solver=solver)
    world.impacts = "sequential"
    for k in range(count):
        x = (2 * RADIUS - 1e-12) * k
        speed = float(k < arriving)
        ball = world.add_body(od.Sphere(RADIUS), mass=1.0, position=(x, 0, 0), linear_velocity=(speed, 0, 0))
        if joint == "hinges":
            ball.angular_velocity = (0, -speed / HEIGHT, 0)
            world.add_hinge(ball, None, anchor=(x, 0, HEIGHT), axis=(0, 1, 0))
        else:
            for y in (-0.35, 0.35):
                world.add_dball(ball, None, anchor1=(x, 0, 0), anchor2=(x, y, HEIGHT))
    world.advance(1e-7)
    return np.array([body.linear_velocity[0] for body in world.bodies])


def free_balls_by_ode(count: int, arriving: int) -> Array:
    """ODE's velocities of free balls."""
    ode: Any = LibOde()
    world, space, group = ode.dWorldCreate(), ode.dHashSpaceCreate(None), ode.dJointGroupCreate(0)
    bodies = []
    for k in range(count):
        body, geom, mass = ode.dBodyCreate(world), ode.dCreateSphere(space, RADIUS), ode.dMass()
        ode.dMassSetSphereTotal(mass, 1.0, RADIUS)
        ode.dBodySetMass(body, mass)
        ode.dGeomSetBody(geom, body)
        ode.dBodySetPosition(body, 2 * RADIUS * k - (0.3005 if k < arriving else 0.0), 0.0, 0.0)
        ode.dBodySetLinearVel(body, float(k < arriving), 0.0, 0.0)
        bodies.append(body)

    def near(_: Any, one: int, two: int) -> None:
        for geom in ode.dCollide(one, two, 1):
            contact = ode.dContact()
            contact.geom = geom
            contact.surface.mode = ode.dContactBounce | ode.dContactSoftERP
            contact.surface.bounce = 1.0
            joint = ode.dJointCreateContact(world, group, contact)
            ode.dJointAttach(joint, ode.dGeomGetBody(one), ode.dGeomGetBody(two))

    for _ in range(STEPS):
        ode.dSpaceCollide(space, None, near)
        ode.dWorldStep(world, H)
        ode.dJointGroupEmpty(group)
    return np.array([ode.dBodyGetLinearVel(body)[0] for body in bodies])


def expected(count: int, arriving: int) -> Array:
    return (np.arange(count) >= count - arriving).astype(float)


def measure() -> list[Row]:
    """Errors over all rows of balls."""
    ode = {case: free_balls_by_ode(*case) for case in ROWS} if LibOde.available() else {}
    of_ode = max((abs(found - expected(*case)).max() for case, found in ode.items()), default=None)
    rows = []
    for solver in ("exact", "pgs"):
        found = {case: free_balls(*case, solver) for case in ROWS}
        error = max(abs(speeds - expected(*case)).max() for case, speeds in found.items())
        momentum = max(abs(speeds.sum() / case[1] - 1.0) for case, speeds in found.items())
        energy = max(abs((speeds**2).sum() / case[1] - 1.0) for case, speeds in found.items())
        lost = max((abs((speeds**2).sum() / case[1] - 1.0) for case, speeds in ode.items()), default=None)
        rows += [
            at_most(f"free balls, {solver}: error of a velocity, m/s", error, 1e-9, of_ode),
            at_most(f"free balls, {solver}: relative error of the momentum", momentum, 1e-9),
            at_most(f"free balls, {solver}: relative error of the energy", energy, 1e-9, lost),
        ]
        for joint in ("hinges", "strings"):
            error = max(abs(hanging_balls(*case, solver, joint) - expected(*case)).max() for case in ROWS)
            rows.append(at_most(f"balls on {joint}, {solver}: error of a velocity, m/s", error, 1e-9))
    return rows


def plot(path: Path) -> None:
    """Velocities of five balls after one arrived."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.0), layout="constrained")
    axes, places = figure.subplots(), np.arange(1, 6)
    axes.bar(places - 0.2, free_balls(5, 1, "exact"), 0.4, label='opendynamics, impacts = "sequential"')
    if LibOde.available():
        axes.bar(places + 0.2, free_balls_by_ode(5, 1), 0.4, label="ODE")
    axes.set(xlabel="ball", ylabel="velocity after the impact, m/s")
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
