"""mass.h: mass, centre of mass and inertia."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.checks import positive
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.mass import Mass, mass_as_given
from opendynamics.c_api.common.identifiers import dGeomID
from opendynamics.c_api.ids import Array, matrix12, matrix33, the, three


class dMass:
    """Mass (kg), centre of mass `c` (m, 3 numbers) and inertia `I` (kg m², 3x4 by rows) about the frame's origin."""

    __slots__ = ("I", "c", "mass")

    def __init__(self) -> None:
        self.mass: float = 0.0
        self.c: Array = np.zeros(3)
        self.I: Array = np.zeros(12)

    def __repr__(self) -> str:
        return f"dMass(mass={self.mass}, c={list(self.c)}, I={list(self.I)})"


def mass_of(m: object) -> Mass:
    """The Mass that `m` describes."""
    given = the(dMass, m)
    return mass_as_given(given.mass, matrix33(given.I), three(given.c))


def fill(m: object, mass: Mass) -> None:
    """Set `m` to a Mass."""
    target = the(dMass, m)
    target.mass, target.c, target.I = mass.mass, mass.center.copy(), matrix12(mass.inertia)


def dMassCheck(m: dMass) -> int:
    """1 if a body can have this mass: above 0, inertia positive definite, also about the centre of mass."""
    try:
        return int(mass_of(m).check())
    except ValueError:
        return 0


def dMassSetZero(m: dMass) -> None:
    fill(m, Mass())


def dMassSetParameters(
    m: dMass,
    themass: float,
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
    inertia = [[I11, I12, I13], [I12, I22, I23], [I13, I23, I33]]
    fill(m, mass_as_given(themass, inertia, (cgx, cgy, cgz)))


def dMassSetSphere(m: dMass, density: float, radius: float) -> None:
    fill(m, Mass.sphere(radius, density=positive("the density", density)))


def dMassSetSphereTotal(m: dMass, total_mass: float, radius: float) -> None:
    fill(m, Mass.sphere(radius, mass=positive("the mass", total_mass)))


def dMassSetCapsule(m: dMass, density: float, direction: int, radius: float, length: float) -> None:
    """`direction`: 1, 2 or 3 for x, y or z; `length`: between the caps."""
    fill(m, Mass.capsule(radius, length, axis=direction, density=positive("the density", density)))


def dMassSetCapsuleTotal(m: dMass, total_mass: float, direction: int, radius: float, length: float) -> None:
    fill(m, Mass.capsule(radius, length, axis=direction, mass=positive("the mass", total_mass)))


def dMassSetCylinder(m: dMass, density: float, direction: int, radius: float, length: float) -> None:
    fill(m, Mass.cylinder(radius, length, axis=direction, density=positive("the density", density)))


def dMassSetCylinderTotal(m: dMass, total_mass: float, direction: int, radius: float, length: float) -> None:
    fill(m, Mass.cylinder(radius, length, axis=direction, mass=positive("the mass", total_mass)))


def dMassSetBox(m: dMass, density: float, lx: float, ly: float, lz: float) -> None:
    fill(m, Mass.box((lx, ly, lz), density=positive("the density", density)))


def dMassSetBoxTotal(m: dMass, total_mass: float, lx: float, ly: float, lz: float) -> None:
    fill(m, Mass.box((lx, ly, lz), mass=positive("the mass", total_mass)))


def dMassSetTrimesh(m: dMass, density: float, g: dGeomID) -> None:
    """The mass of the solid bounded by a closed mesh, in the geom's pose in the world."""
    fill(m, Mass.trimesh(the(Trimesh, g), density=positive("the density", density)))


def dMassSetTrimeshTotal(m: dMass, total_mass: float, g: dGeomID) -> None:
    fill(m, Mass.trimesh(the(Trimesh, g), mass=positive("the mass", total_mass)))


def dMassAdjust(m: dMass, newmass: float) -> None:
    """Set the total mass to `newmass`, scaling the inertia with it."""
    fill(m, mass_of(m).adjust(newmass))


def dMassTranslate(m: dMass, x: float, y: float, z: float) -> None:
    fill(m, mass_of(m).translate((x, y, z)))


def dMassRotate(m: dMass, R: Any) -> None:
    fill(m, mass_of(m).rotate(matrix33(R)))


def dMassAdd(a: dMass, b: dMass) -> None:
    """Add `b` to `a`."""
    fill(a, mass_of(a).add(mass_of(b)))


dMassSetCappedCylinder = dMassSetCapsule
dMassSetCappedCylinderTotal = dMassSetCapsuleTotal
