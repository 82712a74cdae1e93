"""Newton's cradle: as many balls leave the row on one side as hit it on the other."""

from __future__ import annotations

import math

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.mass import Mass
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene

RADIUS, LENGTH, SPREAD = 0.1, 0.9, 0.35  # m: of the balls, from the beam to their centres, of the wires along y
GAP = 0.002  # m, between balls at rest: so that they are hit one after another, as elastic steel balls are
TOP = 1.2  # m, height of the beam
G = 9.81


def build(*, balls: int = 5, lifted: int = 1, degrees: float = 40.0, touching: bool = False) -> Scene:
    """`balls` steel balls in a row, of which the first `lifted` start `degrees` up.

    Where they are `touching`, impacts are resolved one after another.
    """
    checks.count("balls", balls, 2)
    checks.count("lifted", lifted, 1, balls - 1)
    # Penetration is not corrected: a correction would push resting balls out of the row.
    world = World(gravity=(0, 0, -G), surface=Surface(mu=0.0, bounce=1.0, bounce_velocity=0.01, soft_erp=0.0))
    world.add_plane(name="ground")
    if checks.flag("touching", touching):
        world.impacts = "sequential"
    width = 2 * RADIUS + (0.0 if touching else GAP)
    half = 0.5 * (balls - 1) * width
    for k in range(balls):
        angle = math.radians(degrees) if k < lifted else 0.0
        _hang(world, k, k * width - half, angle)
    for y in (-SPREAD, SPREAD):
        _add_frame(world, half + 2 * RADIUS, y)
    return Scene(
        world,
        h=0.001,
        seconds=10.0,
        moment=0.35,
        camera=(0.7, -2.7, 1.1),
        target=(0.0, 0.0, 0.62),
        note="Momentum and energy are both conserved only if as many balls leave as arrive, at the same speed.",
    )


def _hang(world: World, number: int, x: float, angle: float) -> None:
    """A ball on two wires, rotated up from the lowest point of its swing; the wires have no mass and no contacts."""
    place = (x - LENGTH * math.sin(angle), 0.0, TOP - LENGTH * math.cos(angle))
    turned = quaternion_from_axis_angle((0, 1, 0), angle)
    wires = [_wire(sign) for sign in (-1.0, 1.0)]
    steel = Mass.sphere(RADIUS, density=7800)
    ball = world.add_body(Sphere(RADIUS), *wires, position=place, quaternion=turned, mass=steel, name=f"ball {number}")
    world.add_hinge(ball, None, anchor=(x, 0, TOP), axis=(0, 1, 0), name=f"hinge {number}")


def _wire(sign: float) -> Geom:
    """From the ball's centre to the beam at `sign` times SPREAD."""
    length = math.hypot(LENGTH, SPREAD)
    tilt = quaternion_from_axis_angle((1, 0, 0), -sign * math.atan2(SPREAD, LENGTH))
    wire = Capsule(0.004, length - 0.01, position=(0, 0.5 * sign * SPREAD, 0.5 * LENGTH), quaternion=tilt, name="wire")
    wire.category_bits = wire.collide_bits = 0
    return wire


def _add_frame(world: World, half: float, y: float) -> None:
    thick = 0.04
    world.add_geom(Box((2 * half, thick, thick), position=(0, y, TOP), name="beam"))
    for x in (-half, half):
        world.add_geom(Box((thick, thick, TOP + 0.5 * thick), position=(x, y, 0.5 * TOP + 0.25 * thick), name="post"))
