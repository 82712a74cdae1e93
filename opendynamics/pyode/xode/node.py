"""The tree of nodes of a document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.pyode.xode.elements import Element
from opendynamics.pyode.xode.errors import ChildError
from opendynamics.pyode.xode.transform import Transform, read_transform


class AncestorNotFoundError(Exception):
    """No ancestor has an object of a type.

    Attributes:
        type: the class of objects that was searched for.
    """

    def __init__(self, type: Any) -> None:
        super().__init__(type)
        self.type = type

    def __str__(self) -> str:
        return f"no ancestor stands for a {self.type.__name__}"


class TreeNode:
    """A node with an ODE object, or with several.

    Args:
        name: the name in the document, or None.
        parent: the containing node, or None.
    """

    def __init__(self, name: str | None, parent: TreeNode | None) -> None:
        self._name, self._parent = name, parent
        self._object: Any = None
        self._transform = Transform()
        self._children: list[TreeNode] = []
        self._named: dict[str, TreeNode] = {}
        if parent is not None:
            parent.addChild(self, name)

    # -- contents --------------------------------------------------------------------------------------------------

    def getName(self) -> str | None:
        return self._name

    def setODEObject(self, obj: Any) -> None:
        self._object = obj

    def getODEObject(self) -> Any:
        """Return the ODE object of the node, or None."""
        return self._object

    def setNodeTransform(self, transform: Transform) -> None:
        self._transform = transform

    def getNodeTransform(self) -> Transform:
        """Return the transform of this node alone."""
        return self._transform

    def getTransform(self, untilAncestor: TreeNode | None = None) -> Transform:
        """Return the transform from the root, or from below an ancestor, to this node."""
        own, parent = self._transform, self._parent
        if parent is None or own.isAbsolute() or parent is untilAncestor:
            return own
        return parent.getTransform(untilAncestor) * own

    # -- the tree --------------------------------------------------------------------------------------------------

    def getParent(self) -> TreeNode | None:
        return self._parent

    def getChildren(self) -> list[TreeNode]:
        return self._children

    def getRoot(self) -> TreeNode:
        return self if self._parent is None else self._parent.getRoot()

    def addChild(self, child: TreeNode, name: str | None) -> None:
        if name is not None:
            self._named[name] = child
        self._children.append(child)

    def namedChild(self, name: str) -> TreeNode:
        """Return the node of this name, a child or a descendant.

        Raises:
            KeyError: if there is none.
        """
        if name in self._named:
            return self._named[name]
        for child in self._children:
            try:
                return child.namedChild(name)
            except KeyError:
                pass
        raise KeyError(f"there is no node named {name!r}")

    def getFirstAncestor(self, type: Any) -> TreeNode:
        """Return the nearest ancestor that has an object of `type`.

        Raises:
            AncestorNotFoundError: if there is none.
        """
        ancestor = self._parent
        while ancestor is not None:
            if isinstance(ancestor._object, type):
                return ancestor
            ancestor = ancestor._parent
        raise AncestorNotFoundError(type)

    def ancestorObject(self, type: Any) -> Any:
        """Return the object of the nearest ancestor that has one of `type`, or None."""
        try:
            return self.getFirstAncestor(type).getODEObject()
        except AncestorNotFoundError:
            return None

    # -- reading ---------------------------------------------------------------------------------------------------

    def readTransform(self, element: Element) -> None:
        """Read the <transform> among an element's children."""
        for child in element.children:
            if child.name == "transform":
                self.setNodeTransform(read_transform(child))

    def readChildren(self, element: Element, readers: dict[str, Callable[[TreeNode, Element], Any]]) -> None:
        """Read all other children of an element, each with the reader of its name; <ext> and its contents are ignored."""
        for child in element.children:
            if child.name in ("transform", "ext"):
                continue
            reader = readers.get(child.name)
            if reader is None:
                raise ChildError(element.name, child.name, child.line)
            reader(self, child)


def name_of(element: Element) -> str | None:
    """The name that an element gives its object."""
    return element.attributes.get("name")
