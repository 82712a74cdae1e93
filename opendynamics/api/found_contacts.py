"""Contact points that a collision found, before anybody has looked at them.

ODE's loop makes thousands of contacts a step, and most programs only hand them on to a joint. Here they stay rows of one array:
a contact refers to its row, reads it when it is asked, and a contact joint is made of the row by compiled code.

`ListedPairs` are the pairs of one `space.collide`. The first collision that the callback asks for collides all pairs from there
on by one call. What it found is used as long as nothing has moved or changed since (`Home.edition`); pairs that only Python can
collide, and what else differs from that first collision, is collided one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from itertools import repeat
from sys import getrefcount
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from opendynamics.api.body_pairs import pair_number
from opendynamics.api.colliders import ASK_ADDRESS, share_colliders
from opendynamics.api.geoms.trimesh import Trimesh
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
P = TypeVar("P")
F = TypeVar("F", bound="FoundPoint")
_FREE_EDITION = FREE.edition

# The most contact points of a pair that may be asked for.
MOST_POINTS = 0xFFFF


class FoundContacts:
    """Contact points of some geoms.

    Attributes:
        points: rows of the points table, whose geoms are numbers of `members`.
        members: what collided.
        bodies: the row of the body of each member, 0 without one.
        world: the world of these bodies; None: there are none, or of several worlds.
        bodies_edition: of the world's contact joints, when the points were found.
        touched: whether something that shows the points is no longer as it was made.
        attached: the first and last+1 of some points whose joints were attached to the same two bodies, and these.
    """

    points: Any
    bodies: Numbers

    def __init__(self, members: tuple[Any, ...], world: World | None) -> None:
        self.members = members
        self.world = world
        self.touched = False
        self.attached: tuple[int, int, Any, Any] = (0, 0, None, None)
        self.bodies_edition = -1 if world is None else world._contact_rows.bodies_edition

    def take_points(self, stage: Store, count: int) -> None:
        """Keep the first points of a stage, whose geoms are the members."""
        points = stage[POINTS].view(np.uint8)[: count * POINTS.dtype.itemsize]  # NumPy copies records field by field
        self.points = points.copy().view(POINTS.dtype)
        self.bodies = stage[GEOMS]["body"][: len(self.members)].astype(np.int64)

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
        """For each point the rows of both bodies as one number, see `pair_number`."""
        one, other = self.bodies[self.points["geom_a"]], self.bodies[self.points["geom_b"]]
        numbers: Numbers = pair_number(np.minimum(one, other), np.maximum(one, other))
        return numbers

    @cached_property
    def joined_bodies(self) -> list[int]:
        """These numbers as `ContactRows.chosen` refers to them: -1 for ~k, a point that joins nothing yet."""
        numbers: list[int] = self.pair_numbers().tolist()
        return numbers + [-1] * len(numbers)


class FoundPoint(Suggesting):
    """What shows a contact point to users: as it was found, until they change it.

    Subclasses have a slot for each of their parts, and `_take_point`, which fills them. `_source` is what found the point, None
    once the parts are the user's; `_k` its number there.
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
        """Be what a row of the points table says."""
        raise NotImplementedError

    def _keep_own(self) -> None:
        """Keep parts of one's own from now on, whatever was found."""
        if self._source is not None:
            self._read_found()
            self._source = None

    def show_same(self, other: FoundPoint) -> bool:
        """Show the point that another shows, if that was found and not changed."""
        if other._source is None:
            return False
        self._source, self._k = other._source, other._k
        for name in self._parts:
            try:
                delattr(self, name)
            except AttributeError:  # nobody has read it, and so none of the others
                break
        return True

    def __getstate__(self) -> Any:
        self._keep_own()
        slots = {name: None for base in type(self).__mro__ for name in vars(base).get("__slots__", ())}
        return None, {name: getattr(self, name) for name in slots if hasattr(self, name)}


def part(name: str, doc: str, *, mutable: bool = False) -> Any:
    """A property of a contact point, kept in the slot `name`; `mutable`: who has read it may change it in place."""

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
UNHELD = next(map(getrefcount, [object()]))  # references of what only one list holds


class Maker(Generic[P]):
    """Makes what shows contact points to users, many at once: by loops in C."""

    def make(self, source: FoundContacts, numbers: Sequence[int]) -> list[P]:
        """The points of these numbers that `source` found."""
        raise NotImplementedError

    def renew(self, shown: list[P]) -> bool:
        """Let all that was made show the next points, unless somebody holds some of it."""
        return list(map(getrefcount, shown)).count(UNHELD) == len(shown)


class PointMaker(Maker[F]):
    """Makes objects of a subclass of FoundPoint."""

    def __init__(self, kind: type[F]) -> None:
        self._kind = kind

    def make(self, source: FoundContacts, numbers: Sequence[int]) -> list[F]:
        """The points of these numbers that `source` found."""
        made = list(map(_new, repeat(self._kind, len(numbers))))
        deque(map(_set_source, made, repeat(source)), 0)
        deque(map(_set_number, made, numbers), 0)
        return made


def world_of(homes: Any) -> World | None:
    """The one world among some homes, if there is just one."""
    worlds = [home.world for home in homes if home.world is not None and home.world.alive]
    return worlds[0] if len(worlds) == 1 else None


