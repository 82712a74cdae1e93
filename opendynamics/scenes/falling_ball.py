"""A ball dropped from two metres bounces and comes to rest."""

from __future__ import annotations

from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene


def build(*, height: float = 2.0, bounce: float = 0.6) -> Scene:
    """A rubber ball of 20 cm radius, its centre `height` m above the ground, with the restitution `bounce`."""
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.8, bounce=bounce, bounce_velocity=0.1))
    world.add_plane(name="ground")
    world.add_body(Sphere(0.2), position=(0, 0, height), density=1100, name="ball")
    note = f"The first bounce reaches {bounce:g}² = {bounce * bounce:.2g} of the height; below 0.1 m/s nothing bounces."
    return Scene(world, h=0.005, seconds=5.0, moment=0.55, camera=(0.8, -3.9, 1.5), target=(0, 0, 1.08), note=note)
