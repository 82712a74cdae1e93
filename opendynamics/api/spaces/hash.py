"""Cells of several sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.spaces.space import Array, Space


class HashSpace(Space):
    """Sorts geoms by size into cells of 2**k m: right for many geoms.

    Args:
        geoms: members to begin with.
        levels: see the property.
        arguments: see `Space`.
    """

    broadphase = "hash"

    def __init__(self, geoms: Any = (), *, levels: tuple[int, int] = (-3, 10), **arguments: Any) -> None:
        self._levels = checked_levels("the levels of the new space", "each level of the new space", levels)
        super().__init__(geoms, **arguments)

    @property
    def levels(self) -> tuple[int, int]:
        """Smallest and largest cell, as powers of two of a metre. Larger geoms are tested against everything.

        (-3, 10) at first.
        """
        return self._levels

    @levels.setter
    def levels(self, levels: tuple[int, int]) -> None:
        self._levels = checked_levels(self._say("the levels"), self._say("each level"), levels)

    def _parameters(self) -> tuple[float, ...]:
        return self._levels

    def _ordered_as_in_ode(self, boxes: Array, pairs: Any) -> Any:
        """ODE's way: geoms look, in the order of the list, into the cells of their own level and of larger ones.

        In a cell they meet those last that are first in the list. Then each meets those too large for cells, in the order of
        the list, and these meet each other.
        """
        lows = boxes[:, 0::2].copy()
        extents = boxes[:, 1::2] - lows
        sizes = np.maximum(np.maximum(extents[:, 0], extents[:, 1]), extents[:, 2])
        bounded = np.isfinite(sizes)
        levels = np.where(bounded, np.frexp(np.where(bounded, sizes, 0.0))[1], _UNBOUNDED)
        levels = np.maximum(levels, self._levels[0])
        large = levels > self._levels[1]
        first, second = pairs.T
        turn = (levels[first] > levels[second]) | (large[first] & ~large[second])
        first, second = np.where(turn, (second, first), (first, second))
        # Two that share cells meet in the first of them: of the larger one's level, at the larger of both lower corners.
        level = levels[second]
        corners = np.maximum(lows[first], lows[second])
        cells = np.floor(np.ldexp(corners, -np.where(large[second], 0, level)[:, None]))
        cells[large[second]] = 0.0
        phase = large[first].astype(np.int64) + large[second]
        last = np.where(large[second], second, -second)
        order = np.lexsort((last, *cells.T[::-1], np.where(large[second], 0, level), first, phase))
        return np.stack((first[order], second[order]), axis=1)


# A level above all.
_UNBOUNDED = 2000


def checked_levels(what: str, each: str, levels: Any) -> tuple[int, int]:
    """`levels` as two whole numbers, the lower one first; the names are for messages."""
    try:
        low, high = levels
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be two numbers, low and high, not {levels!r}") from None
    low, high = (checks.count(each, level, -1000, 1000) for level in (low, high))
    if low > high:
        raise ValueError(f"{what} must be in order, the lower one first, not {low}, {high}")
    return low, high
