"""Marks: contacts with their normals, joints with their axes, centres of mass, made of balls and rods.

Marks are visible through geoms. Reads the world; returns records of the geoms table, and linear colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.joints.joint import Joint
from opendynamics.api.world import World
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.geoms import ALIVE, GEOMS
from opendynamics.core.bodies.shapes import capsule, sphere

Array = npt.NDArray[np.float64]
Colour = tuple[float, float, float]

# Linear colours.
CONTACT, NORMAL, ANCHOR, AXIS, CENTRE = (
    (0.9, 0.1, 0.05),
    (0.95, 0.45, 0.02),
    (0.02, 0.25, 0.8),
    (0.05, 0.5, 0.95),
    (0.1, 0.1, 0.1),
)

# Length of rods, relative to the scene's extent; radius of balls, relative to that of rods.
LENGTH, BALL = 0.05, 2.4

ANCHORS = ("anchor", "anchor1", "anchor2")
AXES = ("axis", "axis1", "axis2")


@dataclass(frozen=True)
class Mark:
    """A ball, or a rod with round ends, from `start` to `end`, m."""

    start: Array
    end: Array
    radius: float
    colour: Colour


def contact_marks(world: World, extent: float, thin: float) -> Iterator[Mark]:
    """Contacts of the last `advance`, and those made by the user: a ball, and a rod along the normal."""
    made = [(np.array(contact.position), np.array(contact.normal)) for contact in world.contacts]
    for joint in world.joints:
        if isinstance(joint, ContactJoint):
            point = reading.table_of(world, CONTACTS)["point"][reading.row_of(joint)]
            made.append((np.array(point["position"]), np.array(point["normal"])))
    for position, normal in made:
        yield Mark(position, position, BALL * thin, CONTACT)
        yield Mark(position, position + LENGTH * extent * normal, thin, NORMAL)


def joint_marks(world: World, extent: float, thin: float) -> Iterator[Mark]:
    """Joints: a ball at each anchor, or on the first body if there is none; a rod along each axis."""
    for joint in world.joints:
        one, other = joint.bodies
        body = one or other
        if isinstance(joint, ContactJoint) or body is None:
            continue
        anchors = _vectors(joint, ANCHORS) or [body.position]
        for anchor in anchors:
            yield Mark(anchor, anchor, 1.3 * BALL * thin, ANCHOR)
        for axis in _vectors(joint, AXES):
            reach = LENGTH * extent * axis
            yield Mark(anchors[0] - reach, anchors[0] + reach, thin, AXIS)


def centre_marks(world: World, extent: float, thin: float) -> Iterator[Mark]:
    """A ball at every centre of mass."""
    for position in world.positions:
        yield Mark(position, position, BALL * thin, CENTRE)


def _vectors(joint: Joint, names: Iterable[str]) -> list[Array]:
    return [np.asarray(getattr(joint, name)) for name in names if hasattr(type(joint), name)]


MARKS: dict[str, Callable[[World, float, float], Iterator[Mark]]] = {
    "contacts": contact_marks,
    "joints": joint_marks,
    "centres": centre_marks,
}


def marks_of(world: World, names: Iterable[str], extent: float, thin: float) -> tuple[npt.NDArray[Any], Array]:
    """Records of the geoms table, shape (n,), and linear colours, shape (n, 3), of the marks of these names.

    `extent`: extent of the scene, `thin`: radius of rods, m.
    """
    marks = [mark for name in names for mark in MARKS[name](world, extent, thin)]
    records = np.zeros(len(marks), GEOMS.dtype)
    for record, mark in zip(records, marks, strict=True):
        _write(record, mark)
    return records, np.array([mark.colour for mark in marks]).reshape(-1, 3)


def _write(record: Any, mark: Mark) -> None:
    along = mark.end - mark.start
    length = float(np.linalg.norm(along))
    record["kind"], record["flags"] = (capsule.KIND, ALIVE) if length > 0.0 else (sphere.KIND, ALIVE)
    record["size"][:2] = mark.radius, length
    record["position"] = 0.5 * (mark.start + mark.end)
    record["rotation"] = _turn_to(along / length if length > 0.0 else np.array([0.0, 0.0, 1.0])).reshape(9)
    record["bounds"][0::2] = np.minimum(mark.start, mark.end) - mark.radius
    record["bounds"][1::2] = np.maximum(mark.start, mark.end) + mark.radius


def _turn_to(z: Array) -> Array:
    """A rotation (3, 3) whose z axis is this unit vector."""
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
