"""collision.h: contacts of two geoms, and pairs of geoms that may touch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from opendynamics.api.checks import DestroyedError
from opendynamics.api.contact import find_contacts
from opendynamics.api.contact_run import NOW
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.like import Model
from opendynamics.api.listed_pairs import FREE_EDITION
from opendynamics.api.spaces.collide2 import collide2
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.contact import POINTS, dContactGeom, fill_contacts, require_contacts
from opendynamics.c_api.ids import called_with, geom_or_space, the, whole

CONTACTS_UNIMPORTANT = 0x80000000
_ODE: Model = "ode"

dNearCallback = Callable[[Any, dGeomID, dGeomID], Any]


def dCollide(o1: dGeomID, o2: dGeomID, flags: int, contact: Any = None, skip: int = 0) -> Any:
    """The contacts of two geoms, or of all in two spaces; at most the number in the lower 16 bits of `flags`.

    Returns a list of dContactGeom; or, as in C, the number of contacts written to `contact`, a list of that many dContact or
    dContactGeom. `skip` has no effect.
    """
    most = (flags if isinstance(flags, int) else whole(flags)) & 0xFFFF  # type: ignore[redundant-expr]
    if not most:
        raise ValueError("dCollide: the lower 16 bits of flags, the most contacts, must be at least 1, not 0")
    if contact is None:
        listed = NOW.listed
        one, other, _, _, _ = listed.current
        if one is o1 and other is o2:
            if (  # inlined `found`
                most == listed.limit
                and listed.like is _ODE
                and listed.maker is POINTS
                and listed.edition == listed.home_edition.number
                and listed.free_edition == FREE_EDITION.number
                and (end := listed.ends[listed.at]) >= 0
            ):
                return listed.shown[listed.starts[listed.at] : end]
            found = listed.found(listed.at, most, _ODE, POINTS)
            if found is not None:
                return found
        return _contacts(o1, o2, most)
    require_contacts("argument 4 of dCollide", contact, most)
    return fill_contacts(contact, _contacts(o1, o2, most))


def _contacts(o1: dGeomID, o2: dGeomID, most: int) -> Any:
    if isinstance(o1, Geom) and isinstance(o2, Geom):
        try:
            return find_contacts(o1, o2, most, _ODE, POINTS)
        except DestroyedError:
            geom_or_space(o1), geom_or_space(o2)  # raises with the name of the call
            raise
    contacts: list[dContactGeom] = []

    def near(a: dGeomID, b: dGeomID) -> None:
        if len(contacts) < most:
            contacts.extend(_contacts(a, b, most - len(contacts)))

    if geom_or_space(o1) is not geom_or_space(o2):
        collide2(o1, o2, near)
    return contacts


def dSpaceCollide(space: dSpaceID, data: Any, callback: dNearCallback) -> None:
    """Call `callback(data, o1, o2)` for each pair of the space's geoms that may touch."""
    the(Space, space).collide(partial(_near(callback), data))


def dSpaceCollide2(space1: dGeomID, space2: dGeomID, data: Any, callback: dNearCallback) -> None:
    """Call `callback(data, o1, o2)` for each pair of a geom of `space1` and one of `space2`; either may be a single geom."""
    collide2(geom_or_space(space1), geom_or_space(space2), partial(_near(callback), data))


def _near(callback: Any) -> dNearCallback:
    """A near callback."""
    if not callable(callback):
        raise TypeError(f"{called_with(callback)[0]}callback must be a function, not {callback!r}")
    return callback  # type: ignore[no-any-return]
