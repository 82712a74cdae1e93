"""contact.h: contact points and surfaces."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.found_contacts import FoundPoint, PointMaker, part
from opendynamics.c_api.common.identifiers import dGeomID
from opendynamics.c_api.ids import three

dContactMu2 = dContactAxisDep = 0x001
dContactFDir1 = 0x002
dContactBounce = 0x004
dContactSoftERP = 0x008
dContactSoftCFM = 0x010
dContactMotion1 = 0x020
dContactMotion2 = 0x040
dContactMotionN = 0x080
dContactSlip1 = 0x100
dContactSlip2 = 0x200
dContactRolling = 0x400
dContactInelastic = 0x800
dContactApprox0 = 0x0000
dContactApprox1_1 = 0x1000
dContactApprox1_2 = 0x2000
dContactApprox1_N = 0x4000
dContactApprox1 = 0x7000
dContactElliptic = 0x10000  # not in ODE: the cone is elliptic, not a pyramid

# Numbers of a surface in the order of the surfaces table, and those that may be infinite.
_NUMBERS = (
    *("mu", "mu2", "bounce", "bounce_vel", "soft_erp", "soft_cfm"),
    *("motion1", "motion2", "motionN", "slip1", "slip2", "rho", "rho2", "rhoN"),
)
FIELDS = ("mode", *_NUMBERS, "inward_force_limit")
_FRICTION = frozenset(("mu", "mu2", "rho", "rho2", "rhoN"))


class KnownSurface:
    """A surface by its value: row of the surfaces table, first friction direction."""

    __slots__ = ("direction1", "row")

    def __init__(self, row: tuple[float, ...], direction1: tuple[float, ...] | None) -> None:
        self.row, self.direction1 = row, direction1


# Cache of surfaces by their parameters: programs create one for each contact, of a few kinds, mostly equal to the one before.
_KNOWN: dict[Any, KnownSurface] = {}
_MAX_KNOWN = 1000
LATEST: list[Any] = [(None, None, None)]  # class, parameters, and the surface without a friction direction


class dSurfaceParameters:
    """Surface of a contact. `mode`, a sum of dContactMu2 and so on, selects the fields that are used; `mu` always is.

    Without dContactApprox1 `mu` is the maximum friction force, N, with it a coefficient; dInfinity never slides. With
    dContactInelastic, as in ODE's development version, a contact may pull with up to `-inward_force_limit` N.
    """

    mode = 0
    mu = mu2 = bounce = bounce_vel = soft_erp = soft_cfm = 0.0
    motion1 = motion2 = motionN = slip1 = slip2 = rho = rho2 = rhoN = inward_force_limit = 0.0

    def __init__(self, mode: int = 0, mu: float = 0.0) -> None:
        if mode:
            self.mode = mode
        if mu:
            self.mu = mu

    @property
    def row(self) -> tuple[float, ...]:
        """This surface as a row of the surfaces table; negative friction counts as none."""
        return self.known(None).row

    def known(self, direction1: tuple[float, ...] | None) -> KnownSurface:
        """The surface with a first friction direction, the same object for equal ones."""
        key: Any = (type(self), direction1, *self.__dict__.items())
        try:
            return _KNOWN[key]
        except (KeyError, TypeError):  # new, or one of its parameters cannot be a key
            surface = KnownSurface(self._make_row(), direction1)
        with suppress(TypeError):
            if len(_KNOWN) >= _MAX_KNOWN:
                _KNOWN.clear()
            _KNOWN[key] = surface
        return surface

    def _make_row(self) -> tuple[float, ...]:
        values = []
        for name in _NUMBERS:
            what, value = f"{name} of a surface", getattr(self, name)
            values.append(max(checks.number(what, value), 0.0) if name in _FRICTION else checks.finite(what, value))
        unknown = self.__dict__.keys() - FIELDS
        if unknown:
            raise AttributeError(
                f"dSurfaceParameters has no field {min(unknown)!r}; its fields are {', '.join(FIELDS)}"
            )
        mode = checks.count("the mode of a surface", self.mode)
        pull = checks.number("inward_force_limit of a surface", self.inward_force_limit)
        if not mode & dContactInelastic or pull >= 0.0:
            return mode & ~dContactInelastic, 0, *values
        if mode & dContactBounce:
            raise ValueError(
                f"a contact that pulls, with an inward_force_limit of {pull}, does not bounce: leave out dContactBounce, or "
                "dContactInelastic"
            )
        values[_NUMBERS.index("bounce")] = pull  # where the row of the normal reads it
        return mode, 0, *values

    def __repr__(self) -> str:
        return f"dSurfaceParameters(mode={self.mode:#x}, mu={self.mu})"


class dContactGeom(FoundPoint):
    """Contact point of two geoms: `pos` (m), `normal` into `g1`, `depth`; `side1`, `side2`: triangle of each, else -1."""

    _parts = ("_depth", "_g1", "_g2", "_normal", "_pos", "_side1", "_side2")
    __slots__ = _parts

    pos = part("_pos", "Contact point, m.", mutable=True)
    normal = part("_normal", "Unit vector into g1.", mutable=True)
    depth = part("_depth", "Penetration depth, m.")
    g1 = part("_g1", "The geom that the normal points into.")
    g2 = part("_g2", "The other geom.")
    side1 = part("_side1", "Triangle or cell of g1, -1 if it has none.")
    side2 = part("_side2", "Triangle or cell of g2, -1 if it has none.")

    def __init__(
        self,
        pos: Any = (0.0, 0.0, 0.0),
        normal: Any = (0.0, 0.0, 0.0),
        depth: float = 0.0,
        g1: dGeomID | None = None,
        g2: dGeomID | None = None,
        side1: int = -1,
        side2: int = -1,
    ) -> None:
        self._source = None
        self._pos, self._normal = np.array(pos, dtype=np.float64), np.array(normal, dtype=np.float64)
        self._depth, self._g1, self._g2, self._side1, self._side2 = depth, g1, g2, side1, side2

    def _take_point(self, point: Any, a: Any, b: Any) -> None:
        pos, normal, self._depth, self._side1, self._side2 = point[:5]
        self._pos, self._normal, self._g1, self._g2 = pos.copy(), normal.copy(), a, b

    def copy_from(self, other: dContactGeom) -> None:
        """Copy another contact point."""
        if self.show_same(other):
            return
        self._source = None
        for name in self._parts:
            setattr(self, name, getattr(other, name))

    @property
    def geom1(self) -> dGeomID | None:
        """g1, as contact joints need it."""
        return self.g1 or None

    @property
    def geom2(self) -> dGeomID | None:
        """g2, as contact joints need it."""
        return self.g2 or None

    @property
    def row(self) -> tuple[Any, ...]:
        """This contact as a row of the points table."""
        pos = checks.vector("pos of a contact", three(self.pos))
        normal = checks.vector("normal of a contact", three(self.normal))
        return pos, normal, checks.finite("depth of a contact", self.depth), self.side1, self.side2, -1, -1

    def __repr__(self) -> str:
        return f"dContactGeom(pos={list(self.pos)}, normal={list(self.normal)}, depth={self.depth})"


class FoundContactGeom(dContactGeom):
    """One that refers to a collided point, and reads it on demand."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        return dContactGeom, (), self.__getstate__()


