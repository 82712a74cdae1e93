"""A rolling pile of mixed shapes on hills: boxes, balls, capsules, cylinders and polyhedra."""

from __future__ import annotations

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene

SIDE, SAMPLES = 10.0, 41  # m, and samples along a side
PITCH = 0.5  # m, of the grid in which the bodies start


def heights(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A bowl with hills in it, m."""
    return np.asarray(0.035 * (x**2 + y**2) + 0.28 * np.sin(1.5 * x) * np.cos(1.3 * y))


def build(*, bodies: int = 60, side: int = 4, seed: int = 2) -> Scene:
    """`bodies` bodies of five kinds fall on the hills, layer by layer of `side` x `side`, turned at random by `seed`."""
    checks.count("bodies", bodies, 1)
    checks.count("side", side, 1)
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.6, bounce=0.1, bounce_velocity=0.5))
    world.solver, world.quickstep_order = "pgs", "ode"
    world.contact_max_correcting_velocity = 5.0
    line = np.linspace(-0.5 * SIDE, 0.5 * SIDE, SAMPLES)
    x, y = np.meshgrid(line, -line)  # with z up, the rows of a heightfield run along -y
    world.add_geom(Heightfield(heights(x, y), width=SIDE, depth=SIDE, thickness=1.0, up="z", name="hills"))
    random = np.random.default_rng(seed)
    for k in range(bodies):
        layer, cell = divmod(k, side * side)
        row, column = divmod(cell, side)
        start = np.array([column - 0.5 * (side - 1), row - 0.5 * (side - 1), layer]) * PITCH + (0.6, 0.3, 1.2)
        start[:2] += random.uniform(-0.04, 0.04, 2)
        body = world.add_body(_shape(k, random), position=start, quaternion=random.normal(size=4), density=500)
        body.angular_damping = 0.01
    return Scene(
        world,
        h=0.005,
        seconds=6.0,
        moment=3.0,
        camera=(3.5, -5.1, 3.8),
        target=(0.35, 0.0, 0.7),
        note="Contact normals are normals of the surface, so that nothing catches on internal edges.",
    )


def _shape(k: int, random: np.random.Generator) -> Geom:
    """The shapes in turn; each fits into a cell of the grid whichever way it is turned."""
    kind = k % 5
    if kind == 0:
        return Box((0.32, 0.24, 0.2))
    if kind == 1:
        return Cylinder(0.14, 0.26)
    if kind == 2:
        return Sphere(0.16)
    if kind == 3:
        return Capsule(0.09, 0.22)
    points = random.normal(size=(16, 3))
    return Convex.hull(0.19 * points / np.linalg.norm(points, axis=1, keepdims=True))
