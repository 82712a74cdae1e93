"""A row of pendulums that swing out of phase and return into phase."""

from __future__ import annotations

import math

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.mass import Mass
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.world import World
from opendynamics.scenes import Scene

G, RADIUS, AMPLITUDE = 9.81, 0.06, 0.15  # m/s², m, rad


def length_for(swings: int, seconds: float) -> float:
    """The distance (m) from hinge to centre with which a ball makes `swings` small swings in `seconds` s.

    The larger solution of T² = 4π² (2/5 r² + L²) / (g L), the physical pendulum of a solid sphere.
    """
    reduced = G * (seconds / swings / (2 * math.pi)) ** 2  # m, of the simple pendulum
    return 0.5 * (reduced + math.sqrt(reduced * reduced - 4 * 0.4 * RADIUS * RADIUS))


def build(*, pendulums: int = 12, slowest: int = 16, cycle: float = 24.0) -> Scene:
    """`pendulums` balls on hinges; in `cycle` s they make `slowest`, `slowest` + 1, `slowest` + 2, ... swings."""
    checks.count("pendulums", pendulums, 1)
    checks.count("slowest", slowest, 1)
    world = World(gravity=(0, 0, -G))
    top = length_for(slowest, cycle) + 0.5
    # A swing of finite amplitude takes longer by this factor.
    slower = 1.0 + AMPLITUDE**2 / 16
    for k in range(pendulums):
        length = length_for(slowest + k, cycle / slower)
        y = 2.5 * RADIUS * (k - 0.5 * (pendulums - 1))
        place = (length * math.sin(AMPLITUDE), y, top - length * math.cos(AMPLITUDE))
        ball = world.add_body(
            Sphere(RADIUS),
            _wire(length),
            position=place,
            mass=Mass.sphere(RADIUS, density=7800),
            name=f"ball {k}",
        )
        world.add_hinge(ball, None, anchor=(0, y, top), axis=(0, 1, 0), name=f"hinge {k}")
    beam = Box((0.04, 2.5 * RADIUS * (pendulums + 1), 0.04), position=(0, 0, top + 0.02), name="beam")
    world.add_geom(beam)
    world.add_plane(name="ground")
    return Scene(
        world,
        h=0.005,
        seconds=cycle,
        moment=6.0,
        camera=(2.3, -1.9, top - 0.15),
        target=(0, 0, top - 0.5),
        note=f"After {cycle:g} s all of them are at their starting positions.",
    )


def _wire(length: float) -> Geom:
    """From a ball to its hinge, visible in its initial pose; it has no mass and no contacts."""
    tilt = quaternion_from_axis_angle((0, 1, 0), -AMPLITUDE)
    middle = (-0.5 * length * math.sin(AMPLITUDE), 0.0, 0.5 * length * math.cos(AMPLITUDE))
    wire = Capsule(0.004, length, position=middle, quaternion=tilt, name="wire")
    wire.category_bits = wire.collide_bits = 0
    return wire
