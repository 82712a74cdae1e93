"""Contents of spaces, groups, bodies and geoms: the name of each element, and its reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics import pyode as ode
from opendynamics.pyode.xode.body import Body
from opendynamics.pyode.xode.elements import Element
from opendynamics.pyode.xode.geom import Geom
from opendynamics.pyode.xode.joint import Joint
from opendynamics.pyode.xode.node import TreeNode, name_of


class Group(TreeNode):
    """Elements with a common transform: <group>."""

    def __init__(self, parent: TreeNode, element: Element) -> None:
        super().__init__(name_of(element), parent)
        self.readTransform(element)
        self.readChildren(element, CONTENTS)


class JointGroup(TreeNode):
    """Elements whose joints belong to one ode.JointGroup: <jointgroup>."""

    def __init__(self, parent: TreeNode, element: Element) -> None:
        super().__init__(name_of(element), parent)
        self.setODEObject(ode.JointGroup())
        self.readTransform(element)
        self.readChildren(element, CONTENTS)


CONTENTS: dict[str, Callable[[TreeNode, Element], Any]] = {
    "body": Body,
    "geom": Geom,
    "group": Group,
    "joint": Joint,
    "jointgroup": JointGroup,
}
