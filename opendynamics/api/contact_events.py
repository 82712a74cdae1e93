"""Contact events: pairs of geoms that begin, continue or cease to touch.

A tracker checks a world after every step of `advance`, and every sub-step. Two geoms touch while they have contacts of depth 0 or
more; sleeping pairs, which have no contacts, keep their state. A zone touches every geom that overlaps it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opendynamics.api import describing
from opendynamics.api.member import Companion
from opendynamics.api.owned_geoms import geoms_of
from opendynamics.api.suggestions import explain_calls
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.report import REPORTS

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.world import World


@explain_calls
@dataclass(frozen=True, repr=False)
class TouchingPair:
    """Two geoms that touch, or have ceased to.

    Attributes:
        geom1, geom2: the geoms; a zone is always geom1.
        time: `world.time` after the step or sub-step of the event, s.
    """

    geom1: Geom
    geom2: Geom
    time: float

    @property
    def body1(self) -> Body | None:
        """The body of geom1; None if it has none, or has been destroyed."""
        return self.geom1.body if self.geom1.alive else None

    @property
    def body2(self) -> Body | None:
        """The body of geom2; None if it has none, or has been destroyed."""
        return self.geom2.body if self.geom2.alive else None

    @property
    def sensor(self) -> bool:
        """Whether geom1 is a zone."""
        return self.geom1.alive and self.geom1.sensor

    def __repr__(self) -> str:
        names = " and ".join(map(describing.touching, (self.geom1, self.geom2)))
        return f"<TouchingPair of {names} at {self.time:.6g} s>"

    def __contains__(self, thing: object) -> bool:
        """Whether a body or geom, or a geom of a robot, is one of the two."""
        if isinstance(thing, Companion):
            geoms = geoms_of(thing) or ()
            return self.geom1 in geoms or self.geom2 in geoms
        return thing is not None and thing in (self.geom1, self.geom2, self.body1, self.body2)


@explain_calls
@dataclass(frozen=True)
class ContactEvents:
    """Contact events of the last `advance`.

    Attributes:
        begin: pairs that began to touch.
        persist: pairs that touched before and still touch.
        end: pairs that ceased to touch, including those with a destroyed geom.
    """

    begin: list[TouchingPair] = field(default_factory=list)
    persist: list[TouchingPair] = field(default_factory=list)
    end: list[TouchingPair] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[str, TouchingPair]]:
        """Iterate over all events, as ("begin", "persist" or "end", pair)."""
        for kind in ("begin", "persist", "end"):
            for pair in getattr(self, kind):
                yield kind, pair


class ContactTracker:
    """A watcher that tracks the touching pairs of geoms."""

    steps_until_frame = 1
    sees_sub_steps = True

    def __init__(self, world: World) -> None:
        self._world = world
        self.start()

    def start(self) -> None:
        """Start with the pairs that touch now, and those known to sleep; all begin to. Before the first step, none touch yet."""
        self._touching: dict[frozenset[Geom], tuple[Geom, Geom]] = self._pairs_now() if self._world.time else {}
        flat = iter(self._world._touching_asleep)
        self._touching |= {frozenset(pair): pair for pair in zip(flat, flat, strict=True)}
        self.events = ContactEvents(begin=self._touching_now(self._touching.values()))
        self._begun: set[frozenset[Geom]] = set(self._touching)

    def begin(self) -> None:
        """Called when an `advance` begins: clear the events."""
        self.events = ContactEvents()
        self._begun = set()

    def stepped(self, h: float, steps: int) -> None:
        """Compare the touching pairs with those before the step."""
        now, before = self._pairs_now(), self._touching
        missing = {key: pair for key, pair in before.items() if key not in now}
        asleep = {key: pair for key, pair in missing.items() if _sleeps(pair)}
        now |= asleep
        self._note_asleep(asleep)
        self.events.begin.extend(self._touching_now(pair for key, pair in now.items() if key not in before))
        self.events.end.extend(self._touching_now(pair for key, pair in missing.items() if key not in now))
        self._begun |= now.keys() - before.keys()
        self.events.persist[:] = self._touching_now(pair for key, pair in now.items() if key not in self._begun)
        self._touching = now

    def _note_asleep(self, pairs: dict[frozenset[Geom], tuple[Geom, Geom]]) -> None:
        """Save the sleeping pairs with the world, which has no contacts of them."""
        flat = tuple(geom for pair in pairs.values() for geom in pair)
        if flat != self._world._touching_asleep:
            self._world._touching_asleep = flat

    def _touching_now(self, pairs: Any) -> list[TouchingPair]:
        return [TouchingPair(one, other, self._world.time) for one, other in pairs]

    def _pairs_now(self) -> dict[frozenset[Geom], tuple[Geom, Geom]]:
        """Touching pairs, in the order of their contacts, then those of zones."""
        store, space = self._world._store, self._world.space
        points = store[POINTS][: int(store[REPORTS]["contacts"][0])]
        points = points[points["depth"] >= 0.0]
        rows = dict.fromkeys(zip(points["geom_a"].tolist(), points["geom_b"].tolist(), strict=True))
        pairs = [(space.find(a), space.find(b)) for a, b in rows]
        for zone in space.sensors:
            pairs += [(zone, other) for other in space.overlaps(zone) if other.body is not None]
        return {frozenset((a, b)): (a, b) for a, b in pairs if a is not None and b is not None}


def _sleeps(pair: tuple[Geom, Geom]) -> bool:
    """Whether two geoms have no contacts because their movable bodies sleep."""
    if not all(geom.alive and geom.enabled and not geom.sensor for geom in pair):
        return False
    bodies = [geom.body for geom in pair if geom.body is not None and not geom.body.kinematic]
    return bool(bodies) and not any(body.enabled for body in bodies)
