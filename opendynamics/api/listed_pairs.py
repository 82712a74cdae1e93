"""Pairs of geoms of a space and their contact points, found for all pairs in one call.

`CollidedPairs` are those of `space.contacts`. `ListedPairs` are the pairs of one `space.collide`. The first collision that the
callback requests collides all remaining pairs. The result is used as long as nothing has moved or changed (`Home.edition`);
pairs that need Python, and calls with other arguments than the first, are collided one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from opendynamics.api.body_pairs import pair_number
from opendynamics.api.colliders import ASK_ADDRESS, share_colliders
from opendynamics.api.contact_run import END, NO_JOINTS, NO_PAIR, NOT_GIVEN, NOTHING
from opendynamics.api.found_contacts import FoundContacts, FoundPoint, Maker
from opendynamics.api.home import FREE
from opendynamics.core.collide.listed_pairs import NOT_COLLIDED, collide_listed

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.world import World

Numbers = npt.NDArray[np.int64]
Pair: TypeAlias = tuple[Any, Any, Any, Any, int]
P = TypeVar("P")
FREE_EDITION = FREE.edition

# Largest number of contact points that a call may request for a pair.
MAX_POINTS = 0xFFFF


def world_of(homes: Any) -> World | None:
    """The only world among some homes; None if there are none or several."""
    worlds = [home.world for home in homes if home.world is not None and home.world.alive]
    return worlds[0] if len(worlds) == 1 else None


class CollidedPairs(FoundContacts):
    """Pairs of the members of a stage, and their contact points once they are requested.

    Attributes:
        places: the positions of both members of each pair, shape (n, 2).
        left_out: how many more points each pair has; nothing if none has.
        starts, ends: of the points of each pair; an end below 0: it is collided by itself.
        edition, free_edition: when the pairs were found, of the home that is `home_edition`, and of geoms without a world.
        limit, like: what the points were asked for with; a limit of -1: none have been yet.
    """

    __slots__ = (
        *("_stage", "edition", "ends", "free_edition", "home_edition", "left_out", "like", "limit", "places"),
        "starts",
    )

    starts: Any
    ends: Any
    left_out: Any

    def __init__(self, stage: Any, places: Numbers) -> None:
        FoundContacts.__init__(self, stage.members, world_of(stage.homes))
        self._stage = stage
        self.places = places
        self.home_edition = (FREE if self.world is None else self.world._home).edition
        self.edition = self.home_edition.number
        self.free_edition = FREE_EDITION.number
        self.limit = -1
        self.like: Any = None
        self.starts, self.ends, self.left_out = [], [], []

    @property
    def intact(self) -> bool:
        """Whether nothing has moved or changed since the pairs were found."""
        return self.edition == self.home_edition.number and self.free_edition == FREE_EDITION.number

    def collide_all(self, limit: int, like: Any) -> Numbers:
        """Collide all pairs; returns the indices of those that have a body and need Python."""
        if not self._collide(0, limit, like):
            raise RuntimeError("the space has changed since its pairs were listed")
        left = np.flatnonzero(self.ends == NOT_COLLIDED)
        return left[self.bodies[self.places[left]].any(axis=1)]

    def members_of(self, pair: int) -> tuple[Geom, Geom]:
        """Both members of a pair."""
        a, b = self.places[pair].tolist()
        return self.members[a], self.members[b]

    def _collide(self, first: int, limit: int, like: Any) -> bool:
        """Collide the pairs from `first` on. False: they have to be collided one by one."""
        stage, world = self._stage, self.world
        if world is None or type(limit) is not int or not 1 <= limit <= MAX_POINTS:
            return False
        if like not in (None, "ode", "opendynamics") or not self.intact or stage.members is not self.members:
            return False
        store = stage.store
        share_colliders(store, (world.collider if like is None else like) == "ode")
        starts, ends, left_out = np.zeros((3, len(self.places)), np.int64)
        asking = [place for place, mesh in stage.meshes if mesh._asks]
        if asking:
            ends[np.isin(self.places, asking).any(axis=1)] = NOT_COLLIDED
        arguments = store.tables, self.places, first, limit, ASK_ADDRESS, starts, ends, left_out
        count = collide_listed(*arguments)
        while count < 0:
            store.make_missing_room()
            count = collide_listed(*arguments)
        self.take_points(store, count)
        self.limit, self.like = limit, like
        self._take_ranges(starts, ends, left_out)
        return True

    def _take_ranges(self, starts: Numbers, ends: Numbers, left_out: Numbers) -> None:
        """Keep the range of points of each pair."""
        self.starts, self.ends, self.left_out = starts, ends, left_out


class _KnownPairs(dict[int, Pair]):
    """Pairs by the positions of their members as one number (`pair_number`), created when they are first read."""

    __slots__ = ("_bodies", "_members")

    def __init__(self, members: tuple[Any, ...], bodies: list[Any]) -> None:
        self._members, self._bodies = members, bodies

    def __missing__(self, places: int) -> Pair:
        a, b = places >> 32, places & 0xFFFFFFFF
        one, other = self._bodies[a], self._bodies[b]
        rows = sorted((one._index, other._index)) if one is not None and other is not None else (0, 0)
        pair = self[places] = self._members[a], self._members[b], one, other, pair_number(*rows)
        return pair


class ListedPairs(CollidedPairs):
    """The pairs of a collision of a space, which a callback looks at one after the other.

    Attributes:
        pairs: both members, their bodies, and the number of these (`pair_number`), as `bodies_edition` has them; no bodies where
            they are of several worlds.
        current, at: the pair that the callback looks at, and its number.
        given: its geoms as another API gave them to the callback.
        run: of what the next contact joint of the world is made.
        shown: what shows the points to users, made by `maker`, and END.
    """

    __slots__ = (
        *("_known", "_numbers", "_one_geom_a_body", "at", "current", "given", "maker", "pairs", "run", "shown"),
    )

    starts: list[int]
    ends: list[int]
    left_out: list[int]

    def __init__(self, stage: Any, places: Numbers) -> None:
        self.shown: list[Any] = [END]
        self.maker: Any = None
        self.members: Any = None  # none was read
        self.pairs: list[Pair] = []
        self._known = _KnownPairs((), [])
        self._numbers: Numbers = np.empty(0, np.int64)
        self.bodies_edition = -1
        self.places: Numbers = np.empty((0, 2), np.int64)
        self._begin(stage, places)

    def _begin(self, stage: Any, places: Numbers) -> None:
        members, bodies_before, places_before = self.members, self.bodies_edition, self.places
        CollidedPairs.__init__(self, stage, places)
        self.run = NO_JOINTS if self.rows is None else self.rows.run
        changed = members is not stage.members or bodies_before != self.bodies_edition
        if changed:
            self._look_at_members()
        if changed or not np.array_equal(places, places_before):
            self.pairs = self._pairs_of(places)
        self.once = self._one_geom_a_body
        self.current, self.at, self.given = NO_PAIR, -1, NOT_GIVEN

    def _look_at_members(self) -> None:
        """Record the bodies of the members; none if they are not all of one world."""
        known = self.world is not None
        bodies = [getattr(member, "_body", None) if known else None for member in self.members]
        on_bodies = [body for body in bodies if body is not None]
        self._one_geom_a_body = known and len(set(on_bodies)) == len(on_bodies)
        self._known, self._numbers = _KnownPairs(self.members, bodies), self._numbers[:0]

    def _pairs_of(self, places: Numbers) -> list[Pair]:
        """The pairs of members at some positions; most of them were pairs in the previous step."""
        known, before = self._known, self._numbers
        if len(known) > 4 * len(places) + 1000:
            known.clear()
        self._numbers = numbers = pair_number(places[:, 0], places[:, 1])
        if len(before) and (before[1:] > before[:-1]).all():  # by bisection; the order of spaces like ODE is another
            at = before.searchsorted(numbers)
            fresh = np.flatnonzero(before.take(at, mode="clip") != numbers)
            if 4 * len(fresh) < len(places):
                at[fresh] = 0
                pairs = list(map(self.pairs.__getitem__, at.tolist()))
                for k in fresh.tolist():
                    pairs[k] = known[int(numbers[k])]
                return pairs
        return list(map(known.__getitem__, numbers.tolist()))

    def found(self, pair: int, limit: int, like: Any, maker: Maker[P]) -> list[P] | None:
        """The points of a pair, at most `limit`, created by `maker`, as for `collide`; None: collide the pair separately."""
        if limit != self.limit or like is not self.like:
            if self.limit != -1 or not self._collide(pair, limit, like):
                return None
            self._show(maker)
        elif self.edition != self.home_edition.number or self.free_edition != FREE_EDITION.number:
            return None
        elif maker is not self.maker:
            self._show(maker)
        end = self.ends[pair]
        return self.shown[self.starts[pair] : end] if end >= 0 else None

    def _show(self, maker: Maker[Any]) -> None:
        """Create the objects for all points with one maker."""
        if maker is not self.maker:
            self.forget()
            self.maker = maker
        shown = self.shown
        shown[-1:] = maker.make(self, range(len(shown) - 1, len(self.points)))
        shown.append(END)

    def forget(self) -> None:
        """Leave the objects that show the points to the users who hold them."""
        self.shown, self.maker = [END], None

    def renew(self) -> bool:
        """Reuse the objects for the next points, unless some are referenced elsewhere."""
        shown = self.shown
        del shown[-1]
        renewed = not shown or self.maker.renew(shown)
        shown.append(END)
        return renewed

    def shown_after(self, k: int) -> Sequence[Any]:
        """What shows the points to users."""
        return self.shown if k + 1 < len(self.shown) else NOTHING

    def part_with(self, shown: FoundPoint, k: int) -> None:
        """Detach the object that showed point k."""
        self.run.look_closer()
        if k < len(self.shown) and self.shown[k] is shown:
            self.shown[k] = self.maker.make(self, (k,))[0]

    def colliding_geoms(self, k: int) -> tuple[Geom, Geom]:
        """The members that collided in point k, mostly those that the callback is processing."""
        pair = self.at
        if pair >= 0 and self.starts[pair] <= k < self.ends[pair]:
            return self.current[0], self.current[1]
        return FoundContacts.colliding_geoms(self, k)

    def _take_ranges(self, starts: Numbers, ends: Numbers, left_out: Numbers) -> None:
        """Keep lists, of which a single number is read faster."""
        self.starts, self.ends = starts.tolist(), ends.tolist()
        self.left_out = left_out.tolist() if left_out.any() else []


def listed_pairs(stage: Any, places: Numbers, former: list[ListedPairs]) -> ListedPairs:
    """The pairs of a collision, in the object of the previous collision if that is not referenced any more, so that its
    contacts can be reused.
    """
    if former:
        listed = former.pop()
        known = getrefcount(listed) + 1 - len(listed.shown)
        if known == _UNKNOWN and not listed.touched and listed.renew():
            listed._begin(stage, places)
            return listed
        listed.forget()
    return ListedPairs(stage, places)


def _references() -> int:
    listed = object()
    return getrefcount(listed)


_UNKNOWN = _references()  # references of an object that only a variable holds
