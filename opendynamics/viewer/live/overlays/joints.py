"""Joints: their anchors, connected to the centres of the bodies, and their axes.

Anchors and axes are read from the joints when these change, and then moved with the bodies they are fixed to: the first
anchor and axis with the first body, the second with the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import reading
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.joints.joint import Joint
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.viewer.live.overlays.drawing.lines import Lines
from opendynamics.viewer.live.turning import turned

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Joints"
HINT = "Anchors of joints, tied to the bodies, and their axes"
ON = False

TIES, AXES = (70, 74, 82), ((222, 52, 52), (36, 150, 60), (40, 90, 220))
LENGTH = 1.0  # half of an axis, relative to the scene's typical length

# Possible anchors and axes of a joint, each with the index of the body that it is fixed to.
ANCHORS = (("anchor", 0), ("anchor1", 0), ("anchor2", 1))
AXIS_NAMES = (("axis", 0), ("axis1", 0), ("axis2", 1))


# Fields of a joint's record that determine these.
FIXED = ("kind", "flags", "body0", "body1", "anchor0", "anchor1", "axis0", "axis1")


@dataclass
class _Marks:
    """Points and directions in the frames of bodies: rows of the bodies (n,), and coordinates (n, 3)."""

    rows: Any
    places: Any
    directions: Any
    colours: Any


class Overlay:
    """Lines and axes."""

    def __init__(self, scene: Any) -> None:
        self._ties = Lines(scene, "/world/overlays/joints/ties", 2.0)
        self._axes = Lines(scene, "/world/overlays/joints/axes", 4.0)
        self._seen: Any = None

    def draw(self, session: Session) -> None:
        """Show the current state of the joints."""
        world = session.world
        records = reading.used_rows(world, JOINTS)
        seen = world, [records[field].tobytes() for field in FIXED], reading.owners_of(world)[0]
        if seen != self._seen:
            self._seen = seen
            self._anchors, self._directions = _marks_of(world)
        self._show(world, LENGTH * session.unit)

    def _show(self, world: World, length: float) -> None:
        poses = reading.table_of(world, POSES)
        anchors, axes = self._anchors, self._directions
        at = poses["position"][anchors.rows]
        ends = at + turned(poses["quaternion"][anchors.rows], anchors.places)
        self._ties.show(np.stack([at, ends], axis=1)[anchors.rows > 0], TIES)
        turn = poses["quaternion"][axes.rows]
        middle = poses["position"][axes.rows] + turned(turn, axes.places)
        along = length * turned(turn, axes.directions)
        self._axes.show(np.stack([middle - along, middle + along], axis=1), axes.colours)

    def clear(self) -> None:
        """Hide them."""
        self._ties.hide()
        self._axes.hide()


def _marks_of(world: World) -> tuple[_Marks, _Marks]:
    """Anchors and axes of all joints, in the frames of the bodies that carry them."""
    anchors: list[tuple[int, Any, Any, Any]] = []
    axes: list[tuple[int, Any, Any, Any]] = []
    for joint in world.joints:
        if isinstance(joint, ContactJoint) or joint.bodies == (None, None):
            continue
        found = [(_of(joint, name), body) for name, body in ANCHORS]
        places = [(place, body) for place, body in found if place is not None]
        for place, number in places:
            anchors.append(_in_body(joint, number, place, (0, 0, 0), TIES))
        # Joints such as sliders and motors have axes without a position: they are shown at their body.
        for k, (name, number) in enumerate(AXIS_NAMES):
            axis = _of(joint, name)
            if axis is not None:
                body = joint.bodies[number] or joint.bodies[1 - number]
                where = places[0][0] if places else (body.position if body is not None else (0, 0, 0))
                axes.append(_in_body(joint, number, where, axis, AXES[k]))
    return _as_marks(anchors), _as_marks(axes)


def _of(joint: Joint, name: str) -> Any:
    """A point or direction in the world under this name of a joint; None if it has none, or not now."""
    if not hasattr(type(joint), name):
        return None
    try:
        value = np.asarray(getattr(joint, name), np.float64)
    except (ValueError, TypeError):
        return None
    return value if value.shape == (3,) and np.isfinite(value).all() else None


def _in_body(joint: Joint, number: int, place: Any, direction: Any, colour: Any) -> tuple[int, Any, Any, Any]:
    body = joint.bodies[number]
    if body is None:
        return 0, place, direction, colour
    return reading.row_of(body), body.point_from_world(place), body.vector_from_world(direction), colour


def _as_marks(found: list[tuple[int, Any, Any, Any]]) -> _Marks:
    rows = np.array([mark[0] for mark in found], np.int64)
    return _Marks(rows, *(np.array([mark[k] for mark in found], np.float64).reshape(-1, 3) for k in (1, 2, 3)))
