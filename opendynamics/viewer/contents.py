"""What there is to see of a world."""

from __future__ import annotations

from collections.abc import Iterable

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World


def geoms_of(world: World, spaces: Iterable[Space] = ()) -> tuple[Geom, ...]:
    """Every geom of the world's own space, of its bodies, and of further spaces, each once, oldest first.

    A program that collides in ODE's way has its geoms in spaces of its own: those on bodies are found all the same,
    floors and walls only if their space is given.
    """
    found: dict[Geom, None] = dict.fromkeys(world.geoms)
    for body in world.bodies:
        found.update(dict.fromkeys(reversed(body.geoms)))
    for space in spaces:
        found.update(dict.fromkeys(reversed(tuple(space.geoms()))))
    return tuple(found)
