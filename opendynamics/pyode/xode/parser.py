"""The parser of XODE documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics import c_api as c
from opendynamics import pyode as ode
from opendynamics.pyode.xode.contents import CONTENTS
from opendynamics.pyode.xode.elements import Element, read
from opendynamics.pyode.xode.errors import InvalidError
from opendynamics.pyode.xode.node import TreeNode, name_of

__all__ = ["InvalidError", "Parser", "Root", "Space", "World"]


class Parser:
    """Reads XODE documents.

    The parameter `spaceFactory` is called for the space of every <space>; the default is ode.SimpleSpace.
    """

    def __init__(self) -> None:
        self._params: dict[str, Any] = {}
        self.setParams(spaceFactory=ode.SimpleSpace)

    def setParams(self, **params: Any) -> None:
        self._params.update(params)

    def getParam(self, name: str) -> Any:
        """Return a parameter.

        Raises:
            KeyError: if it is not set.
        """
        return self._params[name]

    def parseString(self, xml: str | bytes) -> Root:
        """Return the tree of a document.

        Raises:
            InvalidError: if the document is malformed; its objects are then destroyed.
        """
        return Root(read(xml), self._params["spaceFactory"])

    def parseFile(self, fp: Any) -> Root:
        """Return the tree of the document in an open file, in binary or in text mode."""
        return self.parseString(fp.read())


class Root(TreeNode):
    """The document: <xode>."""

    def __init__(self, element: Element, spaceFactory: Callable[[], Any]) -> None:
        super().__init__(None, None)
        if element.name != "xode":
            raise element.error("the root element must be <xode>")
        self.readChildren(element, {"world": lambda root, child: World(root, child, spaceFactory)})


class World(TreeNode):
    """A world: <world>."""

    def __init__(self, parent: TreeNode, element: Element, spaceFactory: Callable[[], Any]) -> None:
        super().__init__(name_of(element), parent)
        self.setODEObject(ode.World())
        self.readTransform(element)
        self.readChildren(element, {"space": lambda world, child: Space(world, child, spaceFactory)})


class Space(TreeNode):
    """A space: <space>; one within another is added to it, unless it already is in a space."""

    def __init__(self, parent: TreeNode, element: Element, spaceFactory: Callable[[], Any]) -> None:
        super().__init__(name_of(element), parent)
        space = spaceFactory()
        if not isinstance(space, ode.SpaceBase):
            raise TypeError(f"spaceFactory must return a space, not {space!r}")
        outer = self.ancestorObject(ode.SpaceBase)
        if outer is not None and c.dGeomGetSpace(space._ode_id) is None:
            outer.add(space)
        self.setODEObject(space)
        self.readTransform(element)
        inner = {"space": lambda world, child: Space(world, child, spaceFactory)}
        self.readChildren(element, CONTENTS | inner)
