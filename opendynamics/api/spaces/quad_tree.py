"""Quad tree space."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.read_only import read_only
from opendynamics.api.spaces.space import Array, Space
from opendynamics.api.types import Vector
from opendynamics.core.arrays.geoms import GEOMS

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.spaces.staging import Stage

# 4**10 blocks take 11 MB.
DEEPEST = 10


class QuadTreeSpace(Space):
    """Quad tree: divides a box into four blocks, recursively; suitable for wide, flat scenes of known extent.

    The two axes with the largest extents are divided. Geoms that extend beyond the box are found too, but slowly.

    Args:
        center: centre of the box, m.
        extents: half side lengths of the box, m.
        depth: number of subdivisions: there are 4**depth smallest blocks.
        geoms: initial members.
        arguments: see `Space`.
    """

    broadphase = "quad_tree"

    def __init__(self, center: Vector, extents: Vector, depth: int, geoms: Any = (), **arguments: Any) -> None:
        self._center = checks.vector("the centre of the new space", center)
        self._extents = checked_extents("the extents of the new space", extents)
        self._depth = checks.count("the depth of the new space", depth, 0, DEEPEST)
        self._blocks: dict[int, dict[Geom | Space, None]] = {}  # like ODE: the members of each block, first last
        self._block_of: dict[Geom | Space, int] = {}
        self._moving: dict[Geom | Space, None] = {}
        super().__init__(geoms, **arguments)

    @property
    def center(self) -> Array:
        """Centre of the box that is divided into cells, m, shape (3,)."""
        self._require_alive()
        return read_only(self._center)

    @center.setter
    def center(self, center: Vector) -> None:
        self._center = checks.vector(self._say("the centre"), center)

    centre = Alias[Array, Vector]("center")

    @property
    def extents(self) -> Array:
        """Half extents of the box that is divided into cells, m, shape (3,)."""
        self._require_alive()
        return read_only(self._extents)

    @extents.setter
    def extents(self, extents: Vector) -> None:
        self._extents = checked_extents(self._say("the extents"), extents)

    @property
    def depth(self) -> int:
        """Number of times that cells are divided, 0 to 10."""
        self._require_alive()
        return self._depth

    @depth.setter
    def depth(self, depth: int) -> None:
        self._depth = checks.count(self._say("the depth"), depth, 0, DEEPEST)

    def _parameters(self) -> tuple[float, ...]:
        return (*self._center, *self._extents, self._depth)

    # -- ODE's list: block by block, each before its children. A new member starts as a point in the middle. --------

    def _enlist(self, member: Geom | Space) -> None:
        super()._enlist(member)
        if self._like == "ode":
            self._put(member, self._find_block([0.0] * 6 if member._moved else member.aabb.tolist()))
            self._moving[member] = None

    def _unlist(self, member: Geom | Space) -> None:
        super()._unlist(member)
        if self._like == "ode":
            del self._blocks[self._block_of.pop(member)][member]
            self._moving.pop(member, None)

    def _put(self, member: Geom | Space, block: int) -> None:
        self._blocks.setdefault(block, {})[member] = None
        self._block_of[member] = block

    def _listed(self) -> Iterable[Geom | Space]:
        if self._like != "ode":
            return super()._listed()
        return (member for block in sorted(self._blocks) for member in reversed(self._blocks[block]))

    def _chained(self) -> Iterable[Geom | Space]:
        return super()._listed()

    def _bring_to_front(self, member: Geom | Space) -> None:
        """Record that it may be in another block."""
        self._moving[member] = None

    def _bring_all_to_front(self, moved: list[Geom | Space]) -> None:
        self._moving.update(zip(moved, repeat(None)))

    def _clean(self) -> None:
        self._clean_members(list(self._moving))
        stage = self._staged()
        bounds = stage.store[GEOMS]["bounds"]
        places = {member: place for place, member in enumerate(stage.members)}
        for member in self._moving:
            block = self._find_block(bounds[places[member]].tolist())
            if block != self._block_of[member]:
                del self._blocks[self._block_of[member]][member]
                self._put(member, block)
        self._moving = {}

    def _ranks(self, stage: Stage, other: Geom | Space | None = None) -> Any:
        """A member is paired first with those in its own block and the block's descendants, then with those in the ancestors."""
        ranks = super()._ranks(stage)
        own = self._block_of.get(other, 0)  # type: ignore[arg-type]
        if own:
            blocks = np.array([self._block_of[member] for member in stage.members])
            ranks[np.lexsort((ranks, np.where(blocks < own, -blocks, blocks), blocks < own))] = np.arange(len(ranks))
        return ranks

    def _find_block(self, box: list[float]) -> int:
        """The number of the smallest block that contains a box; each block is numbered before its four children.

        ODE divides x and y, whatever the extents are.
        """
        center, half, number = list(self._center[:2]), list(self._extents[:2]), 0
        for level in range(self._depth - 1, -1, -1):
            half = [0.5 * h for h in half]
            inner = ((4 ** (level + 1)) - 1) // 3  # blocks in one of the four
            for k in range(4):
                middle = [c + (h if side else -h) for c, h, side in zip(center, half, (k >> 1, k & 1), strict=True)]
                if all(
                    m - h <= box[2 * axis] and box[2 * axis + 1] <= m + h
                    for axis, (m, h) in enumerate(zip(middle, half, strict=True))
                ):
                    center, number = middle, number + 1 + k * inner
                    break
            else:
                break
        return number


def checked_extents(what: str, extents: Any) -> tuple[float, ...]:
    """`extents` as three lengths above zero."""
    numbers = checks.vector(what, extents)
    for number in numbers:
        checks.positive(f"each of {what}", number)
    return numbers
