"""The visible geoms of a world."""

from __future__ import annotations

from collections.abc import Iterable

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World


def geoms_of(world: World, spaces: Iterable[Space] = ()) -> tuple[Geom, ...]:
    """All geoms of the world's own space, of its bodies, and of further spaces, each once, oldest first.

    A program with ODE's loop has its geoms in its own spaces: those on bodies are found, floors and walls only if their space
    is given.
    """
    found: dict[Geom, None] = dict.fromkeys(world.geoms)
    for body in world.bodies:
        found.update(dict.fromkeys(reversed(body.geoms)))
    for space in spaces:
        found.update(dict.fromkeys(reversed(tuple(space.geoms()))))
    return tuple(found)
