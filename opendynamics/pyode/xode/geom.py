"""Geoms: <geom>."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics import pyode as ode
from opendynamics.pyode.xode.elements import Element
from opendynamics.pyode.xode.errors import ChildError
from opendynamics.pyode.xode.node import AncestorNotFoundError, TreeNode, name_of


class Geom(TreeNode):
    """A geom: static, with the pose of its transform, or on the body that contains it, in a GeomTransform if transformed."""

    def __init__(self, parent: TreeNode, element: Element) -> None:
        from opendynamics.pyode.xode.contents import CONTENTS

        super().__init__(name_of(element), parent)
        self._space = self.getFirstAncestor(ode.SpaceBase).getODEObject()
        self.readTransform(element)
        self._transformed = any(child.name == "transform" for child in element.children)
        shapes = [child for child in element.children if child.name in _SHAPES]
        others = Element(element.name, element.attributes, element.line)
        others.children = [child for child in element.children if child.name not in _SHAPES]
        for other in others.children:
            if other.name not in CONTENTS and other.name not in ("transform", "ext"):
                raise ChildError(element.name, other.name, other.line)
        if len(shapes) != 1:
            raise element.error(f"must have one shape, not {len(shapes)}: one of {', '.join(_SHAPES)}")
        with shapes[0].blamed():
            _SHAPES[shapes[0].name](self, shapes[0])
        self.readChildren(others, CONTENTS)

    def _body_node(self) -> TreeNode | None:
        try:
            return self.getFirstAncestor(ode.Body)
        except AncestorNotFoundError:
            return None

    def _place(self, kind: Any, **sizes: Any) -> None:
        """Create a geom of `kind`, and attach it."""
        body = self._body_node()
        if body is None:
            geom = kind(space=self._space, **sizes)
            _move(geom, self)
        elif self._transformed:
            held = kind(space=None, **sizes)
            _move(held, self, body)
            geom = ode.GeomTransform(self._space)
            geom.setGeom(held)
            geom.setBody(body.getODEObject())
        else:
            geom = kind(space=self._space, **sizes)
            geom.setBody(body.getODEObject())
        self.setODEObject(geom)

    def _place_ray(self, length: float) -> None:
        """Create a ray, which is attached to a body with an offset: a transform cannot contain it."""
        ray, body = ode.GeomRay(self._space, length), self._body_node()
        if body is None:
            _move(ray, self)
        else:
            ray.setBody(body.getODEObject())
            if self._transformed:
                transform = self.getTransform(body)
                ray.setOffsetPosition(transform.getPosition())
                ray.setOffsetRotation(transform.getRotation())
        self.setODEObject(ray)


def _move(geom: Any, node: TreeNode, until: TreeNode | None = None) -> None:
    transform = node.getTransform(until)
    geom.setPosition(transform.getPosition())
    geom.setRotation(transform.getRotation())


def _childless(element: Element) -> None:
    for child in element.children:
        if child.name != "ext":
            raise ChildError(element.name, child.name, child.line)


def _box(node: Geom, element: Element) -> None:
    _childless(element)
    node._place(ode.GeomBox, lengths=element.vector("sizex", "sizey", "sizez"))


def _sphere(node: Geom, element: Element) -> None:
    _childless(element)
    node._place(ode.GeomSphere, radius=element.number("radius"))


def _capsule(node: Geom, element: Element) -> None:
    _childless(element)
    node._place(ode.GeomCapsule, radius=element.number("radius"), length=element.number("length"))


def _cylinder(node: Geom, element: Element) -> None:
    _childless(element)
    node._place(ode.GeomCylinder, radius=element.number("radius"), length=element.number("length"))


def _plane(node: Geom, element: Element) -> None:
    _childless(element)
    node.setODEObject(ode.GeomPlane(node._space, element.vector("a", "b", "c"), element.number("d")))


def _ray(node: Geom, element: Element) -> None:
    _childless(element)
    node._place_ray(element.number("length"))


def _trimesh(node: Geom, element: Element) -> None:
    rows: dict[str, list[Any]] = {"v": [], "t": []}
    holders = {"vertices": "v", "triangles": "t"}
    for holder in element.children:
        inner = holder.children if holder.name in holders else [holder]
        for child in inner:
            if child.name == "v":
                rows["v"].append(child.vector())
            elif child.name == "t":
                rows["t"].append(tuple(child.whole(index) - 1 for index in ("ia", "ib", "ic")))
            elif child.name != "ext":
                raise ChildError(element.name, child.name, child.line)
    data = ode.TriMeshData()
    data.build(rows["v"], rows["t"])
    node._place(ode.GeomTriMesh, data=data)


_SHAPES: dict[str, Callable[[Geom, Element], None]] = {
    "box": _box,
    "sphere": _sphere,
    "cappedCylinder": _capsule,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "plane": _plane,
    "ray": _ray,
    "trimesh": _trimesh,
}
