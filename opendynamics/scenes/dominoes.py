"""A spiral of dominoes: the first is pushed over, and all the others follow."""

from __future__ import annotations

import math

from opendynamics.api import checks
from opendynamics.api.geoms.box import Box
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene

THICKNESS, WIDTH, HEIGHT = 0.06, 0.2, 0.4  # m
PITCH = 0.17  # m, from one to the next
START, GROWTH = 0.7, 0.085  # m, radius of the spiral at its inner end; m per rad
LAYER = 1e-4  # m, in which contacts are not corrected and persist
PUSH = 2.5  # rad/s


def build(*, dominoes: int = 100) -> Scene:
    """`dominoes` of them on the spiral r = 0.7 m + 0.085 m φ, from the inside out; the innermost tips over."""
    checks.count("dominoes", dominoes, 1)
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.5))
    world.contact_surface_layer = LAYER
    world.add_plane(name="ground")
    angle = 0.0
    for k in range(dominoes):
        radius = START + GROWTH * angle
        # The tangent of the spiral is ahead of that of the circle by atan(r' / r).
        heading = angle + 0.5 * math.pi - math.atan2(GROWTH, radius)
        domino = world.add_body(
            Box((THICKNESS, WIDTH, HEIGHT)),
            position=(radius * math.cos(angle), radius * math.sin(angle), 0.5 * HEIGHT - LAYER),
            quaternion=quaternion_from_axis_angle((0, 0, 1), heading),
            density=600,
            name=f"domino {k}",
        )
        if k == 0:
            # About its lower edge: the centre moves ahead, and slightly up.
            spin = PUSH * domino.rotation[:, 1]
            domino.angular_velocity = spin
            domino.linear_velocity = 0.5 * PUSH * (HEIGHT * domino.rotation[:, 0] + THICKNESS * domino.rotation[:, 2])
        angle += PITCH / math.hypot(radius, GROWTH)
    reach = START + GROWTH * angle
    return Scene(
        world,
        h=0.005,
        seconds=0.075 * dominoes + 1.0,
        moment=4.0,
        camera=(0.5 * reach, -1.9 * reach, 1.35 * reach),
        target=(0.0, -0.1 * reach, 0.0),
        note="Each is pushed before it would fall by itself; the wave runs at a speed of its own.",
    )
