"""Contact."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any
from weakref import getweakrefcount

import numpy as np

from opendynamics.api import checks
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.api.found_contacts import Maker
from opendynamics.c_api.contact import FIELDS, POINTS, KnownSurface, dContact, dSurfaceParameters
from opendynamics.pyode import loop_calls
from opendynamics.pyode.constants import ContactBounce, Infinity
from opendynamics.pyode.handle import Identified, id_of
from opendynamics.pyode.sequences import Vector, three, vector

if TYPE_CHECKING:
    from opendynamics.api.found_contacts import FoundContacts
    from opendynamics.pyode.geoms.geom import GeomObject


_new = object.__new__


class Contact(Identified):
    """Where two geoms touch, and how. By default it bounces (0.1) and never slides, as in PyODE."""

    __slots__ = ("_ode_contact", "_ode_found", "_ode_number", "_ode_surface")

    _ode_contact: dContact | None
    _ode_found: FoundContacts | None  # what found it, as point `_ode_number`, as long as it has no C ID
    _ode_number: int
    _ode_surface: Any

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = Identified.__new__(cls, *args, **kwargs)
        self._ode_contact = self._ode_found = None
        self._ode_surface = _FirstSurface()
        return self

    def _ode_make(self) -> Any:
        return self._ode_id

    @property
    def _ode_id(self) -> Any:
        """The C ID, made on first use."""
        if self._ode_contact is None:
            found, self._ode_found = self._ode_found, None
            if found is None:
                self._ode_contact = dContact(self._ode_surface)
            else:
                found.touched = True
                self._ode_surface = self._ode_surface.copy()
                self._ode_contact = dContact(self._ode_surface, POINTS.make(found, (self._ode_number,))[0])
        return self._ode_contact

    @_ode_id.setter
    def _ode_id(self, contact: Any) -> None:
        self._ode_contact = contact

    def _ode_put(self, name: str, value: float) -> None:
        surface = self._ode_surface
        if type(surface) is SharedSurface:
            self._ode_surface = surface.but(name, value)
        else:
            setattr(surface, name, value)

    def getMode(self) -> int:
        return int(self._ode_surface.mode)

    @compiled_call(loop_calls.set_mode, loop_calls.PYODE_LOOP)
    def setMode(self, flags: int) -> None:
        """Set which parameters of the surface are used: a sum of ContactBounce and so on."""
        if type(flags) is int:
            try:
                self._ode_surface = self._ode_surface.modes[flags]
                return
            except (AttributeError, KeyError):  # its own surface, or one that was not read yet
                pass
        self._ode_put("mode", checks.count("the mode of a contact", flags))

    def getMu(self) -> float:
        return float(self._ode_surface.mu)

    @compiled_call(loop_calls.set_mu, loop_calls.PYODE_LOOP)
    def setMu(self, mu: float) -> None:
        """Set the friction: the largest force, N, or with ContactApprox1 a coefficient."""
        if type(mu) is float or type(mu) is int:
            try:
                self._ode_surface = self._ode_surface.frictions[mu]
                return
            except (AttributeError, KeyError):
                pass
        self._ode_put("mu", checks.number("mu of a contact", mu))

    def getMu2(self) -> float:
        return float(self._ode_surface.mu2)

    def setMu2(self, mu: float) -> None:
        self._ode_put("mu2", checks.number("mu2 of a contact", mu))

    def getBounce(self) -> float:
        return float(self._ode_surface.bounce)

    @compiled_call(loop_calls.set_bounce, loop_calls.PYODE_LOOP)
    def setBounce(self, b: float) -> None:
        """Set the restitution, 0 to 1."""
        if type(b) is float or type(b) is int:
            try:
                self._ode_surface = self._ode_surface.bounces[b]
                return
            except (AttributeError, KeyError):
                pass
        self._ode_put("bounce", checks.finite("the bounce of a contact", b))

    def getBounceVel(self) -> float:
        return float(self._ode_surface.bounce_vel)

    def setBounceVel(self, bv: float) -> None:
        """Set the minimum velocity, m/s, that bounces."""
        self._ode_put("bounce_vel", checks.finite("the bounce velocity of a contact", bv))

    def getSoftERP(self) -> float:
        return float(self._ode_surface.soft_erp)

    def setSoftERP(self, erp: float) -> None:
        self._ode_put("soft_erp", checks.finite("the soft ERP of a contact", erp))

    def getSoftCFM(self) -> float:
        return float(self._ode_surface.soft_cfm)

    def setSoftCFM(self, cfm: float) -> None:
        self._ode_put("soft_cfm", checks.finite("the soft CFM of a contact", cfm))

    def getMotion1(self) -> float:
        return float(self._ode_surface.motion1)

    def setMotion1(self, m: float) -> None:
        """Set the velocity, m/s, of the surface along the first friction direction."""
        self._ode_put("motion1", checks.finite("the first motion of a contact", m))

    def getMotion2(self) -> float:
        return float(self._ode_surface.motion2)

    def setMotion2(self, m: float) -> None:
        self._ode_put("motion2", checks.finite("the second motion of a contact", m))

    def getSlip1(self) -> float:
        return float(self._ode_surface.slip1)

    def setSlip1(self, s: float) -> None:
        """Set the force-dependent slip along the first friction direction."""
        self._ode_put("slip1", checks.finite("the first slip of a contact", s))

    def getSlip2(self) -> float:
        return float(self._ode_surface.slip2)

    def setSlip2(self, s: float) -> None:
        self._ode_put("slip2", checks.finite("the second slip of a contact", s))

    def getFDir1(self) -> Vector:
        return vector(self._ode_id.fdir1)

    def setFDir1(self, fdir: Any) -> None:
        """Set the first friction direction, in the world frame."""
        self._ode_id.fdir1 = np.array(checks.vector("the friction direction of a contact", three(fdir)))

    def setContactSurfaceParams(
        self,
        mode: int,
        mu: float,
        mu2: float,
        bounce: float,
        bounce_vel: float,
        motion1: float,
        motion2: float,
        slip1: float,
        slip2: float,
        soft_erp: float,
        soft_cfm: float,
        fdir1: Any,
    ) -> None:
        """Set all parameters of the surface at once."""
        for contact in (Contact(), self):  # the first call rejects invalid arguments before anything has changed
            contact.setMode(mode)
            contact.setMu(mu)
            contact.setMu2(mu2)
            contact.setBounce(bounce)
            contact.setBounceVel(bounce_vel)
            contact.setMotion1(motion1)
            contact.setMotion2(motion2)
            contact.setSlip1(slip1)
            contact.setSlip2(slip2)
            contact.setSoftERP(soft_erp)
            contact.setSoftCFM(soft_cfm)
            contact.setFDir1(fdir1)

    def getContactGeomParams(self) -> tuple[Vector, Vector, float, GeomObject, GeomObject]:
        """Return position, normal, depth and both geoms.

        Raises:
            KeyError: if the contact has no geoms, or they were destroyed.
        """
        geom = self._ode_id.geom
        return vector(geom.pos), vector(geom.normal), float(geom.depth), _known(geom.g1), _known(geom.g2)

    def setContactGeomParams(
        self, pos: Any, normal: Any, depth: float, g1: GeomObject | None = None, g2: GeomObject | None = None
    ) -> None:
        """Set position (m), unit normal into the first geom, depth (m) and geoms."""
        from opendynamics.pyode.geoms.geom import GeomObject

        at = checks.vector("the position of a contact", three(pos))
        along = checks.vector("the normal of a contact", three(normal))
        deep = checks.finite("the depth of a contact", depth)
        geoms = [id_of(GeomObject, "a geom of a contact", g, none=True) for g in (g1, g2)]
        geom = self._ode_id.geom
        geom.pos, geom.normal, geom.depth = np.array(at), np.array(along), deep
        geom.g1, geom.g2 = geoms


class _FirstSurface(dSurfaceParameters):
    """The initial surface of a contact."""

    mode, mu, bounce = ContactBounce, Infinity, 0.1


class SharedSurface(KnownSurface):
    """The surface of contacts without a C ID: never changed, and the same object for equal ones.

    `modes`, `frictions`, `bounces` and `near` are the surfaces that differ from this in one number alone.
    """

    __slots__ = (*FIELDS, "bounces", "frictions", "modes", "near", "values")

    def __init__(self, values: dict[str, float]) -> None:
        self.values = values
        for name in FIELDS:
            setattr(self, name, values[name] if name in values else getattr(_FirstSurface, name))
        KnownSurface.__init__(self, self.copy().row, None)
        self.modes: dict[float, SharedSurface] = {}
        self.frictions: dict[float, SharedSurface] = {}
        self.bounces: dict[float, SharedSurface] = {}
        self.near: dict[tuple[str, float], SharedSurface] = {}

    def copy(self) -> dSurfaceParameters:
        """A surface owned by a contact."""
        surface = _new(_FirstSurface)
        surface.__dict__.update(self.values)
        return surface

    def but(self, name: str, value: float) -> SharedSurface:
        """The surface that differs from this in one number."""
        found = self.near.get((name, value))
        if found is None:
            values = self.values | {name: value}
            key = tuple(sorted(values.items()))
            if len(_SHARED) >= _MAX_SHARED:
                _SHARED.clear()
            found = _SHARED.setdefault(key, SharedSurface(values))
            if len(self.near) < _MAX_SHARED:
                self.near[name, value] = found
                quick = {"mode": self.modes, "mu": self.frictions, "bounce": self.bounces}.get(name, {})
                quick[value] = found
        return found


_MAX_SHARED = 1000
_SHARED: dict[Any, SharedSurface] = {}
_FIRST = SharedSurface({})


class _ContactMaker(Maker[Contact]):
    """Makes contacts of points that were found. One gets a C ID when more than its surface is needed."""

    def make(self, source: FoundContacts, numbers: Sequence[int]) -> list[Contact]:
        """Contacts for the points of these numbers in `source`."""
        made: list[Contact] = list(map(_new, repeat(Contact, len(numbers))))
        deque(map(_set_contact, made, repeat(None)), 0)
        deque(map(_set_found, made, repeat(source)), 0)
        deque(map(_set_number, made, numbers), 0)
        deque(map(_set_surface, made, repeat(_FIRST)), 0)
        return made

    def renew(self, shown: list[Contact]) -> bool:
        """Reuse all contacts for the next points, unless some are referenced elsewhere."""
        if any(map(getweakrefcount, shown)) or not super().renew(shown):
            return False
        deque(map(_set_surface, shown, repeat(_FIRST)), 0)
        return True


CONTACTS = _ContactMaker()


def contact_of_point(point: Any) -> Contact:
    """The contact of a point that is a dContactGeom."""
    contact: Contact = Contact()
    contact._ode_id = dContact(contact._ode_surface, point)
    return contact


_set_contact, _set_found, _set_number, _set_surface = (
    vars(Contact)[name].__set__ for name in ("_ode_contact", "_ode_found", "_ode_number", "_ode_surface")
)


def _known(identifier: Any) -> GeomObject:
    """The geom that has this ID."""
    from opendynamics.pyode.geoms.geom import geom_of

    geom: GeomObject | None = None if identifier is None else geom_of(identifier)
    if geom is None:
        raise KeyError(0 if identifier is None else identifier.name)
    return geom
