"""Contact points of a collision, before they are read.

ODE's loop creates thousands of contacts per step, and most programs only pass them on to a joint. Here they remain rows of
one array: a contact refers to its row and reads it on demand, and compiled code creates contact joints from the rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import repeat
from sys import getrefcount
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from opendynamics.api.body_pairs import pair_number
from opendynamics.api.contact_run import NOTHING
from opendynamics.api.suggestions import Suggesting
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.store import Store

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.world import World

Numbers = npt.NDArray[np.int64]
P = TypeVar("P")
F = TypeVar("F", bound="FoundPoint")


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
