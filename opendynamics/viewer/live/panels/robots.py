"""Robots: the tree of their links and joints, readings of their sensors, and contact forces on their links."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import following

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot
    from opendynamics.viewer.live.session import Session

ORDER = 2.7
EVERY = 0.25  # s between two updates
MOST = 2000  # number of contacts up to which contact forces are summed
INDENT = "\u2003"  # a wide space


def robots_of(world: Any) -> list[Robot]:
    """The robots of a world; the package of robots is not loaded if there are none."""
    module = sys.modules.get("opendynamics.robot.robot")
    return [] if module is None else [x for x in following.companions_of(world) if isinstance(x, module.Robot)]


class Panel:
    """A folder for each robot."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._next = 0.0
        self.tables: list[tuple[Any, Any, Any]] = []
        gui = session.server.gui
        for robot in robots_of(session.world):
            with gui.add_folder(f"Robot {robot.name}", expand_by_default=False):
                with gui.add_folder("Links", expand_by_default=False):
                    tree = gui.add_markdown("")
                senses, touches = gui.add_markdown(""), gui.add_markdown("")
            self.tables.append((tree, senses, touches))

    def refresh(self, now: float) -> None:
        """Show the current figures."""
        if not self.tables or now < self._next:
            return
        self._next = now + EVERY
        for robot, (tree, senses, touches) in zip(robots_of(self._session.world), self.tables, strict=False):
            tree.content, senses.content, touches.content = tree_of(robot), readings_of(robot), touched_by(robot)

    def renew(self) -> None:
        """Show the figures immediately."""
        self._next = 0.0


def tree_of(robot: Robot) -> str:
    """Links, each below its parent, with their joints and coordinates; a Markdown table."""
    depths: list[int] = []
    lines = ["| link | joint | |", "|---|---|---|"]
    for link in robot.model.links:
        depths.append(0 if link.parent < 0 else depths[link.parent] + 1)
        value = ""
        if link.joint.index is not None and link.joint.name in robot.joints:
            turns = link.joint.type == "revolute"
            joint: Any = robot.joints[link.joint.name]
            value = f"{joint.angle:.3f} rad" if turns else f"{joint.position:.4f} m"
        joint_name = link.joint.name if link.joint.index is not None else link.joint.type
        lines.append(f"| {INDENT * depths[-1]}{link.name} | {joint_name} | {value} |")
    return "\n".join(lines)


def readings_of(robot: Robot) -> str:
    """Readings of the sensors in the last sensed step; a Markdown table."""
    if not len(robot.sensors):
        return ""
    if robot.sensed is None:
        return "Sensors have read nothing yet: a Simulator, or `robot.sense(h)` after each step, lets them."
    lines = ["| sensor | reading |", "|---|---|"]
    lines += [f"| {sensor.name} | {_numbers(sensor.values)} |" for sensor in robot.sensors]
    return "\n".join(lines)


def touched_by(robot: Robot) -> str:
    """The sum of the contact forces on each link with contacts; a Markdown table."""
    if robot.world.statistics.contacts > MOST:
        return ""
    found = robot.contacts
    if not found:
        return ""
    lines = ["| touches | contact force |", "|---|---|"]
    for name, contacts in found.items():
        geoms = robot.geoms[name]
        forces = [contact.force if contact.geom1 in geoms else -contact.force for contact in contacts]
        force = np.sum([part for part in forces if np.isfinite(part).all()], axis=0)
        lines.append(f"| {name} | {_numbers(np.broadcast_to(force, 3))} N |")
    return "\n".join(lines)


def _numbers(values: Any) -> str:
    return ", ".join(f"{round(float(value), 2) + 0.0:.2f}" for value in values)
