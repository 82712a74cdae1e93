"""Every shape on every other: bodies that can rest do so with both solvers, also if they are placed at a tilt."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import opendynamics as od
from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most, every

TITLE = "Rest"
TEXT = """
Nine bodies on each of eight supports that can carry them (round bodies on round supports do not rest), placed at eight
tilts from 0 to 0.01 rad, at steps of 0.01 s. The figures are the speed from 5 s on, and the creep in the following
minute. The last row is a capsule of 0.5 m across a pillar 0.15 m wide: its displacement after 20 s.
"""

CUBE = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
FACES += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
LYING = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)

# A shape, how high its centre is when it lies, and how it lies.
RESTING = {
    "sphere": lambda: (od.Sphere(0.1), 0.1, UPRIGHT),
    "box": lambda: (od.Box((0.3, 0.2, 0.1)), 0.05, UPRIGHT),
    "capsule": lambda: (od.Capsule(0.06, 0.3), 0.06, LYING),
    "cylinder": lambda: (od.Cylinder(0.1, 0.1), 0.05, UPRIGHT),
    "lying cylinder": lambda: (od.Cylinder(0.06, 0.3), 0.06, LYING),
    "cone": lambda: (od.Cone(0.1, 0.12), 0.03, UPRIGHT),
    "rounded box": lambda: (od.RoundedBox((0.3, 0.2, 0.1), 0.02), 0.05, UPRIGHT),
    "hull": lambda: (od.Convex.hull(CUBE * (0.3, 0.2, 0.1)), 0.05, UPRIGHT),
    "mesh": lambda: (od.Trimesh(CUBE * (0.3, 0.2, 0.1), FACES), 0.05, UPRIGHT),
}
GROUNDS = {
    "plane": lambda: (od.Plane(), 0.0, UPRIGHT),
    "box": lambda: (od.Box((0.4, 0.4, 0.3)), 0.15, UPRIGHT),
    "cylinder": lambda: (od.Cylinder(0.3, 0.3), 0.15, UPRIGHT),
    "rounded box": lambda: (od.RoundedBox((0.4, 0.4, 0.3), 0.05), 0.15, UPRIGHT),
    "hull": lambda: (od.Convex.hull(CUBE * (0.4, 0.4, 0.3)), 0.15, UPRIGHT),
    "mesh": lambda: (od.Trimesh(CUBE * (0.4, 0.4, 0.3), FACES), 0.15, UPRIGHT),
    "capsule": lambda: (od.Capsule(0.2, 0.6), 0.2, LYING),
    "lying cylinder": lambda: (od.Cylinder(0.2, 0.6), 0.2, LYING),
}
# Round on round is no rest: balls roll off, capsules too.
FLAT = ("box", "rounded box", "hull", "mesh")
PAIRS = [(shape, ground) for ground in GROUNDS for shape in RESTING if ground not in ("capsule", "lying cylinder")]
PAIRS += [(shape, ground) for ground in ("capsule", "lying cylinder") for shape in FLAT]

# Put down so crookedly, rad; after SETTLED s it is at rest.
TILTS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 6e-3, 1e-2)
H, SETTLED = 0.01, 5.0


def speed_and_creep(shape: str, ground: str, tilt: float, solver: str, seconds: float) -> tuple[float, float]:
    """Largest speed, m/s, of any point 0.1 m from the centre, and displacement, m, of the centre in so many seconds at rest."""
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    below, top, lies = GROUNDS[ground]()
    if lies is not UPRIGHT:
        below.quaternion = lies
    world.add_geom(below)
    geom, height, lies = RESTING[shape]()
    body = world.add_body(geom, mass=1.0)
    on_edge = ground in ("capsule", "lying cylinder")
    lean = od.rotation.from_axis_angle((1.0, 0.0 if on_edge else 0.3, 0.0), tilt)
    body.rotation = np.asarray(lean) @ od.rotation.matrix_from_quaternion(lies)
    body.position = 0.0 if on_edge else 0.003, 0.002, top + height
    world.advance(H, steps=round(SETTLED / H))
    start, fastest = body.position.copy(), 0.0
    for _ in range(10):
        world.advance(H, steps=round(0.1 * seconds / H))
        speed = np.linalg.norm(body.linear_velocity) + 0.1 * np.linalg.norm(body.angular_velocity)
        fastest = max(fastest, float(speed))
    return fastest, float(np.linalg.norm(body.position - start))


def capsule_on_a_pillar(ode: Any) -> float:
    """How far, m, a capsule that lies across a pillar has moved in 20 s, by ODE's C names or libode."""
    world = ode.dWorldCreate()
    ode.dWorldSetGravity(world, 0.0, 0.0, -9.81)
    pillar, capsule = ode.dCreateBox(0, 0.15, 0.15, 1.0), ode.dCreateCapsule(0, 0.05, 0.4)
    ode.dGeomSetPosition(pillar, 0.0, 0.0, -0.5)
    body, mass, group = ode.dBodyCreate(world), ode.dMass(), ode.dJointGroupCreate(0)
    ode.dMassSetCapsuleTotal(mass, 1.0, 3, 0.05, 0.4)
    ode.dBodySetMass(body, mass)
    ode.dGeomSetBody(capsule, body)
    ode.dBodySetPosition(body, 0.0, 0.0, 0.05)
    ode.dBodySetQuaternion(body, np.array(LYING))
    contact = ode.dContact()
    contact.surface.mu = 1.0
    for _ in range(2000):
        for found in ode.dCollide(capsule, pillar, 8):
            contact.geom = found
            ode.dJointAttach(ode.dJointCreateContact(world, group, contact), body, 0)
        ode.dWorldStep(world, H)
        ode.dJointGroupEmpty(group)
    return float(np.linalg.norm(ode.dBodyGetPosition(body) - (0.0, 0.0, 0.05)))


def capsule_on_our_pillar() -> float:
    """The same by `advance`."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_geom(od.Box((0.15, 0.15, 1.0), position=(0, 0, -0.5)))
    body = world.add_body(od.Capsule(0.05, 0.4), position=(0, 0, 0.05), quaternion=LYING, mass=1.0)
    world.advance(H, steps=2000)
    return float(np.linalg.norm(body.position - (0.0, 0.0, 0.05)))


def measure() -> list[Row]:
    """The worst of all pairs and tilts."""
    rows = []
    for solver in ("exact", "pgs"):
        found = [speed_and_creep(*pair, tilt, solver, 60.0) for pair in PAIRS for tilt in every(TILTS)]
        rows.append(at_most(f"{solver}: largest speed at rest, m/s", max(speed for speed, _ in found), 1e-5))
        rows.append(at_most(f"{solver}: largest creep in a minute, m", max(creep for _, creep in found), 1e-4))
    theirs = capsule_on_a_pillar(LibOde()) if LibOde.available() else None
    rows.append(at_most("capsule across a pillar: displacement in 20 s, m", capsule_on_our_pillar(), 1e-4, theirs))
    return rows
