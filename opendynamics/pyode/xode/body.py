"""Bodies: <body>."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics import pyode as ode
from opendynamics.pyode.xode.elements import Element
from opendynamics.pyode.xode.mass import Mass
from opendynamics.pyode.xode.node import TreeNode, name_of

__all__ = ["Body", "Mass"]


class Body(TreeNode):
    """A body, with the pose of its transform."""

    def __init__(self, parent: TreeNode, element: Element) -> None:
        from opendynamics.pyode.xode.contents import CONTENTS

        super().__init__(name_of(element), parent)
        body = ode.Body(self.getFirstAncestor(ode.World).getODEObject())
        self.setODEObject(body)
        self._mass: list[tuple[Mass, Element]] = []
        if element.choice("enabled", ("true", "false")) == "false":
            body.disable()
        if element.whole("gravitymode", 1) == 0:
            body.setGravityMode(0)
        self.readTransform(element)
        transform = self.getTransform()
        with element.blamed():
            body.setPosition(transform.getPosition())
            body.setRotation(transform.getRotation())
        self.readChildren(element, _OWN | CONTENTS)
        for mass, described in self._mass[-1:]:
            with described.blamed():
                body.setMass(mass.getODEObject())

    def _read_mass(self, element: Element) -> None:
        self._mass.append((Mass(self, element), element))

    def _read_finite_rotation(self, element: Element) -> None:
        mode = element.whole("mode")
        if mode not in (0, 1):
            raise element.error(f"must be 0 or 1, not {mode}", "mode")
        axis = element.vector("xaxis", "yaxis", "zaxis")
        body = self.getODEObject()
        body.setFiniteRotationMode(mode)
        body.setFiniteRotationAxis(axis)


_OWN: dict[str, Callable[[Any, Element], Any]] = {
    "torque": lambda body, element: body.getODEObject().setTorque(element.vector()),
    "force": lambda body, element: body.getODEObject().setForce(element.vector()),
    "linearVel": lambda body, element: body.getODEObject().setLinearVel(element.vector()),
    "angularVel": lambda body, element: body.getODEObject().setAngularVel(element.vector()),
    "finiteRotation": Body._read_finite_rotation,
    "mass": Body._read_mass,
}
