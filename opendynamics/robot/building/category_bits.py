"""Category bits by which the own links of a robot leave each other alone: one for each such robot of a world."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.world import World

ALL_BITS = (1 << 64) - 1

# Geoms outlive a Robot that nobody holds any more, so that bits are noted here and not read off the world's robots.
_taken: WeakKeyDictionary[World, set[int]] = WeakKeyDictionary()


def take_bit(world: World) -> int:
    """A bit that no other robot of the world has; ValueError if there is none."""
    taken = _taken.setdefault(world, set())
    free = set(range(64)) - taken
    if not free:
        raise ValueError(
            f"{world.name} has 64 robots that do not meet themselves, more than there are category bits; "
            "make this one with self_collision=True"
        )
    bit = max(free)
    taken.add(bit)
    return bit


def note_bit(world: World, bit: int) -> None:
    """A robot that has a bit is back."""
    _taken.setdefault(world, set()).add(bit)


def give_back_bit(world: World, bit: int) -> None:
    """Let others have a bit."""
    _taken[world].discard(bit)


def leave_alone(geoms: Iterable[Geom], bit: int) -> None:
    """Let geoms meet all but each other."""
    for geom in geoms:
        geom.category_bits, geom.collide_bits = 1 << bit, ALL_BITS & ~(1 << bit)
