"""A wall of bricks in running bond, standing by friction alone; or hit by a heavy ball."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene

LENGTH, THICKNESS, HEIGHT = 0.4, 0.2, 0.2  # of a brick, m
GAP = 0.002  # m, between bricks side by side
LAYER = 1e-4  # m, overlap of stacked bricks, in which contacts are not corrected and persist


def build(*, rows: int = 6, columns: int = 6, ball: bool = False) -> Scene:
    """`rows` courses of `columns` bricks of 1800 kg/m³; every other course ends in half bricks."""
    checks.count("rows", rows, 1)
    checks.count("columns", columns, 1)
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.7), solver="exact")  # it should stand
    world.contact_surface_layer = LAYER
    world.add_plane(name="ground")
    pitch = LENGTH + GAP
    for row in range(rows):
        bond = [1.0] * columns if row % 2 == 0 else [0.5, *[1.0] * (columns - 1), 0.5]
        left = -0.5 * columns * pitch
        for part in bond:
            size = (part * pitch - GAP, THICKNESS, HEIGHT)
            place = (left + 0.5 * part * pitch, 0, (row + 0.5) * HEIGHT - (row + 1) * LAYER)
            world.add_body(Box(size), position=place, density=1800)
            left += part * pitch
    if ball:
        height = 0.6 * rows * HEIGHT
        world.add_body(Sphere(0.25), position=(0, -3, height), density=4000, linear_velocity=(0, 10, 1), name="ball")
    extent = max(rows * HEIGHT, columns * pitch)
    return Scene(
        world,
        seconds=5.0,
        moment=0.38,
        camera=(0.7 * extent, -1.5 * extent, 0.75 * extent),
        target=(0, 0, 0.5 * rows * HEIGHT),
        note="A ball of 260 kg arrives at 10 m/s." if ball else "Nothing is glued: every brick is held by contacts.",
    )
