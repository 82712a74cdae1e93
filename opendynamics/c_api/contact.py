"""contact.h: contact points and surfaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks
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
_FRICTION = frozenset(("mu", "mu2", "rho", "rho2", "rhoN"))


class dSurfaceParameters:
    """Surface of a contact. `mode` is a sum of dContactMu2 and its kind: which fields are used; `mu` always is.

    Without dContactApprox1 `mu` is the largest friction force, N, with it a coefficient; dInfinity never slides. With
    dContactInelastic ODE's development version lets a contact pull with `-inward_force_limit` N; here it must not.
    """

    __slots__ = ("inward_force_limit", "mode", *_NUMBERS)

    def __init__(self, mode: int = 0, mu: float = 0.0) -> None:
        self.mode = mode
        self.inward_force_limit = 0.0
        for name in _NUMBERS:
            setattr(self, name, 0.0)
        self.mu = mu

    @property
    def row(self) -> tuple[float, ...]:
        """This surface as a row of the surfaces table; negative friction is none."""
        values = []
        for name in _NUMBERS:
            what, value = f"{name} of a surface", getattr(self, name)
            values.append(max(checks.number(what, value), 0.0) if name in _FRICTION else checks.finite(what, value))
        mode = checks.count("the mode of a surface", self.mode)
        if mode & dContactInelastic and checks.number("inward_force_limit of a surface", self.inward_force_limit) < 0.0:
            raise ValueError(
                f"inward_force_limit of a surface must not be negative, as {self.inward_force_limit} is: contacts do not "
                "pull; hold the bodies together with a joint, such as dJointCreateFixed with a breaking strength"
            )
        return mode & ~dContactInelastic, 0, *values

    def __repr__(self) -> str:
        return f"dSurfaceParameters(mode={self.mode:#x}, mu={self.mu})"


class dContactGeom:
    """Where two geoms touch: `pos` (m), `normal` into `g1`, `depth`; `side1`, `side2`: triangle of each, else -1."""

    __slots__ = ("depth", "g1", "g2", "normal", "pos", "side1", "side2")

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
        self.pos, self.normal, self.depth = np.array(pos, dtype=np.float64), np.array(normal, dtype=np.float64), depth
        self.g1, self.g2, self.side1, self.side2 = g1, g2, side1, side2

    @property
    def geom1(self) -> dGeomID | None:
        """g1, as contact joints ask for it."""
        return self.g1 or None

    @property
    def geom2(self) -> dGeomID | None:
        """g2, as contact joints ask for it."""
        return self.g2 or None

    @property
    def row(self) -> tuple[Any, ...]:
        """This contact as a row of the points table."""
        pos = checks.vector("pos of a contact", three(self.pos))
        normal = checks.vector("normal of a contact", three(self.normal))
        return pos, normal, checks.finite("depth of a contact", self.depth), self.side1, self.side2, -1, -1

    def __repr__(self) -> str:
        return f"dContactGeom(pos={list(self.pos)}, normal={list(self.normal)}, depth={self.depth})"


class dContact:
    """A contact for a joint: `surface`, `geom`, and `fdir1`, the first friction direction, with dContactFDir1."""

    __slots__ = ("fdir1", "geom", "surface")

    def __init__(self, surface: dSurfaceParameters | None = None, geom: dContactGeom | None = None) -> None:
        self.surface = dSurfaceParameters() if surface is None else surface
        self.geom = dContactGeom() if geom is None else geom
        self.fdir1: Any = np.zeros(3)

    @property
    def row(self) -> tuple[float, ...]:
        """The surface as a row of the surfaces table."""
        return self.surface.row

    @property
    def direction1(self) -> tuple[float, ...]:
        """The first friction direction, as it is."""
        return checks.vector("fdir1 of a contact", three(self.fdir1))


def require_contacts(what: str, places: Any, most: int) -> None:
    """Raise unless `places` is a list of `most` contacts or contact points to fill."""
    sized = hasattr(places, "__len__") and len(places) >= most
    if not sized or not all(isinstance(place, (dContact, dContactGeom)) for place in places):
        raise ValueError(f"{what} must be a list of {most} dContact or dContactGeom, as flags say")


def fill_contacts(places: Any, found: list[dContactGeom]) -> int:
    """Copy contact points into a list of contacts or contact points; returns how many."""
    for place, touch in zip(places, found, strict=False):
        target = place.geom if isinstance(place, dContact) else place
        for name in dContactGeom.__slots__:
            setattr(target, name, getattr(touch, name))
    return len(found)
