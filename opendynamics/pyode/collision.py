"""Contacts of two geoms, and pairs of geoms that may touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics import c_api as c
from opendynamics.api.checks import DestroyedError
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.api.contact import find_contacts
from opendynamics.api.contact_run import NOW
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.like import Model
from opendynamics.api.listed_pairs import FREE_EDITION
from opendynamics.pyode import loop_calls
from opendynamics.pyode.contact import CONTACTS, Contact, contact_of_point
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.handle import id_of
from opendynamics.pyode.lifetime import FORGOTTEN, clean_up, colliding
from opendynamics.pyode.spaces.space import near

# Maximum number of contacts that PyODE requests from ODE.
MAX_CONTACTS = 150
_ODE: Model = "ode"


@compiled_call(loop_calls.collide, loop_calls.PYODE_LOOP)
def collide(geom1: GeomObject, geom2: GeomObject) -> list[Contact]:
    """Return the contacts of two geoms, or of all in two spaces: at most 150."""
    if FORGOTTEN:
        clean_up()
    listed = NOW.listed
    given1, given2 = listed.given
    if geom1 is given1 and geom2 is given2:
        if (  # inlined `found`; the same in `loop_calls.py`
            listed.limit == MAX_CONTACTS
            and listed.like is _ODE
            and listed.maker is CONTACTS
            and listed.edition == listed.home_edition.number
            and listed.free_edition == FREE_EDITION.number
            and (end := listed.ends[listed.at]) >= 0
        ):
            return listed.shown[listed.starts[listed.at] : end]  # type: ignore[no-any-return]
        contacts: list[Contact] | None = listed.found(listed.at, MAX_CONTACTS, _ODE, CONTACTS)
        if contacts is not None:
            return contacts
    one, two = id_of(GeomObject, "what collides", geom1), id_of(GeomObject, "what collides", geom2)
    if isinstance(one, Geom) and isinstance(two, Geom):
        try:
            return find_contacts(one, two, MAX_CONTACTS, _ODE, CONTACTS)
        except DestroyedError:  # raised below, with the name of the call
            pass
    return [contact_of_point(point) for point in c.dCollide(one, two, MAX_CONTACTS)]


def collide2(
    geom1: GeomObject, geom2: GeomObject, arg: Any, callback: Callable[[Any, GeomObject, GeomObject], Any]
) -> None:
    """Call `callback(arg, g1, g2)` for each pair of a member of `geom1` and one of `geom2` that may touch.

    A geom that is not a space counts as a space that contains only itself.
    """
    one, two = (id_of(GeomObject, "what collides", geom) for geom in (geom1, geom2))
    with colliding():
        c.dSpaceCollide2(one, two, (arg, callback), near)
