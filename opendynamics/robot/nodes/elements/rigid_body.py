"""RigidBody: a mass with its centre and inertia, and shapes, with their own pose. Several on a link add up."""

from __future__ import annotations

import numpy as np

from opendynamics.robot.inertia import Inertia
from opendynamics.robot.nodes import add_children
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.tensors import read_inertia

TYPES = ("RigidBody",)


def add(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Add the mass and the children."""
    source = place.source
    node.ignore("type", "name")
    inner = place.within(source.transform(node))
    mass = node.number("mass", default=1.0)
    if mass < 0.0:
        raise node.error(f"the mass must be at least 0 kg, not {mass:g}", "mass")
    tensor = read_inertia(node, source.load.findings, "inertia")
    center = node.vector("center_of_mass")
    if "mass" in node or "inertia" in node:
        matrix = inner.transform[:3, :3]
        if not np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-6) or np.linalg.det(matrix) < 0.0:
            raise node.error("a RigidBody must not be scaled or mirrored: its inertia would have no meaning")
        link.masses.append(Inertia(mass, center, np.eye(3) if tensor is None else tensor).moved(inner.transform))
    add_children(node, inner, link)
    node.note_unread(source.load.findings, "the RigidBody", ("mass", "inertia", "center_of_mass", "elements"))
