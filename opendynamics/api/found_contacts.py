"""Contact points of a collision, before they are read.

ODE's loop creates thousands of contacts per step, and most programs only pass them on to a joint. Here they remain rows of
one array: a contact refers to its row and reads it on demand, and compiled code creates contact joints from the rows.

`ListedPairs` are the pairs of one `space.collide`. The first collision that the callback requests collides all remaining
pairs in one call. The result is used as long as nothing has moved or changed (`Home.edition`); pairs that need Python, and
calls with other arguments than the first, are collided one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import repeat
from sys import getrefcount
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from opendynamics.api.body_pairs import pair_number
from opendynamics.api.colliders import ASK_ADDRESS, share_colliders
from opendynamics.api.contact_run import END, NO_JOINTS, NO_PAIR, NOT_GIVEN, NOTHING
from opendynamics.api.home import FREE
from opendynamics.api.suggestions import Suggesting
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.store import Store
from opendynamics.core.collide.listed_pairs import NOT_COLLIDED, collide_listed

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.world import World

Numbers = npt.NDArray[np.int64]
Pair: TypeAlias = tuple[Any, Any, Any, Any, int]
P = TypeVar("P")
F = TypeVar("F", bound="FoundPoint")
FREE_EDITION = FREE.edition

# Largest number of contact points that a call may request for a pair.
MAX_POINTS = 0xFFFF


class FoundContacts:
    """Contact points of some geoms.

    Attributes:
        points: rows of the points table, whose geoms are indices into `members`.
        members: the collided geoms.
        bodies: the body row of each member, 0 without a body.
        world: the world of these bodies; None if there are no bodies, or bodies of several worlds.
        rows: the contact joints of the world.
        bodies_edition: of the world's contact joints, when the points were found.
        touched: whether something that shows the points is no longer as it was made.
        once: whether each pair of bodies has one pair of geoms among the members.
    """

    __slots__ = (
        *("__weakref__", "_joined_bodies", "bodies", "bodies_edition", "members", "once", "points", "rows"),
        *("touched", "world"),
    )

    points: Any
    bodies: Numbers

    def __init__(self, members: tuple[Any, ...], world: World | None) -> None:
        self.members = members
        self.world = world
        self.rows = None if world is None else world._contact_rows
        self.touched = False
        self.once = False
        self._joined_bodies: list[int] = []
        self.bodies_edition = -1 if self.rows is None else self.rows.bodies_edition

    def take_points(self, stage: Store, count: int) -> None:
        """Copy the first points of a stage, whose geoms are the members."""
        points = stage[POINTS].view(np.uint8)[: count * POINTS.dtype.itemsize]  # NumPy copies records field by field
        self.points = points.copy().view(POINTS.dtype)
        self.bodies = stage[GEOMS]["body"][: len(self.members)].astype(np.int64)

    def shown_after(self, k: int) -> Sequence[Any]:
        """What shows the points to users, those after point k too, ended by END; NOTHING: nobody knows."""
        return NOTHING

    def part_with(self, shown: FoundPoint, k: int) -> None:
        """Detach the object that showed point k."""

    def geoms_of(self, k: int) -> tuple[Geom, Geom]:
        """The geoms of point k, as contacts name them."""
        one, other = self.colliding_geoms(k)
        return one._reported(), other._reported()

    def colliding_geoms(self, k: int) -> tuple[Geom, Geom]:
        """The members that collided in point k."""
        point = self.points[k]
        return self.members[point["geom_a"]], self.members[point["geom_b"]]

    def joins(self, k: int, body1: Any, body2: Any) -> bool:
        """Whether these are the bodies of the geoms of point k, in their order."""
        one, other = self.colliding_geoms(k)
        return one._body is body1 and other._body is body2

    def pair_numbers(self) -> Numbers:
        """For each point, the rows of both bodies as one number; see `pair_number`."""
        one, other = self.bodies[self.points["geom_a"]], self.bodies[self.points["geom_b"]]
        numbers: Numbers = pair_number(np.minimum(one, other), np.maximum(one, other))
        return numbers

    @property
    def joined_bodies(self) -> list[int]:
        """These numbers, indexed by `ContactRows.chosen`: -1 for ~k, a point that is not attached yet."""
        if len(self._joined_bodies) != 2 * len(self.points):
            numbers: list[int] = self.pair_numbers().tolist()
            self._joined_bodies = numbers + [-1] * len(numbers)
        return self._joined_bodies


class FoundPoint(Suggesting):
    """An object that shows a contact point to users: as it was found, until they change it.

    Subclasses have a slot for each field, and `_take_point`, which fills the slots. `_source` is the source of the point,
    None once the fields are the user's; `_k` is its number there.
    """

    __slots__ = ("_k", "_source")

    _k: int
    _source: FoundContacts | None
    _parts: ClassVar[tuple[str, ...]]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in self._parts and self._source is not None:
                self._read_found()
                return getattr(self, name)
            return Suggesting.__getattr__(self, name)

    def _read_found(self) -> None:
        """Read the point that was found."""
        assert self._source is not None
        self._source.touched = True
        self._take_point(self._source.points[self._k].item(), *self._source.geoms_of(self._k))

    def _take_point(self, point: Any, a: Geom | None, b: Geom | None) -> None:
        """Take the values of a row of the points table."""
        raise NotImplementedError

    def _keep_own(self) -> None:
        """Detach from the source: keep own fields from now on."""
        source = self._source
        if source is not None:
            self._read_found()
            self._source = None
            source.part_with(self, self._k)

    def show_same(self, other: FoundPoint) -> bool:
        """Show the same point as another object, if that is unchanged."""
        if other._source is None:
            return False
        if self._source is not None:
            self._source.part_with(self, self._k)
        self._source, self._k = other._source, other._k
        for name in self._parts:
            try:
                delattr(self, name)
            except AttributeError:  # it was not read, and so neither were the others
                break
        return True

    def __getstate__(self) -> Any:
        self._keep_own()
        slots = {name: None for base in type(self).__mro__ for name in vars(base).get("__slots__", ())}
        return None, {name: getattr(self, name) for name in slots if hasattr(self, name)}


def part(name: str, doc: str, *, mutable: bool = False) -> Any:
    """A property of a contact point, stored in the slot `name`; `mutable`: readers may change it in place."""

    def get(point: FoundPoint) -> Any:
        if mutable:
            point._keep_own()
        return getattr(point, name)

    def put(point: FoundPoint, value: Any) -> None:
        point._keep_own()
        setattr(point, name, value)

    return property(get, put, doc=doc)


_new = object.__new__
_set_source, _set_number = (vars(FoundPoint)[name].__set__ for name in ("_source", "_k"))
UNHELD = next(map(getrefcount, [object()]))  # references of an object that only one list holds


class Maker(Generic[P]):
    """Creates the objects that show contact points, many at once, with loops in C."""

    def make(self, source: FoundContacts, numbers: Sequence[int]) -> list[P]:
        """Objects for the points of these numbers in `source`."""
        raise NotImplementedError

    def renew(self, shown: list[P]) -> bool:
        """Reuse all objects for the next points, unless some are referenced elsewhere."""
        return list(map(getrefcount, shown)).count(UNHELD) == len(shown)


class PointMaker(Maker[F]):
    """Creates objects of a subclass of FoundPoint."""

    def __init__(self, kind: type[F]) -> None:
        self._kind = kind

    def make(self, source: FoundContacts, numbers: Sequence[int]) -> list[F]:
        """Objects for the points of these numbers in `source`."""
        made = list(map(_new, repeat(self._kind, len(numbers))))
        deque(map(_set_source, made, repeat(source)), 0)
        deque(map(_set_number, made, numbers), 0)
        return made


def world_of(homes: Any) -> World | None:
    """The only world among some homes; None if there are none or several."""
    worlds = [home.world for home in homes if home.world is not None and home.world.alive]
    return worlds[0] if len(worlds) == 1 else None


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


class ListedPairs(FoundContacts):
    """The pairs of a collision of a space, and their contact points once they are requested.

    Attributes:
        pairs: both members, their bodies, and the number of these (`pair_number`), as `bodies_edition` has them; no bodies where
            they are of several worlds.
        current, at: the pair that the callback looks at, and its number.
        given: its geoms as another API gave them to the callback.
        left_out: how many more points each pair has; nothing if none has.
        starts, ends: of the points of each pair; an end below 0: it is collided by itself.
        run: of what the next contact joint of the world is made.
        edition, free_edition: when the pairs were found, of the home that is `home_edition`, and of geoms without a world.
        shown: what shows the points to users, made by `maker`, and END.
        limit, like: what the points were asked for with; a limit of -1: none have been yet.
    """

    __slots__ = (
        *(
            "_known",
            "_numbers",
            "_one_geom_a_body",
            "_places_of_pairs",
            "_stage",
            "at",
            "current",
            "edition",
            "ends",
        ),
        *(
            "free_edition",
            "given",
            "home_edition",
            "left_out",
            "like",
            "limit",
            "maker",
            "pairs",
            "run",
            "shown",
            "starts",
        ),
    )

    def __init__(self, stage: Any, places: Numbers) -> None:
        self.shown: list[Any] = [END]
        self.maker: Any = None
        self.members: Any = None  # none was read
        self.pairs: list[Pair] = []
        self._known = _KnownPairs((), [])
        self._numbers: Numbers = np.empty(0, np.int64)
        self.bodies_edition = -1
        self._places_of_pairs: Numbers = np.empty((0, 2), np.int64)
        self._begin(stage, places)

    def _begin(self, stage: Any, places: Numbers) -> None:
        members, before = self.members, self.bodies_edition
        FoundContacts.__init__(self, stage.members, world_of(stage.homes))
        self.run = NO_JOINTS if self.rows is None else self.rows.run
        changed = members is not stage.members or before != self.bodies_edition
        if changed:
            self._look_at_members()
        if changed or not np.array_equal(places, self._places_of_pairs):
            self.pairs = self._pairs_of(places)
        self.once = self._one_geom_a_body
        self.current, self.at, self.given = NO_PAIR, -1, NOT_GIVEN
        self._stage = stage
        self._places_of_pairs = places
        self.home_edition = (FREE if self.world is None else self.world._home).edition
        self.edition = self.home_edition.number
        self.free_edition = FREE_EDITION.number
        self.limit = -1
        self.like: Any = None
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.left_out: list[int] = []

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

    @property
    def intact(self) -> bool:
        """Whether nothing has moved or changed since the pairs were found."""
        return self.edition == self.home_edition.number and self.free_edition == FREE_EDITION.number

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

    def collide_all(self, limit: int, like: Any) -> None:
        """Collide all pairs that do not need Python."""
        if not self._collide(0, limit, like):
            raise RuntimeError("the space has changed since its pairs were listed")

    def is_collided(self, pair: int) -> bool:
        """Whether a pair's points are among those that were found."""
        return self.ends[pair] >= 0

    def places_of(self, pair: int) -> tuple[int, int]:
        """The positions of both members of a pair."""
        a, b = self._places_of_pairs[pair].tolist()
        return a, b

    def replace_points(self, points: Any) -> None:
        """Replace the points; their geoms are the members."""
        self.points = points

    def _collide(self, first: int, limit: int, like: Any) -> bool:
        """Collide the pairs from `first` on. False: they have to be collided one by one."""
        stage, world = self._stage, self.world
        if world is None or type(limit) is not int or not 1 <= limit <= MAX_POINTS:
            return False
        if like not in (None, "ode", "opendynamics") or not self.intact or stage.members is not self.members:
            return False
        store = stage.store
        share_colliders(store, (world.collider if like is None else like) == "ode")
        starts, ends, left_out = np.zeros((3, len(self._places_of_pairs)), np.int64)
        asking = [place for place, mesh in stage.meshes if mesh._asks]
        if asking:
            ends[np.isin(self._places_of_pairs, asking).any(axis=1)] = NOT_COLLIDED
        arguments = store.tables, self._places_of_pairs, first, limit, ASK_ADDRESS, starts, ends, left_out
        count = collide_listed(*arguments)
        while count < 0:
            store.make_missing_room()
            count = collide_listed(*arguments)
        self.take_points(store, count)
        self.limit, self.like = limit, like
        self.starts, self.ends = starts.tolist(), ends.tolist()
        self.left_out = left_out.tolist() if left_out.any() else []
        return True


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