class ListedPairs(FoundContacts):
    """The pairs of a collision of a space, and their contact points as soon as they are asked for.

    Attributes:
        pairs: both members, and the number of the pair.
        current: the pair that the callback looks at.
        left_out: how many more points each pair has.
    """

    def __init__(self, stage: Any, places: Numbers) -> None:
        self._shown: list[Any] = []  # what shows the points to users, made by `_maker`
        self._maker: Any = None
        self.members = ()
        self.pairs: list[tuple[Any, Any, int]] = []
        self._places_of_pairs: Numbers = np.empty((0, 2), np.int64)
        self._begin(stage, places)

    def _begin(self, stage: Any, places: Numbers) -> None:
        members = stage.members
        if self.members is not members or not np.array_equal(places, self._places_of_pairs):
            one, other = (map(members.__getitem__, side) for side in places.T.tolist())
            self.pairs = list(zip(one, other, range(len(places)), strict=True))
        FoundContacts.__init__(self, members, world_of(stage.homes))
        self.current: tuple[Any, Any, int] = NO_PAIR
        self._stage = stage
        self._places_of_pairs = places
        self._home_edition = (FREE if self.world is None else self.world._home).edition
        self._edition = self._home_edition.number
        self._free_edition = _FREE_EDITION.number
        self._limit = -1  # points a pair that were asked for; -1: none have been yet
        self._like: Any = None
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.left_out: list[int] = []

    @property
    def intact(self) -> bool:
        """Whether nothing has moved or changed since the pairs were found."""
        return self._edition == self._home_edition.number and self._free_edition == _FREE_EDITION.number

    def found(self, pair: int, limit: int, like: Any, maker: Maker[P]) -> list[P] | None:
        """The points of a pair, at most `limit`, as `maker` shows them, as `collide` takes them; None: collide the pair alone."""
        if limit != self._limit or like is not self._like:
            if self._limit != -1 or not self._collide(pair, limit, like):
                return None
        elif self._edition != self._home_edition.number or self._free_edition != _FREE_EDITION.number:
            return None
        end = self._ends[pair]
        if end < 0:
            return None
        if maker is not self._maker or len(self._shown) < len(self.points):
            self._show(maker)
        return self._shown[self._starts[pair] : end]

    def _show(self, maker: Maker[Any]) -> None:
        """Have all points shown by one maker."""
        if maker is not self._maker:
            self._shown, self._maker = [], maker
        self._shown += maker.make(self, range(len(self._shown), len(self.points)))

    def forget(self) -> None:
        """Let what shows the points live as long as users hold it."""
        self._shown, self._maker = [], None

    def colliding_geoms(self, k: int) -> tuple[Geom, Geom]:
        """The members that collided in point k, mostly those that the callback looks at."""
        one, other, pair = self.current
        if pair >= 0 and self._starts[pair] <= k < self._ends[pair]:
            return one, other
        return FoundContacts.colliding_geoms(self, k)

    def joins(self, k: int, body1: Any, body2: Any) -> bool:
        """The same; what is found for one point of the pair that the callback looks at holds for the others."""
        if not FoundContacts.joins(self, k, body1, body2):
            return False
        pair = self.current[2]
        if pair >= 0 and self._starts[pair] <= k < self._ends[pair]:
            self.attached = self._starts[pair], self._ends[pair], body1, body2
        return True

    def collide_all(self, limit: int, like: Any) -> None:
        """Collide all pairs that do not need Python."""
        if not self._collide(0, limit, like):
            raise RuntimeError("the space has changed since its pairs were listed")

    def is_collided(self, pair: int) -> bool:
        """Whether a pair's points are among those that were found."""
        return self._ends[pair] >= 0

    def places_of(self, pair: int) -> tuple[int, int]:
        """The places of both members of a pair."""
        a, b = self._places_of_pairs[pair].tolist()
        return a, b

    def replace_points(self, points: Any) -> None:
        """Have other points, whose geoms are the members."""
        self.points = points

    def _collide(self, first: int, limit: int, like: Any) -> bool:
        """Collide the pairs from `first` on. False: they have to be collided one by one."""
        stage, world = self._stage, self.world
        if world is None or type(limit) is not int or not 1 <= limit <= MOST_POINTS:
            return False
        if like not in (None, "ode", "opendynamics") or not self.intact or stage.members is not self.members:
            return False
        store = stage.store
        share_colliders(store, (world.collider if like is None else like) == "ode")
        starts, ends, left_out = np.zeros((3, len(self._places_of_pairs)), np.int64)
        asking = [place for place, geom in enumerate(self.members) if isinstance(geom, Trimesh) and geom._asks]
        if asking:
            ends[np.isin(self._places_of_pairs, asking).any(axis=1)] = NOT_COLLIDED
        arguments = store.tables, self._places_of_pairs, first, limit, ASK_ADDRESS, starts, ends, left_out
        count = collide_listed(*arguments)
        while count < 0:
            store.make_missing_room()
            count = collide_listed(*arguments)
        self.take_points(store, count)
        self._limit, self._like = limit, like
        self._starts, self._ends, self.left_out = starts.tolist(), ends.tolist(), left_out.tolist()
        return True


def listed_pairs(stage: Any, places: Numbers, former: list[ListedPairs]) -> ListedPairs:
    """The pairs of a collision, in place of the former one's if nobody knows that any more: nor do its contacts change hands."""
    if former:
        listed = former.pop()
        known = getrefcount(listed) - len(listed._shown)
        if known == _UNKNOWN and not listed.touched and (not listed._shown or listed._maker.renew(listed._shown)):
            listed.__dict__.pop("joined_bodies", None)
            listed._begin(stage, places)
            return listed
        listed.forget()
    return ListedPairs(stage, places)


def _references() -> int:
    listed = object()
    return getrefcount(listed)


_UNKNOWN = _references()  # references of what only a variable holds

NO_PAIR = (object(), object(), -1)


class _NoPairs:
    """What is under way where no space collides."""

    current = NO_PAIR


# Collisions of spaces whose callbacks run, the innermost last.
UNDER_WAY: list[Any] = [_NoPairs()]
