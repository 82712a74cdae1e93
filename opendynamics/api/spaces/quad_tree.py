"""Blocks parted in four."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.read_only import read_only
from opendynamics.api.spaces.space import Array, Space
from opendynamics.api.types import Vector

# 4**10 blocks take 11 MB.
DEEPEST = 10


class QuadTreeSpace(Space):
    """Parts a box in four blocks, these again, and so on: right for wide, flat scenes whose extent is known.

    The two axes of the largest extents are parted. Geoms that reach out of the box are found, too, but slowly.

    Args:
        center: of the box, m.
        extents: half sides of the box, m.
        depth: how often blocks are parted: there are 4**depth smallest ones.
        geoms: members to begin with.
        arguments: see `Space`.
    """

    broadphase = "quad_tree"

    def __init__(self, center: Vector, extents: Vector, depth: int, geoms: Any = (), **arguments: Any) -> None:
        self._center = checks.vector("the centre of the new space", center)
        self._extents = checked_extents("the extents of the new space", extents)
        self._depth = checks.count("the depth of the new space", depth, 0, DEEPEST)
        super().__init__(geoms, **arguments)

    @property
    def center(self) -> Array:
        """Centre of the box that is parted, m."""
        return read_only(self._center)

    @center.setter
    def center(self, center: Vector) -> None:
        self._center = checks.vector(self._say("the centre"), center)

    centre = Alias[Array, Vector]("center")

    @property
    def extents(self) -> Array:
        """Half sides of the box that is parted, m."""
        return read_only(self._extents)

    @extents.setter
    def extents(self, extents: Vector) -> None:
        self._extents = checked_extents(self._say("the extents"), extents)

    @property
    def depth(self) -> int:
        """How often blocks are parted, 0 to 10."""
        return self._depth

    @depth.setter
    def depth(self, depth: int) -> None:
        self._depth = checks.count(self._say("the depth"), depth, 0, DEEPEST)

    def _parameters(self) -> tuple[float, ...]:
        return (*self._center, *self._extents, self._depth)


def checked_extents(what: str, extents: Any) -> tuple[float, ...]:
    """`extents` as three lengths above zero."""
    numbers = checks.vector(what, extents)
    for number in numbers:
        checks.positive(f"each of {what}", number)
    return numbers
