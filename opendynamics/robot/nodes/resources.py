"""Shapes of other files, named by the `uri` of a Resource or the `url` of an Inline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from opendynamics.robot.geometry import Appearance, Mesh, Shape
from opendynamics.robot.nodes import add_element
from opendynamics.robot.reading.files import decoded
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.meshes import parse_mesh
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Source
from opendynamics.robot.reading.vrml import parse_vrml
from opendynamics.robot.reading.yaml_tree import parse_yaml

Array = npt.NDArray[np.float64]

UNITS = {"": 1.0, "meter": 1.0, "metre": 1.0, "millimeter": 1e-3, "inch": 0.0254}


def shapes_of(node: Node, source: Source) -> tuple[list[Shape], Array]:
    """Shapes of the file that a node names, in that file's frame, and the transform from there to the node's."""
    link = Gathering()
    path = source.load.files.find(node.text("uri", "url"), source.path, node.place)
    transform = file_frame(node)
    add_resource(path, node, Place(source, np.eye(4)), link)
    return link.visual, transform


def file_frame(node: Node) -> Array:
    """Length unit and upright axis of the file as a transform (4, 4)."""
    data = node.node("metadata") or node
    unit = data.text("length_unit", "unit").lower()
    if unit not in UNITS:
        raise node.error(f"length_unit must be one of {', '.join(filter(None, UNITS))}, not {unit!r}", "length_unit")
    result = np.diag([UNITS[unit]] * 3 + [1.0])
    axis = data.text("upper_axis", default="Z").upper()
    if axis not in ("Y", "Z"):
        raise node.error(f"upper_axis must be Y or Z, not {axis!r}", "upper_axis")
    if axis == "Y":
        result[:3, :3] = result[:3, :3] @ np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    return result


def add_resource(path: Path, node: Node, place: Place, link: Gathering) -> None:
    """Add everything in a file, or the part named by `fragment` or `node`, to a link."""
    source, fragment = place.source, node.text("fragment", "node")
    with source.load.files.opened(path, node.place) as data:
        if path.suffix.lower() in (".yaml", ".yml", ".body"):
            _add_yaml(path, data, fragment, node, place, link)
        elif path.suffix.lower() == ".wrl":
            _add_vrml(path, data, fragment, node, place, link)
        else:
            key = ("mesh", path)
            if key not in source.load.cache:
                source.load.cache[key] = parse_mesh(data, path, source.load.files.limits, node.place)
            mesh: Mesh = source.load.cache[key]
            source.load.files.count_vertices(len(mesh.vertices), node.place)
            link.add_shape(mesh, Appearance(), np.eye(4), place, node)


def _add_yaml(path: Path, data: bytes, fragment: str, node: Node, place: Place, link: Gathering) -> None:
    limits = place.source.load.files.limits
    anchors = dict(place.source.anchors)
    root = parse_yaml(decoded(data, path), path, limits, anchors)
    inner = Source(place.source.load, path, math.radians(1.0), anchors)
    if not isinstance(root, Node):
        raise node.error(f"{path.name} has no nodes")
    if root.text("angle_unit", default="degree") == "radian":
        inner.angle = 1.0
    if not fragment:
        _add_nodes(root, inner, place, link)
        return
    found = anchors.get(fragment)
    if found is None and root.find(fragment.lower()) is None:
        found = next((v for key, v in root.fields.items() if root.spelling(key) == fragment), None)
    if not isinstance(found, Node):
        raise node.error(f"{path.name} has no node with the anchor {fragment!r}")
    _add_nodes(found, inner, place, link)


def _add_nodes(root: Node, inner: Source, place: Place, link: Gathering) -> None:
    wrapper = Node("Group", root.file, root.line)
    wrapper.fields["elements"] = root.fields.get("scene", root)
    for kind, child in inner.children(wrapper, "elements"):
        add_element(kind, child, Place(inner, place.transform, place.tree, place.depth + 1), link)


def _add_vrml(path: Path, data: bytes, fragment: str, node: Node, place: Place, link: Gathering) -> None:
    load = place.source.load
    key = ("vrml", path)
    if key not in load.cache:
        load.cache[key] = parse_vrml(decoded(data, path), path, load.files.limits, load.findings, ())
    inner = Source(load, path)
    if not fragment:
        for child in load.cache[key]:
            add_element(child.kind, child, Place(inner, place.transform, place.tree, place.depth + 1), link)
        return
    for child, turn in _named(load.cache[key], inner, np.eye(3), 0):
        if child.name == fragment:
            # A part keeps its orientation in the file, not its position.
            here = place.transform @ _rigid(turn)
            fixed = _without_translation(child)
            add_element(fixed.kind, fixed, Place(inner, here, place.tree, place.depth + 1), link)
            return
    raise node.error(f"{path.name} has no node with the name {fragment!r}")


def _named(nodes: list[Node], source: Source, turn: Array, depth: int) -> Iterator[tuple[Node, Array]]:
    """Nodes with the rotations of the nodes that contain them."""
    for node in nodes:
        source.load.files.count_node(node.place, depth)
        yield node, turn
        below = turn @ source.rotation(node, "rotation") if node.kind == "Transform" else turn
        yield from _named([child for _, child in source.children(node, "children")], source, below, depth + 1)


def _without_translation(node: Node) -> Node:
    if "translation" not in node:
        return node
    copy = Node(node.kind, node.file, node.line, node.name)
    for key, value in node.fields.items():
        if key != "translation":
            copy.set(node.spelling(key), value)
    return copy


def _rigid(turn: Array) -> Array:
    result = np.eye(4)
    result[:3, :3] = turn
    return result
