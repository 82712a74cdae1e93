"""Joints: <joint>."""

from __future__ import annotations

from typing import Any

from opendynamics import pyode as ode
from opendynamics.pyode.xode.elements import Element
from opendynamics.pyode.xode.errors import ChildError
from opendynamics.pyode.xode.node import TreeNode, name_of

# Class, whether it has an anchor, the methods that set its axes, and the number of required axes.
_KINDS: dict[str, tuple[Any, bool, tuple[str, ...], tuple[int, ...]]] = {
    "amotor": (ode.AMotor, True, (), (0, 1, 2, 3)),
    "ball": (ode.BallJoint, True, (), (0,)),
    "fixed": (ode.FixedJoint, False, (), (0,)),
    "hinge": (ode.HingeJoint, True, ("setAxis",), (1,)),
    "hinge2": (ode.Hinge2Joint, True, ("setAxis1", "setAxis2"), (2,)),
    "slider": (ode.SliderJoint, False, ("setAxis",), (1,)),
    "universal": (ode.UniversalJoint, True, ("setAxis1", "setAxis2"), (2,)),
}

_PARAMETERS = (
    *("LoStop", "HiStop", "Vel", "FMax", "FudgeFactor", "Bounce", "CFM", "StopERP", "StopCFM"),
    *("SuspensionERP", "SuspensionCFM"),
)


class Joint(TreeNode):
    """A joint between the bodies named by <link1> and <link2>, the body that contains it, and the static world."""

    def __init__(self, parent: TreeNode, element: Element) -> None:
        super().__init__(name_of(element), parent)
        self._links: list[Any] = [None, None]
        for child in element.children:
            if child.name in ("link1", "link2"):
                self._links[int(child.name[-1]) - 1] = self._linked(child)
            elif child.name in _KINDS:
                self._make(child)
            elif child.name != "ext":
                raise ChildError(element.name, child.name, child.line)
        if self.getODEObject() is None:
            raise element.error(f"must have a type: one of {', '.join(_KINDS)}")

    def _linked(self, element: Element) -> ode.Body:
        """The body that a link names, which must come before."""
        name = element.text("body")
        try:
            linked = self.getRoot().namedChild(name).getODEObject()
        except KeyError:
            raise element.error(f"must name a body that comes before, not {name!r}", "body") from None
        if not isinstance(linked, ode.Body):
            raise element.error(f"must name a body, but {name!r} is none", "body")
        return linked

    def _ends(self, element: Element) -> tuple[Any, Any]:
        """The bodies to attach; the body that contains the joint replaces one that is not named."""
        enclosing = self.ancestorObject(ode.Body)
        one, two = self._links
        if one is None:
            one, enclosing = enclosing, None
        if two is None:
            two = enclosing
        if one is two:
            raise element.error("must join two different bodies, or a body and the static world")
        return one, two

    def _make(self, element: Element) -> None:
        kind, has_anchor, setters, counts = _KINDS[element.name]
        axes = [child for child in element.children if child.name == "axis"]
        for child in element.children:
            if not (child.name in ("axis", "ext") or (child.name == "anchor" and has_anchor)):
                raise ChildError(element.name, child.name, child.line)
            if child.name == "axis" and counts == (0,):
                raise ChildError(element.name, child.name, child.line)
        if len(axes) not in counts:
            raise element.error(f"must have {' or '.join(map(str, counts))} <axis>, not {len(axes)}")
        group = self.ancestorObject(ode.JointGroup)
        with element.blamed():
            joint = kind(self.ancestorObject(ode.World), group)
            joint._ode_keeps = group  # references to the joint keep its group alive
            joint.attach(*self._ends(element))
            self._set_up(joint, element, axes, setters)
        self.setODEObject(joint)

    def _set_up(self, joint: Any, element: Element, axes: list[Element], setters: tuple[str, ...]) -> None:
        if isinstance(joint, ode.FixedJoint):
            joint.setFixed()
        if isinstance(joint, ode.AMotor):
            joint.setNumAxes(len(axes))
        for child in element.children:
            if child.name == "anchor" and not isinstance(joint, ode.AMotor):
                joint.setAnchor(child.vector())
        for number, axis in enumerate(axes):
            with axis.blamed():
                if isinstance(joint, ode.AMotor):
                    joint.setAxis(number, 0, axis.vector())
                else:
                    getattr(joint, setters[number])(axis.vector())
                _set_parameters(joint, number, axis)


def _set_parameters(joint: Any, number: int, axis: Element) -> None:
    for attribute in axis.attributes:
        if attribute in ("x", "y", "z"):
            continue
        name = "LoStop" if attribute == "LowStop" else attribute
        if name not in _PARAMETERS:
            raise axis.error("is none that an axis has", attribute)
        code = getattr(ode, f"Param{name}") + ode.constants.ParamGroup * number
        joint.setParam(code, axis.number(attribute, infinite=True))
