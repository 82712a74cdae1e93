"""Space: a set of geoms, and the pairs of them that may touch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count, islice, repeat, takewhile
from operator import is_not
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing
from opendynamics.api.checks import ALL_BITS, DestroyedError
from opendynamics.api.compiled_calls.loop import LOOP
from opendynamics.api.compiled_calls.vectorcall import load_calls_of
from opendynamics.api.contact_run import NO_PAIR, NOT_GIVEN, NOW
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.home import Home
from opendynamics.api.like import checked_model
from opendynamics.api.listed_pairs import CollidedPairs, ListedPairs, listed_pairs
from opendynamics.api.member import Named, note_change, set_first
from opendynamics.api.read_only import read_only
from opendynamics.api.spaces.member_list import HAS_MOVED, bring_to_front, follow_steps, mark_moved
from opendynamics.api.spaces.queries import Queries
from opendynamics.api.spaces.staging import Stage, best_broadphase, may_meet, pass_box_tests, record_of
from opendynamics.api.suggestions import explain_calls, explain_own_calls
from opendynamics.api.things import check_place
from opendynamics.core.arrays.geoms import GEOMS

if TYPE_CHECKING:
    from opendynamics.api.contact_points import ContactPoints
    from opendynamics.api.like import Model
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]
NearCallback = Callable[[Any, Any], Any]


@explain_calls
class Space(Named, Queries):
    """A set of geoms and other spaces that finds pairs whose boxes overlap and whose bits match.

    A space within a space is reported as a whole: its pairs contain the space itself, to be opened with `collide2`.

    Args:
        geoms: initial members.
        space: the space to put this one into.
        cleanup: whether destroying the space destroys its members.
        like: "ode" for the order of ODE's lists; see `like`.
        name: the name used in messages and by `world.find`.
    """

    _noun = "space"
    broadphase: ClassVar[str]
    data: Any
    _transient: ClassVar[dict[str, Any]] = {
        "_stage": type(None),
        "_stale": lambda: True,
        "_colliding": int,
        "_former": list,
        "_known_worlds": type(None),
    }

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        explain_own_calls(cls)

    def __init__(
        self,
        geoms: Any = (),
        *,
        space: Space | None = None,
        cleanup: bool = True,
        like: Model = "opendynamics",
        name: str | None = None,
    ) -> None:
        if not hasattr(type(self), "broadphase"):
            raise TypeError("Space is the base class of all spaces; create one of a derived class, such as HashSpace()")
        if space is not None and not isinstance(space, Space):
            raise TypeError(f"the space that a space is put into must be a Space, not {space!r}")
        self._alive = True
        self.name = type(self).__name__ if name is None else name
        self._like = checked_model("the order of the new space", like)
        self._members: dict[Geom | Space, None] = {}  # the first one last
        self._moved = True
        self._space: Space | None = None
        self._home: Home | None = None  # the world whose own space this is, or is in
        self._stage: Stage | None = None
        self._stale = True
        self._has_collided = False
        self._known_worlds: tuple[World, ...] | None = None
        self._start_queries()
        self._colliding = 0
        self._former: list[ListedPairs] = []  # the last collision
        self.cleanup = cleanup
        self.sublevel = 0
        self.enabled = True
        self.category_bits = ALL_BITS
        self.collide_bits = ALL_BITS
        self.data = None
        try:
            for geom in geoms:
                self.add(geom)
            if space is not None:
                space.add(self)
        except Exception:
            for geom in self:
                self.remove(geom)
            raise

    # -- members ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Geom | Space]:
        """Members, newest first; in the order of ODE's list if the space is like ODE."""
        return iter(tuple(self._listed()))

    def __contains__(self, member: object) -> bool:
        return member in self._members

    def __getitem__(self, index: int) -> Geom | Space:
        """Member by index, in the order of iteration."""
        members = tuple(self._listed())
        if isinstance(index, int):
            check_place(
                index, len(members), "space.add(geom) adds a geom, world.add_geom(geom) one to the world's own space"
            )
        return members[index]

    @property
    def space(self) -> Space | None:
        """The space that contains this one."""
        self._require_alive()
        return self._space

    def add(self, member: Geom | Space) -> None:
        """Add a geom or a space, which must not be in a space yet."""
        self._require_idle("add to")
        if not isinstance(member, (Geom, Space)):
            raise TypeError(
                f"{self.name} holds geoms and spaces, not {member!r}; a body is in it by its geoms: add(body.geoms[0])"
            )
        if isinstance(member, Space):
            member._require_alive()
        if member.space is not None:
            raise ValueError(f"{member.name} is already in {member.space.name}; remove it there first")
        if isinstance(member, Space) and member._holds(self):
            raise ValueError(f"{member.name} cannot be put into {self.name}, which it contains or is")
        if self._home is not None:
            member._require_home_for(self._home)
            member._settle(self._home)
        self._take_in(member)

    def _take_in(self, member: Geom | Space) -> None:
        """Add a member that is in the same home as the space."""
        note_change()
        self._enlist(member)
        set_first(member, "_space", self)
        self._changed()
        bring_to_front(self)
        member._changes()

    def remove(self, member: Geom | Space) -> None:
        """Remove a geom or a space."""
        self._require_idle("remove from")
        if member not in self._members:
            raise ValueError(f"{getattr(member, 'name', member)} is not in {self.name}")
        member._vanishes()
        note_change()
        self._unlist(member)
        bring_to_front(self)
        member._space = None
        if isinstance(member, Space):
            member._unsettle()
        self._changed()

    def _holds(self, other: Space) -> bool:
        return other is self or any(isinstance(m, Space) and m._holds(other) for m in self._members)

    def destroy(self) -> None:
        """Destroy the space; with `cleanup`, also its members."""
        self._require_idle("destroy")
        if self._space is not None:
            self._space.remove(self)
        for member in tuple(self._members):
            self.remove(member)
            if self.cleanup:
                member.destroy()
        self._alive = False

    @property
    def alive(self) -> bool:
        """Whether the space still exists."""
        return self._alive

    def _require_alive(self) -> None:
        if not self._alive:
            raise DestroyedError(f"{self.name} has been destroyed; make a new one")

    def _say(self, what: str) -> str:
        """`what` of this existing space, for error messages."""
        self._require_alive()
        return f"{what} of {self.name}"

    def _require_idle(self, what: str) -> None:
        self._require_alive()
        if self._colliding:
            raise RuntimeError(f"cannot {what} {self.name} while it collides; note the change and make it afterwards")

    def _require_home_for(self, home: Home) -> None:
        if self._home not in (None, home):
            raise ValueError(f"{self.name} belongs to another world")
        for member in self._members:
            member._require_home_for(home)

    def _settle(self, home: Home) -> None:
        """Move all geoms to the tables of `home`, to whose world the space now belongs."""
        self._home = home
        for member in self._members:
            member._settle(home)

    def _unsettle(self) -> None:
        self._home = None
        for member in self._members:
            if isinstance(member, Space):
                member._unsettle()

    def _saved_with(self) -> World | None:
        if self._home is not None:
            return self._home.world
        homes = (geom._home.world for geom in self.geoms())
        inside = next((world for world in homes if world is not None), None)
        return inside if inside is not None or self._space is None else self._space._saved_with()

    def _reinstated(self) -> None:
        self._stale = self._queries_stale = True

    def _changed(self) -> None:
        if not (self._stale and self._queries_stale):
            self._stale = self._queries_stale = True
        if self._known_worlds is not None:
            self._known_worlds = None
        if self._former:
            self._forget_former()
        if self._space is not None:
            self._space._changed()

    def _forget_former(self) -> None:
        """Release everything held for the last collision."""
        while self._former:
            self._former.pop().forget()

    def _changes(self) -> None:
        """Called before and after a change of what the space's geoms collide with: wake what they touch."""
        if self._worlds():
            for geom in self.geoms():
                geom._changes()

    def _vanishes(self) -> None:
        """Called before the geoms of the space stop colliding."""
        if self._worlds():
            for geom in self.geoms():
                geom._vanishes()

    def _worlds(self) -> tuple[World, ...]:
        """The worlds whose bodies have geoms in the space, or in one that contains it; none before it first collided."""
        if self._home is not None and self._home.world is not None:
            return (self._home.world,)
        if self._space is not None:
            return self._space._worlds()
        if not self._has_collided:
            return ()
        if self._known_worlds is None or not all(world.alive for world in self._known_worlds):
            found = dict.fromkeys(geom._home.world for geom in self.geoms())
            self._known_worlds = tuple(world for world in found if world is not None)
        return self._known_worlds

    def geoms(self) -> Iterator[Geom]:
        """All geoms, including those of inner spaces, newest first."""
        members = tuple(self)
        if not any(issubclass(kind, Space) for kind in set(map(type, members))):
            return iter(cast("tuple[Geom, ...]", members))
        return chain.from_iterable(member.geoms() if isinstance(member, Space) else (member,) for member in members)

    def _searched(self) -> Iterator[Geom]:
        """The geoms that queries test: all except zones and those of disabled inner spaces."""
        for member in self:
            if not isinstance(member, Space):
                if not member._sensor:
                    yield member
            elif member.enabled:
                yield from member._searched()

    # -- ODE's list of the members, see `member_list.py` -----------------------------------------------------------

    @property
    def like(self) -> Model:
        """Order of members and pairs: "opendynamics", newest first, or "ode", where moved members come to the front."""
        self._require_alive()
        return self._like

    def _enlist(self, member: Geom | Space) -> None:
        """Add a member at the front."""
        self._members[member] = None

    def _unlist(self, member: Geom | Space) -> None:
        del self._members[member]

    def _listed(self) -> Iterable[Geom | Space]:
        """The members in the order of the list."""
        return reversed(self._members)

    def _chained(self) -> Iterable[Geom | Space]:
        """The members in the order in which they are paired with another, larger space."""
        return self._listed()

    def _bring_to_front(self, member: Geom | Space) -> None:
        """In a space like ODE, bring a cleaned member that moves to the front."""
        del self._members[member]
        self._members[member] = None

    def _bring_all_to_front(self, moved: list[Geom | Space]) -> None:
        """The same for several in sequence; mostly they are at the front, in this order."""
        members = self._members
        if any(map(is_not, islice(reversed(members), len(moved)), reversed(moved))):
            deque(map(members.__delitem__, moved), 0)
            members.update(zip(moved, repeat(None)))

    def _clean_list(self) -> None:
        """For an up-to-date space like ODE: from now on, moved members come to the front."""
        if self._like == "ode":
            follow_steps(self._staged().homes)
            self._clean()

    def _clean(self) -> None:
        """Clean the members at the front, up to the first that has not moved."""
        self._clean_members(list(takewhile(HAS_MOVED, reversed(self._members))))

    @staticmethod
    def _clean_members(members: list[Geom | Space]) -> None:
        if members:
            mark_moved(members, False)
            if any(issubclass(kind, Space) for kind in set(map(type, members))):
                for member in members:
                    if isinstance(member, Space):
                        member._clean_list()

    def _in_odes_order(self, stage: Stage, pairs: Any) -> Any:
        """Pairs of indices on the stage, in the order in which ODE's space of this kind finds them."""
        ranks = self._ranks(stage)
        places = np.argsort(ranks)
        return places[self._ordered_as_in_ode(stage.store[GEOMS]["bounds"][places], np.sort(ranks[pairs], axis=1))]

    def _ordered_as_in_ode(self, boxes: Array, pairs: Any) -> Any:
        """Pairs of indices in the list whose boxes overlap: each member with all that come after it."""
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    def _ranks(self, stage: Stage, other: Geom | Space | None = None) -> Any:
        """The position of each member of the stage in the list; or in the order for pairing with `other`."""
        at = dict(zip(self._listed(), count()))
        return np.fromiter(map(at.__getitem__, stage.members), np.int64, len(at))

    # -- collision filter ------------------------------------------------------------------------------------------

    @property
    def category_bits(self) -> int:
        """Categories of the space as a member of another; all bits by default."""
        self._require_alive()
        return self._category_bits

    @category_bits.setter
    def category_bits(self, bits: int) -> None:
        checked = checks.bits(self._say("the category bits"), bits)
        self._changes()
        self._category_bits = checked

    @property
    def collide_bits(self) -> int:
        """Categories that the space collides with as a member of another; all bits by default."""
        self._require_alive()
        return self._collide_bits

    @collide_bits.setter
    def collide_bits(self, bits: int) -> None:
        checked = checks.bits(self._say("the collide bits"), bits)
        self._changes()
        self._collide_bits = checked

    @property
    def enabled(self) -> bool:
        """Whether the space that contains this one processes it and its members; True by default."""
        self._require_alive()
        return self._enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        enabled = checks.flag(self._say("enabled"), value)
        self._changes()
        self._enabled = enabled
        self._changed()

    @property
    def cleanup(self) -> bool:
        """Whether destroying the space destroys its members; True by default."""
        self._require_alive()
        return self._cleanup

    @cleanup.setter
    def cleanup(self, value: bool) -> None:
        self._cleanup = checks.flag(self._say("cleanup"), value)

    @property
    def sublevel(self) -> int:
        """Nesting level of the space: `collide2` opens the space with the larger one; 0 by default."""
        self._require_alive()
        return self._sublevel

    @sublevel.setter
    def sublevel(self, value: int) -> None:
        self._sublevel = checks.count(self._say("the sublevel"), value, -checks.MOST)

    @property
    def aabb(self) -> Array:
        """Box of all members, enabled or not: x min, x max, y min, y max, z min, z max, m, shape (6,); zero without members."""
        bounds = self._staged().refresh()["bounds"]
        if not len(bounds):
            return read_only(np.zeros(6))
        low, high = bounds[:, 0::2].min(axis=0), bounds[:, 1::2].max(axis=0)
        return read_only(np.column_stack([low, high]).reshape(6))

    def _staged(self) -> Stage:
        """The members' records side by side, newest first; not updated until they are refreshed."""
        self._require_alive()
        if self._stage is None:
            self._stage = Stage(self)
        elif self._stale:
            self._stage.list(self)
        self._stale = False
        return self._stage

    def collide(self, callback: NearCallback) -> None:
        """Call `callback(a, b)` for each pair of members that may touch. Geoms of one body are not paired.

        a is newer than b; pairs come newest a first, and for each a, newest b first. The space cannot be changed from within
        the callback. An exception from the callback ends the collision and propagates to the caller.
        """
        with collision(self) as listed:
            for at, pair in enumerate(listed.pairs):
                listed.current = pair
                listed.at = at
                callback(pair[0], pair[1])

    def contacts(self, *, max_contacts: int = 8, like: Model | None = None) -> ContactPoints:
        """The contact points of all geoms in the space that can push each other, at most `max_contacts` per pair.

        As in `world.advance`, inner spaces are opened, and zones, pairs without a body, and bodies connected by a joint
        (unless `world.collide_connected`) are excluded. `world.add_contacts` creates joints of the contacts. `like`: see
        `od.collide`.
        """
        from opendynamics.api.contact_points import all_contacts

        stage = self._staged()
        if stage.has_spaces:
            stage = Stage(tuple(self.geoms()))
        pairs = stage.pairs(self._broadphase_for(len(stage.members)), self._parameters())
        self._has_collided = True
        return all_contacts(self.name, CollidedPairs(stage, pairs), max_contacts, like)

    def _listed_pairs(self) -> ListedPairs:
        """Pairs of members that may touch, in the order of `collide`."""
        stage = self._staged()
        pairs = stage.pairs(self._broadphase_for(len(stage.members)), self._parameters())
        self._clean_list()
        if self._like == "ode":
            pairs = self._in_odes_order(stage, pairs)
        return listed_pairs(stage, pairs, self._former)

    def _broadphase_for(self, count: int) -> str:
        """The broadphase for so many members: the fastest in spaces like ODE, which bring its pairs into ODE's order."""
        return best_broadphase(count) if self._like == "ode" else self.broadphase

    def _parameters(self) -> tuple[float, ...]:
        """The space's own parameters of the broadphase."""
        return ()

    def _meeting(self, other: Geom | Space) -> list[Geom | Space]:
        """Members that may touch another geom or space, in the order of iteration."""
        if not self._has_collided:
            self._has_collided = True
        stage = self._staged()
        places = np.flatnonzero(may_meet(stage.refresh(), record_of(other)))
        self._clean_list()
        if self._like == "ode":
            places = places[np.argsort(self._ranks(stage, other)[places], kind="stable")]
        near = [stage.members[k] for k in places.tolist()]
        return [member for member in near if pass_box_tests(member, other)]

    def clean(self) -> None:
        """Update the boxes of all geoms now. This is optional, as all queries of a space do it."""
        self._staged().refresh()
        self._clean_list()

    def __repr__(self) -> str:
        what = f" with {describing.count(len(self), 'member')}" if self._alive else ": destroyed"
        return f"<{type(self).__name__} {self.name!r}{what}>"


@contextmanager
def collision(space: Space) -> Iterator[ListedPairs]:
    """A collision of a space, whose pairs are looked at one after the other."""
    load_calls_of(LOOP)
    if not space._has_collided:
        space._has_collided = True
    listed = space._listed_pairs()
    space._colliding += 1
    NOW.enter(listed)
    try:
        yield listed
    finally:
        NOW.leave(listed)
        space._colliding -= 1
        listed.current, listed.at, listed.given = NO_PAIR, -1, NOT_GIVEN
        space._forget_former()
        space._former.append(listed)


def checked_spaces(what: str, spaces: Any) -> tuple[Space, ...]:
    """`spaces`, one or several, as a tuple; `what` is for messages."""
    found = tuple(spaces) if isinstance(spaces, Iterable) and not isinstance(spaces, Space) else (spaces,)
    for space in found:
        if not isinstance(space, Space):
            raise TypeError(f"{what} must be spaces, not {space!r}")
    return found
