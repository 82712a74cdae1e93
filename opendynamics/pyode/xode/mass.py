"""Masses of bodies: <mass>."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics import c_api as c
from opendynamics import pyode as ode
from opendynamics.pyode.sequences import twelve
from opendynamics.pyode.xode.elements import Element
from opendynamics.pyode.xode.errors import ChildError
from opendynamics.pyode.xode.node import TreeNode, name_of
from opendynamics.pyode.xode.transform import read_transform

_DIRECTIONS = {"x": 1, "y": 2, "z": 3, "1": 1, "2": 2, "3": 3}
_NUMBERS = ("mass", "cgx", "cgy", "cgz", "I11", "I22", "I33", "I12", "I13", "I23")


class Mass(TreeNode):
    """A mass: a sphere of radius 1 and density 1 unless a shape is given, with the masses in it added."""

    def __init__(self, parent: TreeNode, element: Element) -> None:
        super().__init__(name_of(element), parent)
        mass = ode.Mass()
        mass.setSphere(1.0, 1.0)
        self.setODEObject(mass)
        for child in element.children:
            if child.name != "ext":
                self._read(element, child)

    def _read(self, element: Element, child: Element) -> None:
        mass = self.getODEObject()
        with child.blamed():
            if child.name == "mass_shape":
                _read_shape(mass, child)
            elif child.name == "mass_struct":
                if child.attributes:
                    mass.setParameters(*(child.number(name, None if name == "mass" else 0.0) for name in _NUMBERS))
            elif child.name == "transform":
                transform = read_transform(child)
                c.dMassRotate(mass._ode_id, twelve(transform.getRotation()))
                mass.translate(transform.getPosition())
            elif child.name == "adjust":
                mass.adjust(child.number("total"))
            elif child.name == "mass":
                mass.add(Mass(self, child).getODEObject())
            else:
                raise ChildError(element.name, child.name, child.line)


def _read_shape(mass: Any, element: Element) -> None:
    """Set the shape of a mass; without a density PyODE leaves the mass unchanged."""
    density = element.number("density") if "density" in element.attributes else None
    for child in element.children:
        if child.name == "ext":
            continue
        reader = _SHAPES.get(child.name)
        if reader is None:
            raise ChildError(element.name, child.name, child.line)
        with child.blamed():
            setter, size = reader(child)
            if density is not None:
                getattr(mass, setter)(density, *size)


def _round(setter: str) -> Callable[[Element], tuple[str, tuple[float, ...]]]:
    def read(element: Element) -> tuple[str, tuple[float, ...]]:
        direction = element.choice("direction", ("z", "x", "y", "1", "2", "3"))
        return setter, (_DIRECTIONS[direction], element.number("radius"), element.number("length"))

    return read


_SHAPES: dict[str, Callable[[Element], tuple[str, tuple[float, ...]]]] = {
    "sphere": lambda element: ("setSphere", (element.number("radius", 1.0),)),
    "box": lambda element: ("setBox", element.vector("sizex", "sizey", "sizez")),
    "cappedCylinder": _round("setCapsule"),
    "capsule": _round("setCapsule"),
    "cylinder": _round("setCylinder"),
}
