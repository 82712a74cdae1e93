"""Boxes on a slope: those with enough friction stick, the others slide."""

from __future__ import annotations

import math

from opendynamics.api.geoms.box import Box
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene

SIDE = 0.3  # of the boxes, m
SINK = 1e-6  # m: they start in contact with the slope, or they would slip slightly while they fall onto it


def build(*, degrees: float = 20.0, friction: tuple[float, ...] = (0.1, 0.2, 0.3, 0.35, 0.38, 0.5, 0.8)) -> Scene:
    """A slope that falls along +x by `degrees`, and a box for each coefficient in `friction`.

    A box slides if its coefficient is below tan(angle), with the acceleration g (sin(angle) - mu cos(angle)).
    """
    angle = math.radians(degrees)
    world = World(gravity=(0, 0, -9.81))
    up = (math.sin(angle), 0.0, math.cos(angle))
    world.add_plane(normal=up, name="slope")
    high = 0.5 * SIDE - SINK
    tilted = quaternion_from_axis_angle((0, 1, 0), angle)
    for k, mu in enumerate(friction):
        material = f"friction {mu:g}"
        world.surfaces[material] = Surface(mu=mu)
        place = (high * up[0], 2 * SIDE * (k - 0.5 * (len(friction) - 1)), high * up[2])
        box = Box((SIDE, SIDE, SIDE), material=material)
        world.add_body(box, position=place, quaternion=tilted, density=500, name=material)
    return Scene(
        world,
        seconds=3.0,
        moment=1.4,
        camera=(2.9, -5.7, 0.7),  # across the slope, whose edge against the sky shows its angle
        target=(1.65, 0, -0.5),
        note=f"Friction of {math.tan(angle):.3f}, the tangent of {degrees:g} degrees, is the minimum for sticking.",
    )
