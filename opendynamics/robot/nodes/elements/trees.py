"""Visual and Collision: children that belong to one of the two shape trees; Surface of VRML97 has a list of each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from opendynamics.robot.nodes import add_children, add_element
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node

TYPES = ("Visual", "Collision", "Surface")


def add(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Add the children to their tree. `shape` and `resource` are short for one child."""
    source = place.source
    node.ignore("type", "name")
    if kind == "Surface":
        for tree in ("visual", "collision"):
            add_children(node, _of(tree, node, place.within(np.eye(4))), link, tree)
        return
    if node.kind == "Collision" and "children" in node:
        # VRML97's own Collision node is a group whose proxy a viewer collides with.
        node.ignore("proxy", "collide", "bbox_center", "bbox_size")
        add_children(node, place.within(np.eye(4)), link, "children")
        return
    inner = _of(kind.lower(), node, place.within(source.transform(node)))
    for key, name in (("shape", "Shape"), ("resource", "Resource")):
        child = node.node(key)
        if child is not None:
            add_element(name, child, inner, link)
    add_children(node, inner, link)
    node.note_unread(source.load.findings, f"the {kind}", ("shape", "resource", "elements"))


def _of(tree: str, node: Node, place: Place) -> Place:
    if place.tree not in ("both", tree):
        raise node.error("Visual and Collision must not be within each other")
    return replace(place, tree=tree)
