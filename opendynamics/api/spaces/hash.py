"""Cells of several sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.spaces.space import Space
from opendynamics.api.spaces.staging import Stage
from opendynamics.core.collide.hash_order import KEY, PHASES, SCRATCH, order_pairs


class HashSpace(Space):
    """Hash space: sorts geoms by size into cells of 2**k m; suitable for many geoms.

    Args:
        geoms: initial members.
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

        (-3, 10) by default.
        """
        self._require_alive()
        return self._levels

    @levels.setter
    def levels(self, levels: tuple[int, int]) -> None:
        self._levels = checked_levels(self._say("the levels"), self._say("each level"), levels)

    def _parameters(self) -> tuple[float, ...]:
        return self._levels

    def _in_odes_order(self, stage: Stage, pairs: Any) -> Any:
        count, ranks, ordered = len(pairs), self._ranks(stage), np.empty_like(pairs)
        keys, scratch = np.empty((count, KEY)), np.empty((SCRATCH, count), np.int64)
        starts = np.zeros(PHASES * len(ranks) + 1, np.int64)
        met = order_pairs(stage.store.tables, ranks, pairs, *self._levels, keys, scratch, starts, ordered)
        return ordered[:met]


def checked_levels(what: str, each: str, levels: Any) -> tuple[int, int]:
    """`levels` as two integers, the lower one first; the names are for messages."""
    try:
        low, high = levels
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be two numbers, low and high, not {levels!r}") from None
    low, high = (checks.count(each, level, -1000, 1000) for level in (low, high))
    if low > high:
        raise ValueError(f"{what} must be in order, the lower one first, not {low}, {high}")
    return low, high
