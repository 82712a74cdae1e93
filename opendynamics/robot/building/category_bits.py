"""Category bits that prevent collisions between links of the same robot: one for each such robot of a world."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from opendynamics.api.checks import ALL_BITS
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.world import World

# Geoms outlive a Robot without references, so bits are recorded here and not derived from the world's robots.
_taken: WeakKeyDictionary[World, set[int]] = WeakKeyDictionary()


def take_bit(world: World) -> int:
    """An unused bit of the world; ValueError if there is none."""
    taken = _taken.setdefault(world, set())
    free = set(range(64)) - taken
    if not free:
        raise ValueError(
            f"{world.name} already has 64 robots without self-collision, and each needs a category bit; "
            "make this one with self_collision=True"
        )
    bit = max(free)
    taken.add(bit)
    return bit


def note_bit(world: World, bit: int) -> None:
    """A robot with a bit was restored."""
    _taken.setdefault(world, set()).add(bit)


def give_back_bit(world: World, bit: int) -> None:
    """Release a bit."""
    _taken[world].discard(bit)


def leave_alone(geoms: Iterable[Geom], bit: int) -> None:
    """Make geoms collide with everything except each other."""
    for geom in geoms:
        geom.category_bits, geom.collide_bits = 1 << bit, ALL_BITS & ~(1 << bit)
