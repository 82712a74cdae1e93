"""Sleeping bodies: slow motion does not stop, and bodies that lose their support fall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import opendynamics as od
from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_least, at_most

TITLE = "Sleep"
TEXT = """
All bodies fall asleep after ten idle steps (below 0.01 m/s) of 10 ms. A platform moves at 5 mm/s for 60 s with a box
on it; a lift stands for 1 s and then rises at 0.1 m/s for 1 s. In the other rows, a box sleeps on a floor without
friction, and moves for 0.5 s after the event that the row names. The figure is the displacement relative to that of a
body that never slept, so 0 means that the box hangs in mid-air or ignores what acts on it. [Sleep](sleeping.md) lists
all events, each with its test. MuJoCo has no such events to compare: it sleeps by kinematic tree, and not by default.
"""
H = 0.01
ASLEEP, AFTER = 60, 50


class Ours:
    """A kinematic slab, or a floor, and a box on it."""

    def __init__(self, *, kinematic: bool, sleep: bool = True) -> None:
        self.world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=1.0 if kinematic else 0.0))
        self.world.auto_disable = sleep
        slab = od.Box((4, 4, 1), position=(0, 0, 0 if kinematic else -0.5))
        if kinematic:
            self.support = self.world.add_body(slab, position=(0, 0, -0.5), kinematic=True)
        else:
            self.floor = self.world.add_geom(slab)
        self.box = self.world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5))

    def advance(self, steps: int) -> None:
        self.world.advance(H, steps=steps)

    def drive(self, x: float, z: float) -> None:
        self.support.linear_velocity = (x, 0, z)

    def move_floor(self) -> None:
        self.floor.position = (0, 0, -9)

    def destroy_floor(self) -> None:
        self.floor.destroy()

    def disable_floor(self) -> None:
        self.floor.enabled = False

    def push(self) -> None:
        self.box.add_force((self.box.mass * 100, 0, 0))

    def throw(self) -> None:
        self.box.linear_velocity = (1, 0, 0)

    def lean_gravity(self) -> None:
        self.world.gravity = (5, 0, -10)

    def place(self) -> tuple[float, ...]:
        return tuple(self.box.position)


class Odes:
    """The same by ODE's functions."""

    def __init__(self, ode: Any, *, kinematic: bool, sleep: bool = True) -> None:
        self.ode, self.mu = ode, 1.0 if kinematic else 0.0
        self.world, self.space, self.group = ode.dWorldCreate(), ode.dHashSpaceCreate(None), ode.dJointGroupCreate(0)
        ode.dWorldSetGravity(self.world, 0, 0, -10)
        ode.dWorldSetAutoDisableFlag(self.world, int(sleep))
        self.floor = ode.dCreateBox(self.space, 4, 4, 1)
        if kinematic:
            self.support = ode.dBodyCreate(self.world)
            ode.dBodySetKinematic(self.support)
            ode.dBodySetPosition(self.support, 0, 0, -0.5)
            ode.dGeomSetBody(self.floor, self.support)
        else:
            ode.dGeomSetPosition(self.floor, 0, 0, -0.5)
        self.box, mass = ode.dBodyCreate(self.world), ode.dMass()
        ode.dMassSetBox(mass, 1000, 1, 1, 1)
        ode.dBodySetMass(self.box, mass)
        ode.dBodySetPosition(self.box, 0, 0, 0.5)
        ode.dGeomSetBody(ode.dCreateBox(self.space, 1, 1, 1), self.box)

    def _near(self, _: Any, one: int, two: int) -> None:
        for geom in self.ode.dCollide(one, two, 8):
            contact = self.ode.dContact()
            contact.geom, contact.surface.mu = geom, self.mu
            joint = self.ode.dJointCreateContact(self.world, self.group, contact)
            self.ode.dJointAttach(joint, self.ode.dGeomGetBody(one), self.ode.dGeomGetBody(two))

    def advance(self, steps: int) -> None:
        for _ in range(steps):
            self.ode.dSpaceCollide(self.space, None, self._near)
            self.ode.dWorldStep(self.world, H)
            self.ode.dJointGroupEmpty(self.group)

    def drive(self, x: float, z: float) -> None:
        self.ode.dBodySetLinearVel(self.support, x, 0, z)

    def move_floor(self) -> None:
        self.ode.dGeomSetPosition(self.floor, 0, 0, -9)

    def destroy_floor(self) -> None:
        self.ode.dGeomDestroy(self.floor)

    def disable_floor(self) -> None:
        self.ode.dGeomDisable(self.floor)

    def push(self) -> None:
        self.ode.dBodyAddForce(self.box, 1e5, 0, 0)

    def throw(self) -> None:
        self.ode.dBodySetLinearVel(self.box, 1, 0, 0)

    def lean_gravity(self) -> None:
        self.ode.dWorldSetGravity(self.world, 5, 0, -10)

    def place(self) -> tuple[float, ...]:
        return tuple(self.ode.dBodyGetPosition(self.box))


Make = Callable[..., Any]

EVENTS = {
    "the floor is moved": "move_floor",
    "the floor is destroyed": "destroy_floor",
    "the floor is disabled": "disable_floor",
    "a force is added": "push",
    "a velocity is set": "throw",
    "gravity changes": "lean_gravity",
}


def carried(make: Make, seconds: float) -> float:
    """How far, m, a platform at 5 mm/s carries a box."""
    scene = make(kinematic=True)
    scene.drive(0.005, 0)
    scene.advance(round(seconds / H))
    return float(scene.place()[0])


def lifted(make: Make) -> float:
    """How far, m, a lift that stood for a second lifts a box at 0.1 m/s in a second."""
    scene = make(kinematic=True)
    scene.advance(100)
    before = scene.place()[2]
    scene.drive(0, 0.1)
    scene.advance(100)
    return float(scene.place()[2] - before)


def displacement(make: Make, event: str, *, sleep: bool) -> float:
    """How far, m, the box gets after an event."""
    scene = make(kinematic=False, sleep=sleep)
    scene.advance(ASLEEP)
    before = scene.place()
    getattr(scene, event)()
    scene.advance(AFTER)
    return float(sum(abs(one - other) for one, other in zip(scene.place(), before, strict=True)))


def measure(seconds: float = 60.0) -> list[Row]:
    """How far things get."""
    ode = LibOde() if LibOde.available() else None

    def odes(**options: Any) -> Odes:
        return Odes(ode, **options)

    figures = [
        ("error of the displacement on the platform, m", lambda make: abs(carried(make, seconds) - 0.005 * seconds))
    ]
    figures += [("error of the displacement on the lift, m", lambda make: abs(lifted(make) - 0.1))]
    rows = [at_most(what, figure(Ours), 1e-3, None if ode is None else figure(odes)) for what, figure in figures]
    for words, event in EVENTS.items():
        ratios = [
            None
            if make is odes and ode is None
            else displacement(make, event, sleep=True) / displacement(make, event, sleep=False)
            for make in (Ours, odes)
        ]
        assert ratios[0] is not None
        rows.append(at_least(f"displacement after {words}, relative", ratios[0], 0.999, ratios[1]))
    return rows
