"""A chain of capsules on ball joints, released from the horizontal."""

from __future__ import annotations

import math

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.world import World
from opendynamics.scenes import Scene

PITCH, RADIUS = 0.25, 0.05  # of a link, m


def build(*, links: int = 20, height: float = 6.0) -> Scene:
    """`links` steel links, the first held at `height` m above the ground."""
    checks.count("links", links, 1)
    world = World(gravity=(0, 0, -9.81))
    world.add_plane(name="ground")
    lying = quaternion_from_axis_angle((0, 1, 0), 0.5 * math.pi)
    previous: Body | None = None
    for k in range(links):
        # Neighbours connected by a joint do not collide, so that the round ends may overlap.
        link = world.add_body(
            Capsule(RADIUS, PITCH - 2 * RADIUS),
            position=((k + 0.5) * PITCH, 0, height),
            quaternion=lying,
            density=7800,
            name=f"link {k}",
        )
        world.add_ball(link, previous, anchor=(k * PITCH, 0, height))
        previous = link
    length = links * PITCH
    return Scene(
        world,
        h=0.005,
        seconds=8.0,
        moment=1.5,
        camera=(0.1 * length, -1.75 * length, height - 0.15 * length),
        target=(0, 0, height - 0.5 * length),
        note="The free end cracks like a whip when it has passed the lowest point.",
    )
