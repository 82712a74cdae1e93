"""A rope bridge of planks on hinges, under crates and a heavy ball."""

from __future__ import annotations

import math

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene

PITCH, WIDTH, THICKNESS = 0.3, 1.2, 0.06  # of a plank, m
SAG = 0.12  # of the undeformed bridge, relative to its length
CLIFF = 1.6  # m, height of the banks


def hangs(count: int) -> list[tuple[float, float]]:
    """Vertices (x, z) of a chain of `count` equal sides that hangs like a parabola, symmetric about x = 0, ends at z = 0.

    The slope of the sides increases linearly from side to side.
    """
    steepest = 4.0 * SAG
    corners = [(0.0, 0.0)]
    for k in range(count):
        lean = math.atan(steepest * (2 * (k + 0.5) / count - 1))
        x, z = corners[-1]
        corners.append((x + PITCH * math.cos(lean), z + PITCH * math.sin(lean)))
    middle = 0.5 * corners[-1][0]
    return [(x - middle, z) for x, z in corners]


def build(*, planks: int = 18, crates: int = 5) -> Scene:
    """`planks` between two banks; `crates` fall on them, and a ball of 90 kg rolls on from the left."""
    checks.count("planks", planks, 2)
    checks.count("crates", crates)
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.6))
    world.add_plane(name="ground")
    corners = hangs(planks)
    half = corners[-1][0]
    for sign in (-1, 1):
        bank = Box((1.6, 2 * WIDTH, CLIFF), position=(sign * (half + 0.8 + 0.02), 0, 0.5 * CLIFF), name="bank")
        world.add_geom(bank)
    previous: Body | None = None
    for k in range(planks):
        previous = _add_plank(world, previous, corners[k], corners[k + 1], k)
    end = (half, 0.0, CLIFF - 0.5 * THICKNESS)
    world.add_hinge(previous, None, anchor=end, axis=(0, 1, 0), name="right end")
    for k in range(crates):
        place = (0.6 * (k - 0.5 * (crates - 1)), 0.1 * (-1) ** k, CLIFF + 0.4 + 0.15 * k)
        turned = quaternion_from_axis_angle((0.3, 0.2, 1.0), 0.7 * k)
        world.add_body(Box((0.3, 0.3, 0.3)), position=place, quaternion=turned, density=300, name=f"crate {k}")
    ball = world.add_body(Sphere(0.3), position=(-half - 0.7, 0, CLIFF + 0.3), density=800, name="ball")
    ball.linear_velocity, ball.angular_velocity = (1.0, 0, 0), (0, 1.0 / 0.3, 0)  # it rolls
    return Scene(
        world,
        seconds=6.0,
        moment=1.3,
        camera=(0.5 * half, -1.9 * half, CLIFF + 0.75 * half),
        target=(0, 0, CLIFF - 0.2 * half),
        note="The planks are held by hinges alone; the rows of all of them are solved exactly in every step.",
    )


def _add_plank(
    world: World, previous: Body | None, left: tuple[float, float], right: tuple[float, float], number: int
) -> Body:
    """A plank between two vertices, on a hinge to the one before it, or to the bank."""
    top = CLIFF - 0.5 * THICKNESS
    lean = math.atan2(right[1] - left[1], right[0] - left[0])
    plank = world.add_body(
        Box((PITCH - 0.03, WIDTH, THICKNESS)),
        position=(0.5 * (left[0] + right[0]), 0, top + 0.5 * (left[1] + right[1])),
        quaternion=quaternion_from_axis_angle((0, 1, 0), -lean),
        density=700,
        name=f"plank {number}",
    )
    plank.angular_damping = 0.01  # ropes creak
    world.add_hinge(plank, previous, anchor=(left[0], 0, top + left[1]), axis=(0, 1, 0), name=f"rope {number}")
    return plank
