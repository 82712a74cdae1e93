"""The space that a world has of its own, which `world.advance` collides."""

from __future__ import annotations

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.home import Home
from opendynamics.api.spaces.hash import HashSpace
from opendynamics.core.arrays.geoms import GEOM_ORDER


class WorldSpace(HashSpace):
    """All its geoms, those of spaces in it too, live in the tables of the world."""

    def __init__(self, home: Home) -> None:
        super().__init__(name="the world's space")
        self._home = home
        self._order_stale = True

    def _changed(self) -> None:
        self._order_stale = True
        super()._changed()

    def list_geoms(self) -> None:
        """Write down the geoms, newest first, for the kernels."""
        if self._order_stale:
            rows = [geom._row for geom in self.geoms()]
            store = self._home.store  # type: ignore[union-attr]
            store.use(GEOM_ORDER, len(rows))
            store[GEOM_ORDER][: len(rows)] = rows
            self._order_stale = False

    def find(self, row: int) -> Geom | None:
        """The geom that has this row, if it still exists."""
        return self._home.handles.get(row)  # type: ignore[union-attr]
