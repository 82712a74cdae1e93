"""Group, Transform and similar nodes of VRML97: children with a common pose."""

from __future__ import annotations

import numpy as np

from opendynamics.robot.nodes import add_children, add_element
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node

TYPES = ("Group", "Transform", "Anchor", "Billboard", "Switch", "LOD")


def add(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Add the children; of a Switch the selected one, of an LOD the finest."""
    node.ignore("type", "name", "bbox_center", "bbox_size", "add_children", "remove_children", "parameter", "url")
    node.ignore("description", "axis_of_rotation", "range", "proxy", "collide")
    source = place.source
    inner = place.within(source.transform(node) if kind == "Transform" or not node.kind else np.eye(4))
    if kind in ("Switch", "LOD"):
        children = list(source.children(node, "choice", "level", "elements", "children"))
        chosen = node.whole("which_choice", default=-1) if kind == "Switch" else 0
        for name, child in children[chosen : chosen + 1] if chosen >= 0 else []:
            add_element(name, child, inner, link)
    else:
        add_children(node, inner, link)
    node.note_unread(source.load.findings, f"the {kind}")
