"""Boxes, spheres and capsules tumble into a walled pit and come to rest in a pile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene, Slider

PITCH, WALL = 0.32, 0.1  # m: of the grid in which the bodies start, thickness of the walls


def build(*, bodies: int = 60, side: int = 4, seed: int = 1) -> Scene:
    """`bodies` bodies above a pit of `side` x `side` grid cells, their orientations drawn from `seed`."""
    checks.count("bodies", bodies, 1)
    checks.count("side", side, 1)
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.5, bounce=0.1, bounce_velocity=0.5))
    world.contact_max_correcting_velocity = 5.0
    half = 0.5 * side * PITCH
    world.add_plane(name="floor")
    for sign in (-1, 1):
        for lengths, place in (
            ((WALL, 2 * half + 2 * WALL, 2 * half), (sign * (half + 0.5 * WALL), 0, half)),
            ((2 * half, WALL, 2 * half), (0, sign * (half + 0.5 * WALL), half)),
        ):
            world.add_geom(Box(lengths, position=place, name="wall"))
    random = np.random.default_rng(seed)
    for k in range(bodies):
        layer, cell = divmod(k, side * side)
        row, column = divmod(cell, side)
        start = np.array([column - 0.5 * (side - 1), row - 0.5 * (side - 1), layer + 0.6]) * PITCH
        start[:2] += random.uniform(-0.02, 0.02, 2)
        world.add_body(_shape(k), position=start, quaternion=random.normal(size=4), density=700)

    def pull(gravity: float) -> None:
        world.gravity = (0.0, 0.0, gravity)
        _wake(world)

    def rub(mu: float) -> None:
        world.surfaces.default = replace(world.surfaces.default, mu=mu)
        _wake(world)

    return Scene(
        world,
        h=0.01,
        seconds=5.0,
        moment=2.0,
        camera=(2.2 * half, -3.0 * half, 5.6 * half),
        target=(0, 0, 0.7 * half),
        note="All six pairs of these shapes collide here, and all shapes with the walls.",
        sliders=(
            Slider("Gravity, m/s²", -20.0, 5.0, -9.81, pull, "Along z: turn it up to let everything fly"),
            Slider("Friction", 0.0, 1.5, 0.5, rub, "Coefficient between any two things"),
        ),
    )


def _wake(world: World) -> None:
    for body in world.bodies:
        body.enabled = True


def _shape(k: int) -> Geom:
    """The shapes in turn; each fits into a cell of the grid whichever way it is turned."""
    return (Box((0.2, 0.16, 0.12)), Sphere(0.1), Capsule(0.06, 0.16))[k % 3]
