"""Mass."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.handle import Handle, id_of
from opendynamics.pyode.sequences import Vector, three, vector


class Mass(Handle):
    """Mass (kg), centre of mass (m) and inertia (kg m²). `mass`, `c` and `I` are readable; setting `mass` is `adjust`."""

    __slots__ = ()

    def _ode_make(self) -> Any:
        return c.dMass()

    def _ode_take(self, mass: Any) -> None:
        """Copy the numbers of a C structure."""
        own = self._ode_id
        own.mass, own.c, own.I = mass.mass, mass.c, mass.I

    @property
    def mass(self) -> float:
        """Mass, kg; setting it scales the inertia."""
        return float(self._ode_id.mass)

    @mass.setter
    def mass(self, value: float) -> None:
        self.adjust(value)

    @property
    def c(self) -> Vector:
        """Centre of mass, m."""
        return vector(self._ode_id.c)

    @property
    def I(self) -> tuple[Vector, Vector, Vector]:  # noqa: E743  (PyODE's name)
        """Inertia about the origin, kg m², three rows."""
        x, y, z = self._ode_id.I.reshape(3, 4)[:, :3]
        return vector(x), vector(y), vector(z)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("c", "I"):
            raise AttributeError(f"{name} of a mass cannot be set: use setParameters to change it")
        super().__setattr__(name, value)

    def setZero(self) -> None:
        c.dMassSetZero(self._ode_id)

    def setParameters(
        self,
        mass: float,
        cgx: float,
        cgy: float,
        cgz: float,
        I11: float,
        I22: float,
        I33: float,
        I12: float,
        I13: float,
        I23: float,
    ) -> None:
        """Set mass, centre of mass and inertia about the origin."""
        c.dMassSetParameters(self._ode_id, mass, cgx, cgy, cgz, I11, I22, I33, I12, I13, I23)

    def setSphere(self, density: float, radius: float) -> None:
        c.dMassSetSphere(self._ode_id, density, radius)

    def setSphereTotal(self, total_mass: float, radius: float) -> None:
        c.dMassSetSphereTotal(self._ode_id, total_mass, radius)

    def setCapsule(self, density: float, direction: int, radius: float, length: float) -> None:
        """Set a capsule along x, y or z (`direction` 1, 2 or 3); `length` without the caps."""
        c.dMassSetCapsule(self._ode_id, density, direction, radius, length)

    def setCapsuleTotal(self, total_mass: float, direction: int, radius: float, length: float) -> None:
        c.dMassSetCapsuleTotal(self._ode_id, total_mass, direction, radius, length)

    def setCappedCylinder(self, density: float, direction: int, r: float, h: float) -> None:
        """Old name of `setCapsule`."""
        c.dMassSetCapsule(self._ode_id, density, direction, r, h)

    def setCappedCylinderTotal(self, total_mass: float, direction: int, r: float, h: float) -> None:
        """Old name of `setCapsuleTotal`."""
        c.dMassSetCapsuleTotal(self._ode_id, total_mass, direction, r, h)

    def setCylinder(self, density: float, direction: int, r: float, h: float) -> None:
        c.dMassSetCylinder(self._ode_id, density, direction, r, h)

    def setCylinderTotal(self, total_mass: float, direction: int, r: float, h: float) -> None:
        c.dMassSetCylinderTotal(self._ode_id, total_mass, direction, r, h)

    def setBox(self, density: float, lx: float, ly: float, lz: float) -> None:
        c.dMassSetBox(self._ode_id, density, lx, ly, lz)

    def setBoxTotal(self, total_mass: float, lx: float, ly: float, lz: float) -> None:
        c.dMassSetBoxTotal(self._ode_id, total_mass, lx, ly, lz)

    def adjust(self, newmass: float) -> None:
        """Set the mass, and scale the inertia with it."""
        c.dMassAdjust(self._ode_id, newmass)

    def translate(self, t: Any) -> None:
        """Translate the mass by `t`, m."""
        c.dMassTranslate(self._ode_id, *three(t))

    def add(self, b: Mass) -> None:
        c.dMassAdd(self._ode_id, id_of(Mass, "what is added to a mass", b))

    def __add__(self, b: Mass) -> Mass:
        """Add `b` to this mass, in place, as in PyODE."""
        self.add(b)
        return self

    def __radd__(self, a: Any) -> Mass:
        raise TypeError(f"only a Mass can be added to a mass, not {a!r}")

    def __str__(self) -> str:
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = self.I
        moments = f"I11={xx} I22={yy} I33={zz}\nI12={xy} I13={xz} I23={yz}"
        return f"Mass={self.mass}\nCg={self.c}\n{moments}"
