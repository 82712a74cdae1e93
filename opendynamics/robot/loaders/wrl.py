"""OpenHRP's VRML97 models: Humanoid, Joint, Segment, sensors and ExtraJoint with PROTOs that each file declares.

A file without a Humanoid is a scene: one fixed link, called Root, of 1 kg. Angles are in radians.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

from opendynamics.robot.inertia import Inertia
from opendynamics.robot.loaders.drafts import LinkDraft, ModelDraft
from opendynamics.robot.loaders.links import info_of, read_extra_joint, read_joint, take_gathering
from opendynamics.robot.nodes import add_children, add_element, element_types
from opendynamics.robot.reading.files import decoded
from opendynamics.robot.reading.findings import place
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node, plain
from opendynamics.robot.reading.source import Load, Source
from opendynamics.robot.reading.tensors import read_inertia
from opendynamics.robot.reading.vrml import parse_vrml

SUFFIXES = (".wrl",)

Array = npt.NDArray[np.float64]

STRUCTURE = {"Humanoid", "Joint", "Segment", "ExtraJoint"}


def draft(path: Path, data: bytes, load: Load) -> ModelDraft:
    """The contents of the file."""
    known = STRUCTURE | element_types()
    nodes = parse_vrml(decoded(data, path), path, load.files.limits, load.findings, known)
    source = Source(load, path)
    humanoids = [node for node in nodes if node.kind == "Humanoid"]
    if not humanoids:
        return _scene(nodes, source)
    if len(humanoids) > 1:
        raise humanoids[1].error("a model must have one Humanoid, but this is a second one")
    body = humanoids[0]
    result = ModelDraft(body.name or body.text("name") or path.stem, body.place)
    joints = body.nodes("humanoid_body")
    if len(joints) != 1 or joints[0].kind != "Joint":
        raise body.error(f"humanoidBody must be one Joint, not {len(joints)} nodes", "humanoid_body")
    _add_joint(joints[0], None, source, result, 1)
    for node in nodes:
        if node.kind == "ExtraJoint":
            result.extra_joints.append(read_extra_joint(node, source, node.name))
        elif node is not body and node.kind in STRUCTURE:
            source.note(node.place, f"a {node.kind} outside the Humanoid is skipped")
    info = [plain(item) for item in body.items("info")]
    result.info = {"info": info} if info else {}
    return result


def _scene(nodes: list[Node], source: Source) -> ModelDraft:
    link, gathering = LinkDraft("Root", place(source.path, 1)), Gathering()
    for node in nodes:
        add_element(node.kind, node, Place(source, np.eye(4)), gathering)
    take_gathering(link, gathering)
    return ModelDraft(source.path.stem, place(source.path, 1), [link], unit_mass=True)


def _add_joint(node: Node, parent: str | None, source: Source, model: ModelDraft, depth: int) -> None:
    """A Joint node is a link with its joint; Segments in it have its mass and shapes, Joints in it are its children."""
    source.load.files.count_node(node.place, depth)
    link = LinkDraft(node.name or node.text("name"), node.place, parent)
    link.translation, link.rotation = node.vector("translation"), source.rotation(node, "rotation")
    read_joint(node, source, link.joint)
    joint = link.joint
    joint.lower, joint.upper = _limit(node, "llimit", -math.inf), _limit(node, "ulimit", math.inf)
    joint.min_velocity, joint.max_velocity = _limit(node, "lvlimit", -math.inf), _limit(node, "uvlimit", math.inf)
    joint.max_effort = _limit(node, "climit", math.inf)
    if "equivalent_inertia" in node and not joint.rotor_inertia:
        joint.rotor_inertia, joint.gear_ratio = node.number("equivalent_inertia"), 1.0
    model.links.append(link)
    gathering = Gathering()
    below: list[Node] = []
    _add_parts(node, Place(source, np.eye(4), depth=depth), gathering, below)
    take_gathering(link, gathering)
    node.ignore("name", "center", "scale", "scale_orientation", "limit_orientation", "stiffness", "type")
    link.info = info_of(node)
    for child in below:
        _add_joint(child, link.name, source, model, depth + 1)


def _limit(node: Node, key: str, default: float) -> float:
    """The first number of a limit; an empty list is no limit."""
    given = node.numbers(key)
    return default if given is None or not given.size else float(given[0])


def _add_parts(node: Node, here: Place, gathering: Gathering, below: list[Node]) -> None:
    """The contents of a Joint, or of Transforms and Groups between it and its Segments."""
    for kind, child in here.source.children(node, "children"):
        if kind == "Joint":
            if not np.array_equal(here.transform, np.eye(4)):
                raise child.error("a Joint must not stand within a Transform")
            below.append(child)
        elif kind == "Segment":
            _add_segment(child, here, gathering)
        elif kind in ("Transform", "Group") and _holds_structure(child, here):
            inner = here.within(here.source.transform(child))
            here.source.load.files.count_node(child.place, inner.depth)
            _add_parts(child, inner, gathering, below)
        else:
            add_element(kind, child, here.within(np.eye(4)), gathering)


def _holds_structure(node: Node, here: Place) -> bool:
    """Whether a group contains Segments or Joints, directly or in inner groups."""
    waiting = [node]
    count = 0
    while waiting and count < here.source.load.files.limits.nodes:
        count += 1
        for kind, child in here.source.children(waiting.pop(), "children"):
            if kind in STRUCTURE:
                return True
            if kind in ("Transform", "Group"):
                waiting.append(child)
    return False


def _add_segment(node: Node, here: Place, gathering: Gathering) -> None:
    """A Segment has a part of the mass of its Joint, and shapes."""
    source = here.source
    mass = node.number("mass")
    if mass < 0.0:
        raise node.error(f"the mass of {node.name} must be at least 0 kg, not {mass:g}", "mass")
    tensor = read_inertia(node, source.load.findings, "moments_of_inertia")
    inner = here.within(np.eye(4))
    tensor = np.zeros((3, 3)) if tensor is None else tensor
    gathering.masses.append(Inertia(mass, node.vector("center_of_mass"), tensor).moved(inner.transform))
    add_children(node, inner, gathering, "children")
