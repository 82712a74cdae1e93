"""Resource, and Inline of VRML97: shapes, masses and devices of another file, with their own pose."""

from __future__ import annotations

from opendynamics.robot.nodes import add_children
from opendynamics.robot.nodes.resources import add_resource, file_frame
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node

TYPES = ("Resource", "Inline")


def add(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Add the contents of the file."""
    source = place.source
    node.ignore("type", "name", "bbox_center", "bbox_size", "remove_redundant_vertices", "crease_angle")
    inner = place.within(source.transform(node) @ file_frame(node))
    path = source.load.files.find(node.text("uri", "url"), source.path, node.place)
    add_resource(path, node, inner, link)
    add_children(node, inner, link)
    node.note_unread(
        source.load.findings, f"the {kind}", ("uri", "node", "fragment", "translation", "rotation", "scale")
    )
