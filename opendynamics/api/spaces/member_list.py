"""Lists of spaces like ODE, which define the order of their pairs: moved members come to the front.

ODE processes a space's members in the order of a list. A member that is added, moves or changes its shape comes to the front,
unless it has already moved since the list was last cleaned; so do the spaces that contain it. A collision cleans the list. A
step moves bodies in the order of the islands, the geoms of each newest first. How the list is stored depends on the kind of
space.

`_moved` of a member is True if it has moved, or was created, since it was last cleaned.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import chain, filterfalse, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np

from opendynamics.api.member import note_change, set_first
from opendynamics.api.waking import Rows, moved_rows

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.home import Home
    from opendynamics.api.world import World


# Read by loops in C.
HAS_MOVED, _GEOMS, _SPACE = attrgetter("_moved"), attrgetter("_geoms"), attrgetter("_space")


def bring_to_front(member: Any) -> None:
    """Bring a moved geom or space to the front of its list, and its space to the front of the list that contains that.

    If something in that space has moved before, the space stays where it is, but counts as moved.
    """
    in_front = True
    while member is not None:
        in_front &= not member._moved
        space = member._space
        if not member._moved:
            member._moved = True
            if in_front and space is not None and space._like == "ode":
                space._bring_to_front(member)
        member = space


def bring_bodies_to_front(bodies: Iterable[Body]) -> None:
    """Bring the geoms of moved bodies to the front of their lists, of each body the newest first."""
    for body in bodies:
        for geom in reversed(body._geoms):
            bring_to_front(geom)


class ListedBodies:
    """Follows the steps of a world, and brings the geoms of moved bodies to the front of their lists.

    `only_geoms`: by row, the geom of each body; None if some body has none, or several.
    """

    steps_until_frame = 1
    sees_sub_steps = True  # a body may move in one and fall asleep in the next

    def __init__(self, world: World) -> None:
        self._world = ref(world)
        self._noted = (-1, 0)
        self.only_geoms: Any = None

    def _note_geoms(self, bodies: dict[int, Body]) -> None:
        geoms = list(map(tuple, map(_GEOMS, bodies.values())))
        self.only_geoms = None
        if set(map(len, geoms)) == {1}:
            self.only_geoms = np.empty(max(bodies) + 1, object)
            self.only_geoms[list(bodies)] = list(chain.from_iterable(geoms))

    def _geoms_of(self, world: Any, rows: Rows) -> Iterable[Geom]:
        """The geoms of bodies, of each the newest first."""
        # The edition does not count new bodies without geoms.
        now = world._contact_rows.bodies_edition, len(world._bodies)
        if self._noted != now:
            self._noted = now
            self._note_geoms(world._bodies)
            alive = [row in world._bodies for row in rows.tolist()]  # callbacks of the step may have destroyed some
            rows = rows[alive]
        if self.only_geoms is not None:
            geoms: list[Geom] = self.only_geoms[rows].tolist()
            return geoms
        return chain.from_iterable(map(reversed, map(_GEOMS, map(world._bodies.__getitem__, rows.tolist()))))

    def stepped(self, h: float, steps: int) -> None:
        """Find the bodies that a step has moved."""
        world: Any = self._world()
        moved = list(filterfalse(HAS_MOVED, self._geoms_of(world, moved_rows(world._store))))
        spaces = list(map(_SPACE, moved))
        if not moved or spaces[0] is None or spaces[0]._space is not None or spaces.count(spaces[0]) != len(spaces):
            for geom in moved:
                bring_to_front(geom)
            return
        mark_moved([*moved, spaces[0]], True)
        if spaces[0]._like == "ode":
            spaces[0]._bring_all_to_front(moved)


def mark_moved(members: list[Any], moved: bool) -> None:
    """Set `_moved` of many members."""
    note_change()
    deque(map(set_first, members, repeat("_moved"), repeat(moved)), 0)


def follow_steps(homes: Any) -> None:
    """From now on, bring geoms of these homes to the front of their lists when their world moves them."""
    home: Home
    for home in homes:
        world = home.world
        if world is not None and not any(isinstance(watcher, ListedBodies) for watcher in world._watchers):
            world._watchers.append(ListedBodies(world))
