"""BodyItem: a model, its initial state, and its controllers.

Rotations are axis and degrees, or before 1.6 nine numbers. `joint_displacements` are multiplied by 180/π in files, including
those of prismatic joints; the older `jointPositions` are not. An initial state without a root pose is at the origin.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from opendynamics.api import rotation
from opendynamics.robot.model import Model
from opendynamics.robot.projects.building import Building
from opendynamics.robot.projects.items.item import Item
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.source import axis_rotation
from opendynamics.robot.state import State

CLASSES = ("BodyItem",)

# Matrices of files have six digits.
_ROUNDED = 1e-4


class Entry(Item):
    """A body: a robot or a part of its environment."""

    def model(self) -> Model:
        """Its model."""
        uri = self.data.text("file", "model_file")
        if not uri:
            raise self.data.error(f"the body {self.name!r} names no file")
        fixed = self.data.flag("fix_root", "static_model") if self.data.find("fix_root", "static_model") else None
        return self.project.model(uri, self.data.place, fixed)

    def start(self, model: Model) -> State:
        """Its initial state."""
        data = self.data
        state = model.state(position=(0.0, 0.0, 0.0), quaternion=(1.0, 0.0, 0.0, 0.0))
        state.position = data.vector("initial_root_translation", "initial_root_position")
        state.quaternion = rotation.quaternion_from_matrix(_turn(data))
        for degrees, plain in (
            ("joint_displacements", "joint_positions"),
            ("initial_joint_displacements", "initial_joint_positions"),
        ):
            for key, unit in ((plain, 1.0), (degrees, math.radians(1.0))):
                values = data.finite(key)
                if values is not None:
                    _displace(state, values * unit)
        return state

    def restart(self, state: State) -> None:
        """Set the initial state of simulations, with current keys."""
        data, model = self.own_data(), state.model
        for old in ("initial_root_position", "initial_root_attitude", "initial_joint_positions"):
            data.remove(old)
        ids = [joint.id for joint in (*model.joints, *model.tracks) if joint.id is not None]
        values = np.zeros(max(ids, default=-1) + 1)
        for joint in model.joints:
            if joint.id is not None and joint.index is not None:
                values[joint.id] = math.degrees(state.q[joint.index])
        axis, angle = _axis_angle(state.quaternion)
        data.put("initial_root_translation", [repr(float(x)) for x in state.position])
        data.put("initial_root_rotation", [repr(float(x)) for x in (*axis, math.degrees(angle))])
        data.put("initial_joint_displacements", [repr(float(x)) for x in values])

    def build(self, building: Building) -> None:
        """Add it to the simulator, then apply the items below it."""
        model = self.model()
        robot = building.sim.add_robot(
            model,
            self.start(model),
            name=self.name or None,
            self_collision=self.data.flag("self_collision_detection"),
        )
        building.robots[self.name] = robot
        for child in self.children:
            child.add_to(building.of(robot))


def _displace(state: State, values: Any) -> None:
    for joint in state.model.joints:
        if joint.id is not None and joint.id < len(values) and joint.index is not None:
            state.q[joint.index] = values[joint.id]


def _turn(data: Node) -> Any:
    """The root's orientation as a matrix."""
    given = data.finite("initial_root_rotation", size=4)
    if given is not None:
        x, y, z, angle = given.tolist()
        length = math.sqrt(x * x + y * y + z * z)
        if not length > 0.0:
            raise data.error("the axis of a rotation must not be zero", "initial_root_rotation")
        return axis_rotation((x / length, y / length, z / length), math.radians(angle))
    given = data.finite("initial_root_attitude", size=9)
    if given is None:
        return np.eye(3)
    matrix = given.reshape(3, 3)
    if np.abs(matrix @ matrix.T - np.eye(3)).max() > _ROUNDED or np.linalg.det(matrix) < 0.0:
        raise data.error("the nine numbers of an attitude must be a rotation matrix", "initial_root_attitude")
    left, _, right = np.linalg.svd(matrix)
    return left @ right


def _axis_angle(quaternion: Any) -> tuple[Any, float]:
    w, v = float(quaternion[0]), np.asarray(quaternion[1:], np.float64)
    length = float(np.linalg.norm(v))
    if length == 0.0:
        return np.array((1.0, 0.0, 0.0)), 0.0
    return v / length, 2.0 * math.atan2(length, w)
