"""Cells of several sizes."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.api.spaces.space import Space
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.store import Store


class HashSpace(Space):
    """Sorts geoms by size into cells of 2**k m: right for many geoms. For the arguments see `Space`."""

    broadphase = "hash"

    def __init__(self, geoms: Any = (), **arguments: Any) -> None:
        self._levels = -3, 10
        super().__init__(geoms, **arguments)

    @property
    def levels(self) -> tuple[int, int]:
        """Smallest and largest cell, as powers of two of a metre. Larger geoms are tested against everything."""
        return self._levels

    @levels.setter
    def levels(self, levels: tuple[int, int]) -> None:
        try:
            low, high = levels
        except (TypeError, ValueError):
            raise TypeError(f"{self._say('the levels')} must be two numbers, low and high, not {levels!r}") from None
        low, high = (checks.count(self._say("each level"), level, -1000, 1000) for level in (low, high))
        if low > high:
            raise ValueError(f"the lower level of {self.name} must not be above the upper one: {low}, {high}")
        self._levels = low, high

    def _tune(self, stage: Store) -> None:
        stage[CHOICES]["parameters"][0, :2] = self._levels
