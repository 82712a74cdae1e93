"""URDF: links and joints in XML, according to the specification of the Unified Robot Description Format.

yourdfpy was evaluated and rejected: it parses with lxml, which expands entities, opens meshes at any path, reports neither
file nor line, and requires all of trimesh's optional packages.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

from opendynamics.robot.geometry import Appearance, Box, Capsule, Cylinder, Geometry, Shape, Sphere
from opendynamics.robot.inertia import Inertia
from opendynamics.robot.loaders.drafts import JointDraft, LinkDraft, ModelDraft
from opendynamics.robot.nodes.resources import add_resource
from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import Load, Source, axis_rotation
from opendynamics.robot.reading.tensors import symmetric
from opendynamics.robot.reading.xml_tree import Element, parse_xml

SUFFIXES = (".urdf", ".xml")

Array = npt.NDArray[np.float64]

TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
}
# Elements of other programs, and of URDF itself, that do not concern links and joints.
IGNORED = {"gazebo", "transmission", "ros2_control", "sensor", "collision_checking", "verbose", "contact"}
# Elements that only a file which is yet to be expanded has.
XACRO = {"arg", "include", "macro", "property"}
# Roots of other formats, and what to do instead.
FOREIGN = {
    "mujoco": "; MJCF is not read: convert it to URDF, or make bodies by world.add_body and joints by world.add_hinge",
    "sdf": "; SDF is not read: convert it to URDF",
}


def draft(path: Path, data: bytes, load: Load) -> ModelDraft:
    """The contents of the file."""
    root = parse_xml(data, path, load.files.limits)
    if root.tag != "robot":
        remedy = FOREIGN.get(root.tag, "")
        raise root.error(f"this is no URDF: its root is <{root.tag}>, not <robot>{remedy}")
    for child in root.children:
        if child.tag in XACRO:
            raise child.error(
                f"<{child.tag}> is of xacro; expand the file to URDF first: xacro {path.name} > robot.urdf"
            )
    reader = _Reader(Source(load, path), root)
    return reader.read()


class _Reader:
    """One URDF file: `materials` are colours by name, `joints` the places of joints by name."""

    def __init__(self, source: Source, root: Element) -> None:
        self.source, self.root = source, root
        self.materials: dict[str, Appearance] = {}
        self.joints: dict[str, str] = {}

    def read(self) -> ModelDraft:
        model = ModelDraft(self.root.attributes.get("name", "") or self.source.path.stem, self.root.place)
        for element in self.root.all("material"):
            self._material(element)
        for element in self.root.all("link"):
            model.links.append(self._link(element))
        links = {link.name: link for link in model.links}
        for element in self.root.all("joint"):
            self._joint(element, links)
        for element in self.root.children:
            if element.tag not in {"material", "link", "joint"} | IGNORED:
                self.source.note(element.place, f"unknown element <{element.tag}> is skipped")
        return model

    # -- links -----------------------------------------------------------------------------------------------------

    def _link(self, element: Element) -> LinkDraft:
        link = LinkDraft(element.need("name"), element.place)
        for child in element.children:
            if child.tag == "inertial":
                link.inertia = self._inertial(child)
            elif child.tag in ("visual", "collision"):
                shapes = link.visual if child.tag == "visual" else link.collision
                shapes.extend(self._shapes(child))
            elif child.tag not in IGNORED:
                self.source.note(child.place, f"unknown element <{child.tag}> of a link is skipped")
        return link

    def _inertial(self, element: Element) -> Inertia:
        frame = self._origin(element)
        mass_element, tensor_element = element.first("mass"), element.first("inertia")
        if mass_element is None:
            raise element.error("<inertial> must have a <mass>")
        mass = _number(mass_element, "value")
        if mass < 0.0:
            raise mass_element.error(f"the mass must be at least 0 kg, not {mass:g}")
        tensor = np.zeros((3, 3))
        if tensor_element is None:
            self.source.note(element.place, "<inertial> has no <inertia>")
        else:
            xx, xy, xz, yy, yz, zz = (
                _number(tensor_element, key, 0.0) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
            )
            tensor = symmetric(
                np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), element.place, self.source.load.findings
            )
        return Inertia(mass, np.zeros(3), tensor).moved(frame)

    def _shapes(self, element: Element) -> list[Shape]:
        frame = self._origin(element)
        material = element.first("material")
        appearance = Appearance() if material is None else self._material(material)
        geometry = element.first("geometry")
        if geometry is None:
            raise element.error(f"<{element.tag}> must have a <geometry>")
        result = []
        for child in geometry.children:
            if child.tag == "mesh":
                result.extend(self._mesh(child, frame, appearance if material is not None else None))
                continue
            shape = self._primitive(child)
            if shape is None:
                self.source.note(child.place, f"unknown geometry <{child.tag}> is skipped")
            else:
                result.append(Shape(shape, frame.copy(), appearance))
        return result

    def _primitive(self, element: Element) -> Geometry | None:
        if element.tag == "box":
            x, y, z = _vector(element, "size", 3)
            if not min(x, y, z) > 0.0:
                raise element.error(f"size of a box must be greater than 0, not {x:g} {y:g} {z:g}")
            return Box((x, y, z))
        if element.tag == "sphere":
            return Sphere(_positive(element, "radius"))
        if element.tag == "cylinder":
            return Cylinder(_positive(element, "radius"), _positive(element, "length"))
        if element.tag == "capsule":
            return Capsule(_positive(element, "radius"), _positive(element, "length"))
        return None

    def _mesh(self, element: Element, frame: Array, appearance: Appearance | None) -> list[Shape]:
        scale = _vector(element, "scale", 3, (1.0, 1.0, 1.0))
        if 0.0 in scale:
            raise element.error("scale of a mesh must not be 0")
        files = self.source.load.files
        files.count_node(element.place, 0)
        path = files.find(element.need("filename"), self.source.path, element.place)
        gathering = Gathering()
        node = Node("Resource", element.file, element.line)
        add_resource(path, node, Place(self.source, frame @ np.diag([*scale, 1.0])), gathering)
        if appearance is None:
            return gathering.visual
        return [Shape(shape.geometry, shape.transform, appearance) for shape in gathering.visual]

    def _material(self, element: Element) -> Appearance:
        name, color = element.attributes.get("name", ""), element.first("color")
        if color is None:
            return self.materials.get(name, Appearance())
        red, green, blue, alpha = np.clip(_vector(color, "rgba", 4), 0.0, 1.0).tolist()
        appearance = Appearance((red, green, blue), 1.0 - alpha)
        if name:
            self.materials[name] = appearance
        return appearance

    def _origin(self, element: Element) -> Array:
        """xyz and rpy as a matrix (4, 4): rotations about x, then y, then z of the outer frame."""
        result = np.eye(4)
        origin = element.first("origin")
        if origin is not None:
            roll, pitch, yaw = _vector(origin, "rpy", 3, (0.0, 0.0, 0.0))
            x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
            result[:3, :3] = axis_rotation(z, yaw) @ axis_rotation(y, pitch) @ axis_rotation(x, roll)
            result[:3, 3] = _vector(origin, "xyz", 3, (0.0, 0.0, 0.0))
        return result

    # -- joints ----------------------------------------------------------------------------------------------------

    def _joint(self, element: Element, links: dict[str, LinkDraft]) -> None:
        name, kind = element.need("name"), element.need("type")
        if name in self.joints:
            raise element.error(f"there are two joints called {name!r}; the first is at {self.joints[name]}")
        self.joints[name] = element.place
        if kind not in TYPES:
            raise element.error(f"the joint {name} has the unknown type {kind!r}; known are {', '.join(TYPES)}")
        ends = []
        for tag in ("parent", "child"):
            end = element.first(tag)
            if end is None:
                raise element.error(f"the joint {name} must have a <{tag}>")
            ends.append(end.need("link"))
            if ends[-1] not in links:
                raise end.error(f"the {tag} {ends[-1]!r} of the joint {name} is no link")
        child = links[ends[1]]
        if child.parent is not None:
            raise element.error(
                f"the link {child.name} already has the joint {child.joint.name!r}; it can be the child of one"
            )
        frame = self._origin(element)
        child.parent, child.translation, child.rotation = ends[0], frame[:3, 3], frame[:3, :3]
        child.joint, child.joint_place = JointDraft(name, TYPES[kind]), element.place
        joint = child.joint
        axis = element.first("axis")
        joint.axis = np.array((1.0, 0.0, 0.0) if axis is None else _vector(axis, "xyz", 3))
        self._limits(element, kind, joint)
        dynamics = element.first("dynamics")
        if dynamics is not None:
            joint.damping, joint.friction = (_not_negative(dynamics, key) for key in ("damping", "friction"))
        if element.first("mimic") is not None:
            self.source.note(element.place, f"{name} moves on its own: <mimic> is not supported")

    def _limits(self, element: Element, kind: str, joint: JointDraft) -> None:
        limit = element.first("limit")
        if limit is None:
            if kind in ("revolute", "prismatic"):
                self.source.note(element.place, f"the joint {joint.name} has no <limit>: it moves without limits")
            return
        if kind in ("revolute", "prismatic"):
            if not limit.attributes.keys() & {"lower", "upper"}:
                self.source.note(limit.place, f"the <limit> of {joint.name} has no range: it moves without limits")
            else:
                joint.lower, joint.upper = _number(limit, "lower", 0.0, True), _number(limit, "upper", 0.0, True)
            if joint.lower == joint.upper:
                self.source.note(
                    limit.place, f"both limits of the joint {joint.name} are {joint.lower:g}: it cannot move"
                )
        if "velocity" in limit.attributes:
            joint.max_velocity = abs(_number(limit, "velocity", infinite=True))
            joint.min_velocity = -joint.max_velocity
        joint.max_effort = _number(limit, "effort", math.inf, True)
        if joint.max_effort == 0.0:
            self.source.note(limit.place, f"the joint {joint.name} has a limit of effort of 0: nothing can drive it")


def _vector(element: Element, key: str, size: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
    text = element.attributes.get(key)
    if text is None:
        if default is None:
            element.need(key)
        return default or ()
    try:
        numbers = tuple(float(word) for word in text.split())
    except ValueError:
        raise element.error(f"{key} of <{element.tag}> must be {size} numbers, not {text[:60]!r}") from None
    if len(numbers) != size or not all(map(math.isfinite, numbers)):
        raise element.error(f"{key} of <{element.tag}> must be {size} finite numbers, not {text[:60]!r}")
    return numbers


def _number(element: Element, key: str, default: float | None = None, infinite: bool = False) -> float:
    text = element.attributes.get(key)
    if text is None:
        if default is None:
            element.need(key)
        return default or 0.0
    try:
        number = float(text)
    except ValueError:
        raise element.error(f"{key} of <{element.tag}> must be a number, not {text[:60]!r}") from None
    if math.isnan(number) or (math.isinf(number) and not infinite):
        raise element.error(f"{key} of <{element.tag}> must be finite, not {text[:60]!r}")
    return number


def _not_negative(element: Element, key: str) -> float:
    number = _number(element, key, 0.0)
    if number < 0.0:
        raise element.error(f"{key} of <{element.tag}> must be at least 0, not {number:g}")
    return number


def _positive(element: Element, key: str) -> float:
    number = _number(element, key)
    if not number > 0.0:
        raise element.error(f"{key} of <{element.tag}> must be greater than 0, not {number:g}")
    return number
