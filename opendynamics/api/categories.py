"""Collision filters by names, for `category_bits` and `collide_bits`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from opendynamics.api.checks import ALL_BITS
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.suggestions import Strict, explain_calls

MOST = 62  # of 64 bits; robots without self-collision use bits from the highest down


@explain_calls
class Categories(Strict):
    """Names for category bits: the first name is bit 0, and so on.

        kinds = od.Categories("floor", "robot", "ghost")
        kinds.set(arm, "robot", collides_with={"floor", "robot"})
        kinds.set(ghost, "ghost", collides_with={"floor"})

    Two geoms collide if a category of one is among those that the other collides with: to exclude a pair, leave the category out
    on both sides. Geoms without categories set belong to every category and collide with all.

    Args:
        names: at most 62, all different. The same names in the same order give the same bits in every program.
    """

    __slots__ = ("names",)

    def __init__(self, *names: str) -> None:
        given: tuple[Any, ...] = names
        if wrong := [name for name in given if not isinstance(name, str) or not name]:
            raise TypeError(f"a category is a name, not {wrong[0]!r}")
        if len(set(names)) != len(names) or not 1 <= len(names) <= MOST:
            raise ValueError(f"categories must be 1 to {MOST} different names, not {len(names)}: {', '.join(names)}")
        self.names = names

    def bits(self, names: str | Iterable[str]) -> int:
        """Bits of one name, or of several together. A ValueError lists the existing names."""
        if not isinstance(names, Iterable):
            raise TypeError(f"a category is given by its name, not by {names!r}; there are: {', '.join(self.names)}")
        wanted = (names,) if isinstance(names, str) else tuple(names)
        for name in wanted:
            if name not in self.names:
                raise ValueError(f"there is no category {name!r}; there are: {', '.join(self.names)}")
        return sum(1 << self.names.index(name) for name in set(wanted))

    def set(self, geom: Geom, category: str | Iterable[str], *, collides_with: Iterable[str] | None = None) -> None:
        """Set a geom's categories and those it collides with: all by default, none if it is empty."""
        if not isinstance(geom, Geom):
            raise TypeError(f"categories are set for a geom, not for {geom!r}; for a body, set those of its geoms")
        is_a = self.bits(category)
        meets = ALL_BITS if collides_with is None else self.bits(collides_with)
        geom.category_bits, geom.collide_bits = is_a, meets

    def of(self, geom: Geom) -> frozenset[str]:
        """The categories of a geom."""
        return self._named(geom.category_bits)

    def collides_with(self, geom: Geom) -> frozenset[str]:
        """The categories that a geom collides with."""
        return self._named(geom.collide_bits)

    def _named(self, bits: int) -> frozenset[str]:
        return frozenset(name for place, name in enumerate(self.names) if bits >> place & 1)

    def __repr__(self) -> str:
        return f"Categories({', '.join(map(repr, self.names))})"
