"""Base class of spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

from opendynamics import c_api as c
from opendynamics.api import checks
from opendynamics.api.compiled_calls.vectorcall import load_calls_of
from opendynamics.api.spaces.space import Space, collision
from opendynamics.c_api.ids import the
from opendynamics.pyode.callbacks import ignore
from opendynamics.pyode.geoms.geom import GeomObject, geom_of
from opendynamics.pyode.handle import id_of
from opendynamics.pyode.lifetime import clean_up, colliding
from opendynamics.pyode.loop_calls import PYODE_LOOP


class SpaceBase(GeomObject):
    """A set of geoms and spaces. A space does not keep its geoms alive: reference them elsewhere."""

    __slots__ = ()

    _ode_placeable = False

    def getBody(self) -> None:
        return None

    # -- members ---------------------------------------------------------------------------------------------------

    def add(self, geom: GeomObject) -> None:
        identifier = id_of(GeomObject, "what is added to a space", geom)
        clean_up()
        if c.dSpaceQuery(self._ode_id, identifier):
            raise ValueError(f"{geom!r} is in this space already")
        c.dSpaceAdd(self._ode_id, identifier)

    def remove(self, geom: GeomObject) -> None:
        identifier = id_of(GeomObject, "what is removed from a space", geom)
        clean_up()
        if not c.dSpaceQuery(self._ode_id, identifier):
            raise ValueError(f"{geom!r} is not in this space")
        c.dSpaceRemove(self._ode_id, identifier)

    def query(self, geom: GeomObject) -> int:
        """Whether a geom is in the space: 0 or 1."""
        return int(c.dSpaceQuery(self._ode_id, id_of(GeomObject, "what a space is asked for", geom)))

    def getNumGeoms(self) -> int:
        clean_up()
        return int(c.dSpaceGetNumGeoms(self._ode_id))

    def getGeom(self, idx: int) -> GeomObject:
        """Return a member by number; the most recently added or moved is first."""
        number = checks.count("the number of a geom", idx, -checks.MOST)
        if not 0 <= number < self.getNumGeoms():
            raise IndexError(f"geom index out of range: {number}, but the space has {self.getNumGeoms()} geoms")
        geom: GeomObject = geom_of(c.dSpaceGetGeom(self._ode_id, number))
        return geom

    def __len__(self) -> int:
        return self.getNumGeoms()

    def __iter__(self) -> Iterator[GeomObject]:
        return _SpaceIterator(self)

    # -- collision -------------------------------------------------------------------------------------------------

    def collide(self, arg: Any, callback: Callable[[Any, GeomObject, GeomObject], Any]) -> None:
        """Call `callback(arg, geom1, geom2)` for each pair of members that may touch."""
        load_calls_of(PYODE_LOOP)
        with colliding(), collision(the(Space, self._ode_id)) as listed:
            for at, pair in enumerate(listed.pairs):
                listed.current = pair
                listed.at = at
                reference1, reference2 = pair[0].data, pair[1].data
                geom1 = reference1() if type(reference1) is ref else None
                geom2 = reference2() if type(reference2) is ref else None
                if geom1 is not None and geom2 is not None:  # none of them has ended meanwhile
                    listed.given = geom1, geom2
                    try:
                        callback(arg, geom1, geom2)
                    except Exception as error:
                        ignore("collide_callback", error)

    def clean(self) -> None:
        """Update all bounding boxes."""
        clean_up()
        c.dSpaceClean(self._ode_id)

    # -- settings --------------------------------------------------------------------------------------------------

    def setCleanup(self, mode: int) -> None:
        """Set a flag that is only stored: geoms are destroyed with their own objects."""
        c.dSpaceSetCleanup(self._ode_id, mode)

    def getCleanup(self) -> int:
        return int(c.dSpaceGetCleanup(self._ode_id))

    def setManualCleanup(self, mode: int) -> None:
        c.dSpaceSetManualCleanup(self._ode_id, mode)

    def getManualCleanup(self) -> int:
        return int(c.dSpaceGetManualCleanup(self._ode_id))

    def setSublevel(self, sublevel: int) -> None:
        """Set the nesting level of the space: `collide2` opens the space with the larger one."""
        c.dSpaceSetSublevel(self._ode_id, sublevel)

    def getSublevel(self) -> int:
        return int(c.dSpaceGetSublevel(self._ode_id))


class _SpaceIterator:
    """The members of a space, in the order of getGeom."""

    def __init__(self, space: SpaceBase) -> None:
        clean_up()
        members = id_of(SpaceBase, "the space that is gone through", space)
        self._members: Iterator[GeomObject] = iter([geom_of(identifier) for identifier in members])

    def __iter__(self) -> _SpaceIterator:
        return self

    def __next__(self) -> GeomObject:
        return next(self._members)

    next = __next__


def near(data: Any, o1: Any, o2: Any) -> None:
    """Pass a pair to the user's callback, unless one of its geoms was destroyed meanwhile."""
    arg, callback = data
    reference1, reference2 = o1.data, o2.data
    geom1 = reference1() if type(reference1) is ref else None
    geom2 = reference2() if type(reference2) is ref else None
    if geom1 is not None and geom2 is not None:
        try:
            callback(arg, geom1, geom2)
        except Exception as error:
            ignore("collide_callback", error)
