"""Geoms of what queries and contacts accept: a body, a geom, a robot, or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.member import Companion


def geoms_of(thing: Any) -> set[Any] | None:
    """The geoms of a body, a geom or a robot; None for anything else."""
    if isinstance(thing, Body):
        return set(thing.geoms)
    if isinstance(thing, Geom):
        return {thing}
    geoms = thing._owned_geoms() if isinstance(thing, Companion) else None
    return None if geoms is None else set(geoms)


def geoms_of_all(what: str, things: Any) -> set[Any]:
    """The geoms of a body, a geom or a robot, or of several: lists, spaces, and dictionaries such as `robot.bodies`.

    TypeError for anything else, with the name `what` of the argument.
    """
    geoms = geoms_of(things)
    if geoms is not None:
        return geoms
    if isinstance(things, str | bytes) or not isinstance(things, Iterable):
        raise TypeError(f"{what} takes bodies, geoms and robots, one or several, not {things!r}")
    found: set[Any] = set()
    for thing in things.values() if isinstance(things, Mapping) else things:
        found |= geoms_of_all(what, thing)
    return found