POINTS = PointMaker(FoundContactGeom)


def latest_surface(surface: dSurfaceParameters) -> KnownSurface:
    """A surface without a friction direction, the same object for equal ones; fastest for those in LATEST."""
    known = surface.known(None)
    LATEST[0] = type(surface), surface.__dict__.copy(), known
    return known


_new = object.__new__  # without a constructor that sets nothing


class dContact:
    """A contact for a joint: `surface`, `geom`, and `fdir1`, the first friction direction, with dContactFDir1."""

    __slots__ = ("_direction", "geom", "surface")

    def __init__(self, surface: dSurfaceParameters | None = None, geom: dContactGeom | None = None) -> None:
        self.surface = _new(dSurfaceParameters) if surface is None else surface
        self.geom = dContactGeom() if geom is None else geom
        self._direction: Any = None  # not read yet

    @property
    def fdir1(self) -> Any:
        """The first friction direction, in the world frame."""
        if self._direction is None:
            self._direction = np.zeros(3)
        return self._direction

    @fdir1.setter
    def fdir1(self, direction: Any) -> None:
        self._direction = direction

    @property
    def known_surface(self) -> KnownSurface:
        """Surface and friction direction together, the same object for equal ones."""
        given, surface = self._direction, self.surface
        if given is not None:
            return surface.known(checks.vector("fdir1 of a contact", three(given)))
        return latest_surface(surface)


def require_contacts(what: str, places: Any, most: int) -> None:
    """Raise unless `places` is a list of `most` contacts or contact points to fill; for one, a single contact is accepted."""
    if most == 1 and isinstance(places, (dContact, dContactGeom)):
        return
    sized = hasattr(places, "__len__") and len(places) >= most
    if not sized or not all(isinstance(place, (dContact, dContactGeom)) for place in places):
        raise ValueError(f"{what} must be a list of {most} dContact or dContactGeom, as flags say")


def fill_contacts(places: Any, found: list[dContactGeom]) -> int:
    """Copy contact points into a contact or contact point, or a list of them; returns how many."""
    places = [places] if isinstance(places, (dContact, dContactGeom)) else places
    for place, touch in zip(places, found, strict=False):
        target = place.geom if isinstance(place, dContact) else place
        target.copy_from(touch)
    return len(found)
