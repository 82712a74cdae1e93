"""The colours of all shown geoms, frame by frame: reads the flags of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.viewer.colours import (
    BY_STATE,
    GROUND,
    STATIC,
    by_body,
    by_force,
    by_state,
    paint,
    resting,
    states_of_flags,
)
from opendynamics.viewer.live.measures import loads_on

Bytes = npt.NDArray[np.uint8]

COLOURED_BY = ("body", "state", "contact force")

# The picked geom is mixed with this colour.
PICKED = np.array((80, 200, 255))


class Painter:
    """One colour per body, paler while it sleeps; or by the state of bodies; or by the contact forces on each geom.

    The picked geom is highlighted. `weight`, N, is the reference for forces.
    """

    def __init__(self) -> None:
        self.by = "body"
        self.weight = 1.0
        self.picked: Geom | Body | None = None
        self._world: World | None = None
        self._geoms: Sequence[Geom] = ()

    def look_at(self, world: World, geoms: Sequence[Geom]) -> None:
        """Colour these geoms from now on."""
        self._world, self._geoms = world, geoms
        self._geom_rows = np.array([reading.row_of(geom) for geom in geoms], np.int64)
        self._own_geoms = np.array([reading.lives_in(geom, world) for geom in geoms], bool)
        self._rows = np.array([0 if geom.body is None else reading.row_of(geom.body) for geom in geoms], np.int64)
        order = {reading.row_of(body): number for number, body in enumerate(world.bodies)}
        self._numbers = np.array([order.get(row, -1) for row in self._rows], np.int64)
        self._free = self._rows == 0
        self._planes = np.array([geom.shape == "plane" for geom in geoms], bool)
        self._palette = by_body(self._numbers)
        self._palette[self._free] = BY_STATE[STATIC]
        self._palette[self._planes] = GROUND
        self._changes: Any = None

    def colours(self) -> Bytes:
        """The current colours, shape (n, 3)."""
        if self._world is None or not len(self._geoms):
            return np.zeros((0, 3), np.uint8)
        states = states_of_flags(reading.table_of(self._world, MOTIONS)["flags"][self._rows])
        states[self._free] = STATIC
        if self.by == "body":
            found = resting(self._own_colours(), states)
        elif self.by == "contact force":
            loads = np.zeros(len(self._geoms))
            loads[self._own_geoms] = loads_on(self._world, self._geom_rows[self._own_geoms])
            found = resting(by_force(loads / self.weight), states)
            found[self._planes] = GROUND
        else:
            found = by_state(states, self._numbers)
            found[self._free] = BY_STATE[STATIC]
            found[self._planes] = GROUND
        if self.picked is not None and self.picked.alive:
            marked = self._marked(self.picked)
            found[marked] = 0.4 * found[marked] + 0.6 * PICKED
        return found

    def _own_colours(self) -> Bytes:
        """The palette, with the colours set by users; updated when something has been set."""
        assert self._world is not None
        changes = reading.changes_of(self._world).geoms
        if changes != self._changes:
            self._changes, self._own = changes, paint(self._palette.copy(), self._geoms)
        return self._own

    def _marked(self, picked: Geom | Body) -> npt.NDArray[np.int64]:
        if isinstance(picked, Body):
            return (
                np.flatnonzero(self._rows == reading.row_of(picked))
                if picked.world is self._world
                else np.zeros(0, np.int64)
            )
        return np.array([number for number, geom in enumerate(self._geoms) if geom is picked], np.int64)
