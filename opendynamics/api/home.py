"""Where geoms live: in the tables of a world, or, as long as they belong to none, in tables of their own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any
from weakref import WeakValueDictionary

from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import BOUNDS_KERNELS, REPORTS
from opendynamics.core.arrays.store import Rows, Store
from opendynamics.core.families import bounds_address

_serials = count(1)


class Home:
    """A Store with geoms in it. `serial` tells bodies of different homes apart in one space.

    `material_index` gives the row of a material in the surfaces table; without a world there is only one.
    """

    def __init__(self, store: Store, material_index: Callable[[str | None], int] = lambda material: 0) -> None:
        self.store = store
        self.material_index = material_index
        self.handles: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.serial = next(_serials)
        self.geoms = Rows(store, (GEOMS,))

    def give_back(self, row: int) -> None:
        """Free the row of a geom; contacts of the last step that it had are without it from now on."""
        count = int(self.store[REPORTS]["contacts"].sum())  # there is no report without a world
        for side in ("geom_a", "geom_b") if count else ():
            geoms = self.store[POINTS][side][:count]
            geoms[geoms == row] = -1
        self.geoms.give_back(row)

    def know_shape(self, kind: int) -> None:
        """Have the kernel at hand that bounds shapes of this kind."""
        kernels = self.store[BOUNDS_KERNELS]
        if not kernels[kind]:
            kernels[kind] = bounds_address(kind)


# Geoms that no world has.
FREE = Home(Store(furnished=False))
