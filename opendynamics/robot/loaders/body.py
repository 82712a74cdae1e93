"""Choreonoid's `.body` files: YAML, format versions 1 and 2, and overlays that add information to another model.

Version 2 differs in what it forbids (radians); both spellings of keys, camelCase and snake_case, occur in both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.robot.inertia import Inertia
from opendynamics.robot.loaders.drafts import LinkDraft, ModelDraft
from opendynamics.robot.loaders.links import info_of, read_extra_joint, read_joint, take_gathering
from opendynamics.robot.nodes import add_children
from opendynamics.robot.reading.files import decoded
from opendynamics.robot.reading.findings import place
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Load, Source
from opendynamics.robot.reading.tensors import read_inertia
from opendynamics.robot.reading.yaml_tree import parse_yaml

SUFFIXES = (".body", ".yaml", ".yml", ".scen")

LINK_KEYS = (
    "name", "parent", "joint_name", "joint_type", "joint_id", "joint_axis", "joint_range", "joint_velocity_range",
    "max_joint_velocity", "max_joint_effort", "rotor_inertia", "gear_ratio", "joint_axis_inertia", "joint_angle",
    "joint_displacement", "actuation_mode", "translation", "rotation", "center_of_mass", "mass", "inertia", "material",
    "elements", "density", "type",
)  # fmt: skip


def draft(path: Path, data: bytes, load: Load) -> ModelDraft:
    """The contents of the file."""
    root = parse_yaml(decoded(data, path), path, load.files.limits)
    where = place(path, 1)
    if not isinstance(root, Node):
        raise Node("", path, 1).error("this is no model: the file has no keys")
    form = root.text("format")
    if form not in ("ChoreonoidBody", "ChoreonoidScene"):
        if not form and root.find("model_file") is not None:
            return _overlay(root, path, load)
        raise root.error(f"this is no model: it has the format {form!r} and no model_file", "format")
    source = Source(load, path, _angle(root))
    if form == "ChoreonoidScene":
        return _scene(root, source)
    result = ModelDraft(root.text("name") or path.stem, where, root=root.text("root_link"), unit_mass=True)
    for node in _mappings(root, "links"):
        _add_link(node, source, result)
    if result.root and result.root not in {link.name for link in result.links}:
        raise root.error(f"the root link {result.root!r} is not among the links", "root_link")
    for node in _mappings(root, "extra_joints"):
        result.extra_joints.append(read_extra_joint(node, source, node.text("name")))
    result.info = info_of(root)
    return result


def _mappings(root: Node, key: str) -> Iterator[Node]:
    for item in root.items(key):
        if not isinstance(item, Node):
            raise root.error(f"{root.spelling(key)} must be a list of mappings", key)
        yield item


def _angle(root: Node) -> float:
    """Radians for one unit of angle."""
    version = root.number("format_version", default=1.0)
    if version >= 2.1 or version < 1.0:
        raise root.error(f"the format version {version:g} is unknown; known are 1 and 2", "format_version")
    unit = root.text("angle_unit", default="degree")
    if unit not in ("degree", "radian") or (unit == "radian" and version >= 2.0):
        allowed = "degree in version 2" if version >= 2.0 else "degree or radian"
        raise root.error(f"angle_unit must be {allowed}, not {unit!r}", "angle_unit")
    return math.radians(1.0) if unit == "degree" else 1.0


def _scene(root: Node, source: Source) -> ModelDraft:
    """A scene as one fixed link."""
    name = root.text("name") or source.path.stem
    link, gathering = LinkDraft("Root", root.place), Gathering()
    add_children(root, Place(source, np.eye(4)), gathering, "scene")
    take_gathering(link, gathering)
    return ModelDraft(name, root.place, [link], unit_mass=True, info=info_of(root))


def _overlay(root: Node, path: Path, load: Load) -> ModelDraft:
    """Another model with the information of this file."""
    from opendynamics.robot.loaders import draft_of

    target = load.files.find(root.text("model_file"), path, root.place)
    result = draft_of(target, load, root.place)
    names = {link.name: link for link in result.links}
    for node in _mappings(root, "link_info"):
        link = names.get(node.text("name"))
        if link is None:
            load.findings.note(node.place, f"link_info names {node.text('name')!r}, which is no link")
        else:
            link.info |= info_of(node)
    result.name = root.text("name") or result.name
    result.info = {**result.info, **info_of(root)}
    return result


def _add_link(node: Node, source: Source, model: ModelDraft) -> None:
    kind = node.text("type", default="Link")
    if kind == "Link":
        model.links.append(_link(node, source))
    elif kind == "SubBody":
        _add_sub_body(node, source, model)
    elif kind == "ContinuousTrack":
        source.note(
            node.place, "a ContinuousTrack of shoes is skipped; the joint type pseudo_continuous_track is supported"
        )
    elif kind != "Skip":
        source.note(node.place, f"unknown entry {kind!r} of links is skipped")


def _link(node: Node, source: Source) -> LinkDraft:
    draft = LinkDraft(node.text("name"), node.place)
    _read_frame(node, source, draft)
    draft.material = node.text("material", default="Default") or "Default"
    gathering = Gathering()
    own = _own_inertia(node, source)
    if own is not None:
        gathering.masses.append(own)
    density = node.positive("density") if "density" in node else None
    add_children(node, Place(source, np.eye(4)), gathering, "elements")
    take_gathering(draft, gathering, density)
    _note_misspelt(node, source)
    draft.info = info_of(node)
    return draft


def _read_frame(node: Node, source: Source, draft: LinkDraft) -> None:
    """Parent, pose and joint of a link."""
    if node.find("parent") is not None:
        draft.parent = node.text("parent") or None
    if "translation" in node:
        draft.translation = node.vector("translation")
    if "rotation" in node:
        draft.rotation = source.rotation(node, "rotation")
    read_joint(node, source, draft.joint)


def _own_inertia(node: Node, source: Source) -> Inertia | None:
    """Mass, centre and inertia given directly for the link."""
    tensor = read_inertia(node, source.load.findings, "inertia")
    center = node.vector("center_of_mass")
    if "mass" not in node and tensor is None:
        return None
    mass = node.number("mass", default=1.0)
    if mass < 0.0:
        raise node.error(f"the mass of {node.text('name')} must be at least 0 kg, not {mass:g}", "mass")
    return Inertia(mass, center, np.eye(3) if tensor is None else tensor)


def _note_misspelt(node: Node, source: Source) -> None:
    """Free keys of a link are information; one that looks like a known key is reported."""
    from difflib import get_close_matches

    for key, value in node.unread():
        close = get_close_matches(key, LINK_KEYS, 1, 0.88)
        if close:
            where = place(node.file, getattr(value, "line", node.line))
            source.note(where, f"unknown key {node.spelling(key)!r} of a link; did you mean {close[0]!r}?")


def _add_sub_body(node: Node, source: Source, model: ModelDraft) -> None:
    """The links of another file, renamed, with the root's fields replaced by those given here."""
    from opendynamics.robot.loaders import draft_of

    path = source.load.files.find(node.text("uri"), source.path, node.place)
    source.load.files.count_node(node.place, 0)
    inner = draft_of(path, source.load, node.place)
    prefix, suffix = node.text("prefix"), node.text("suffix")
    device_prefix = node.text("device_prefix")
    offset = node.whole("joint_id_offset")
    root = inner.root or (inner.links[0].name if inner.links else "")
    for link in inner.links:
        source.load.files.count_node(link.place, 0)
        if link.name == root:
            _read_frame(node, source, link)
        elif link.parent is not None:
            link.parent = prefix + link.parent + suffix
        link.name = prefix + link.name + suffix
        if link.joint.name:
            link.joint.name = prefix + link.joint.name + suffix
        if link.joint.id is not None:
            link.joint.id += offset
        link.devices = [_renamed(device, device_prefix) for device in link.devices]
        model.links.append(link)
    for extra in inner.extra_joints:
        extra.link1, extra.link2 = prefix + extra.link1 + suffix, prefix + extra.link2 + suffix
        model.extra_joints.append(extra)
    node.ignore("type", "name")
    node.note_unread(source.load.findings, "the SubBody", (*LINK_KEYS, "uri", "prefix", "suffix", "device_prefix"))


def _renamed(device: Any, prefix: str) -> Any:
    from dataclasses import replace

    return replace(device, name=prefix + device.name) if prefix and device.name else device
