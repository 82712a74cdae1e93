"""Homes of geoms: the tables of a world, or separate tables for geoms without a world."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from opendynamics.api.member import Member
from opendynamics.api.rows import Rows
from opendynamics.core.arrays.contacts import MANIFOLDS, POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.worlds import WORLDS

if TYPE_CHECKING:
    from opendynamics.api.surfaces import Surfaces
    from opendynamics.api.world import World

_serials = count(1)

Array = npt.NDArray[Any]

# Geoms destroyed after a step from which on sorting its contacts pays.
SEVERAL = 16


class Edition:
    """Counts changes."""

    __slots__ = ("number",)

    def __init__(self) -> None:
        self.number = 0


class LastContacts:
    """The contacts of the last step, which are not to refer to geoms that were destroyed.

    They are searched for each of the first geoms that are destroyed after a step, and sorted for more of them.
    """

    __slots__ = ("_forgotten", "_order", "_rows", "_step")

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget how they are sorted: they have been replaced."""
        self._step: tuple[int, int] | None = None
        self._forgotten = 0
        self._rows: Array | None = None  # of their geoms, sorted
        self._order: Array | None = None

    def forget(self, store: Store, row: int) -> None:
        """Let contacts no longer refer to a geom that is destroyed."""
        count = int(store[REPORTS]["contacts"].sum())  # there is no report without a world
        if not count:
            return
        step = int(store[REPORTS]["attempts"][0]), count
        if step != self._step:
            self.clear()
            self._step = step
        self._forgotten += 1
        sides = [store[POINTS][side][:count] for side in ("geom_a", "geom_b")]
        if self._forgotten < SEVERAL:
            for geoms in sides:
                geoms[geoms == row] = -1
            return
        if self._rows is None or self._order is None:
            rows = np.concatenate(sides, dtype=np.int64)
            self._order = np.argsort(rows, kind="stable")
            self._rows = rows[self._order]
        places = self._order[slice(*np.searchsorted(self._rows, (row, row + 1)))]
        second = places >= count
        sides[0][places[~second]] = sides[1][places[second] - count] = -1


class Home(Member):
    """The store that holds some geoms' records, and what belongs to these: a world's, or `FREE`.

    `serial` distinguishes bodies of different homes in one space. `edition` counts changes that affect contact points: while it
    is unchanged, so are the geoms and their poses.
    """

    __slots__ = ("edition", "geoms", "handles", "last_contacts", "serial", "store", "surfaces", "world")

    _transient: ClassVar[dict[str, Any]] = {
        "edition": Edition,
        "handles": WeakValueDictionary,
        "last_contacts": LastContacts,
        "serial": lambda: next(_serials),
    }

    def __init__(self, store: Store, world: World | None = None, surfaces: Surfaces | None = None) -> None:
        self.world = world
        self.edition = Edition()
        self.store = store
        self.surfaces = surfaces
        self.handles: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.last_contacts = LastContacts()
        self.serial = next(_serials)
        self.geoms = Rows(store, (GEOMS,))

    def material_index(self, material: str | None) -> int:
        """The row of a material in the surfaces table; without a world there is only one."""
        return 0 if self.surfaces is None else self.surfaces.index(material)

    def owner_number(self, body: int) -> int:
        """GEOM.owner of the geoms of a body row: unique among all worlds, 0 without a body."""
        return (self.serial << 32) | body if body else 0

    def give_back(self, row: int) -> None:
        """Free the row of a geom; remaining contacts of the last step no longer refer to it."""
        self.last_contacts.forget(self.store, row)
        self.store.use(MANIFOLDS, 0)  # another geom may take the row
        means = None if self.world is None else self.world._means
        if means is not None:
            means.forget_geom(row)
        self.geoms.give_back(row)


def world_store() -> Store:
    """The tables of a new world, with rows for its singletons."""
    store = Store(allocated=False)
    for table in (WORLDS, REPORTS, CHOICES):
        store.use(table, 1)
    return store


# The home of geoms without a world.
FREE = Home(Store(allocated=False))
