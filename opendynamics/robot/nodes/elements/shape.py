"""Shape: a geometry with an appearance, with its own pose."""

from __future__ import annotations

import numpy as np

from opendynamics.robot.geometry import Appearance
from opendynamics.robot.nodes import read_geometry
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node

TYPES = ("Shape",)


def add(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Add the shape to the visual tree, the collision tree, or both."""
    source = place.source
    node.ignore("type", "name")
    transform = source.transform(node)
    appearance = read_appearance(node.node("appearance"), place)
    inner = node.node("geometry")
    if inner is not None:
        name = inner.kind or inner.text("type")
        found = read_geometry(name, inner, source, place.depth + 1)
        if found is not None:
            link.add_shape(found[0], appearance, transform @ found[1], place, node)
    node.note_unread(source.load.findings, "the Shape", ("geometry", "appearance", "translation", "rotation", "scale"))


def read_appearance(node: Node | None, place: Place) -> Appearance:
    """Diffuse colour and transparency; other properties of a material are ignored."""
    if node is None:
        return Appearance()
    findings = place.source.load.findings
    node.ignore("type", "name", "texture", "texture_transform")
    material = node.node("material")
    node.note_unread(findings, "the Appearance", ("material", "texture", "texture_transform"))
    if material is None:
        return Appearance()
    material.ignore("type", "name", "ambient", "ambient_intensity", "ambient_color", "emissive", "emissive_color")
    material.ignore("specular", "specular_color", "specular_exponent", "shininess")
    red, green, blue = np.clip(material.vector("diffuse", "diffuse_color", default=(0.8, 0.8, 0.8)), 0, 1).tolist()
    transparency = min(max(material.number("transparency"), 0.0), 1.0)
    known = ("diffuse", "ambient", "emissive", "specular", "shininess", "transparency")
    material.note_unread(findings, "the Material", known)
    return Appearance((red, green, blue), transparency)
