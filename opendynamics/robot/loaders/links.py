"""Fields of links common to `.body` files and OpenHRP's VRML97, and the elements of a link."""

from __future__ import annotations

import math

import numpy as np

from opendynamics.robot.inertia import combined, of_shapes
from opendynamics.robot.loaders.drafts import JOINT_TYPES, ExtraJointDraft, JointDraft, LinkDraft
from opendynamics.robot.reading.gathering import Gathering
from opendynamics.robot.reading.node import Node, Text, plain
from opendynamics.robot.reading.source import Source

# Types of extra joints by the words of files.
EXTRA_TYPES = {"fixed": "fixed", "hinge": "hinge", "revolute": "hinge", "ball": "ball", "piston": "piston"}


def read_joint(node: Node, source: Source, joint: JointDraft) -> None:
    """Read the joint of a link from a node."""
    if node.find("joint_type") is not None:
        word = node.text("joint_type")
        kind = JOINT_TYPES.get(word.lower())
        if kind is None:
            raise node.error(f"unknown joint type {word!r}; known are {', '.join(JOINT_TYPES)}", "joint_type")
        joint.type = kind
    joint.name = node.text("joint_name", default=joint.name)
    number = node.whole("joint_id", default=-1 if joint.id is None else joint.id)
    joint.id = number if number >= 0 else None
    axis = source.axis(node, "joint_axis")
    if axis is not None:
        joint.axis = axis
    unit = source.angle if joint.type == "revolute" else 1.0
    joint.lower, joint.upper = _range(node, "joint_range", unit, (joint.lower, joint.upper))
    joint.min_velocity, joint.max_velocity = _range(
        node, "joint_velocity_range", unit, (joint.min_velocity, joint.max_velocity)
    )
    if "max_joint_velocity" in node:
        joint.max_velocity = abs(node.number("max_joint_velocity", infinite=True)) * unit
        joint.min_velocity = -joint.max_velocity
    joint.max_effort = node.number("max_joint_effort", default=joint.max_effort, infinite=True)
    joint.rotor_inertia = node.number("rotor_inertia", "joint_axis_inertia", default=joint.rotor_inertia)
    ratio = node.number("gear_ratio", default=joint.gear_ratio)
    joint.gear_ratio = 1.0 if "joint_axis_inertia" in node and "rotor_inertia" not in node else ratio
    if "joint_angle" in node:
        joint.initial = node.number("joint_angle") * source.angle
    elif "joint_displacement" in node:
        joint.initial = node.number("joint_displacement") * unit
    joint.actuation = node.text("actuation_mode", default=joint.actuation)


def _range(node: Node, key: str, unit: float, default: tuple[float, float]) -> tuple[float, float]:
    """Two limits, one for both sides, or `unlimited`."""
    if node.find(key) is None:
        return default
    if isinstance(node.fields[key], Text) and node.fields[key].text.lower() == "unlimited":
        return -math.inf, math.inf
    given = node.numbers(key)
    assert given is not None
    if given.size == 1:
        given = np.array([-abs(given[0]), abs(given[0])])
    if given.size != 2:
        raise node.error(f"{node.spelling(key)} must be two numbers, one, or unlimited, not {given.size} numbers", key)
    return float(given[0]) * unit, float(given[1]) * unit


def take_gathering(draft: LinkDraft, link: Gathering, density: float | None = None) -> None:
    """Read shapes, masses and devices from a link's nodes; with a density instead of a mass, the mass of its solids."""
    draft.visual, draft.collision, draft.devices = link.visual, link.collision, link.devices
    if link.masses:
        draft.inertia = combined(link.masses)
    elif density is not None:
        draft.inertia = of_shapes(link.collision, density)


def read_extra_joint(node: Node, source: Source, name: str) -> ExtraJointDraft:
    """An extra joint between two links of a file."""
    word = node.text("joint_type", default="hinge").lower()
    if word not in EXTRA_TYPES:
        raise node.error(f"unknown type {word!r} of an extra joint; known are {', '.join(EXTRA_TYPES)}", "joint_type")
    for key in ("link1_name", "link2_name"):
        if not node.text(key):
            raise node.error(f"an extra joint must have {key}")
    axis = source.axis(node, "axis", "joint_axis")
    turn = source.rotation(node, "rotation_in_link1", "link1_rotation")
    node.ignore("rotation_in_link2", "link2_rotation", "name", "type", "limit", "llimit", "ulimit")
    draft = ExtraJointDraft(
        node.place,
        name,
        EXTRA_TYPES[word],
        node.text("link1_name"),
        node.text("link2_name"),
        node.vector("translation_in_link1", "link1_local_pos"),
        node.vector("translation_in_link2", "link2_local_pos"),
        turn @ (np.array([0.0, 0.0, 1.0]) if axis is None else axis),
    )
    node.note_unread(source.load.findings, "the extra joint", ("joint_type", "axis", "link1_name", "link2_name"))
    return draft


def info_of(node: Node) -> dict[str, object]:
    """Unread keys, as plain Python."""
    return {node.spelling(key): plain(value) for key, value in node.unread()}
