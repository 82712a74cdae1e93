"""BodyMotionControllerItem: the robot above it follows the motion below it, by displacements."""

from __future__ import annotations

from opendynamics.robot.projects.building import Building
from opendynamics.robot.projects.items.item import Item
from opendynamics.robot.simulator.following import FollowMotion

CLASSES = ("BodyMotionControllerItem",)


class Entry(Item):
    """A controller that follows a motion."""

    def build(self, building: Building) -> None:
        """Drive the robot above it."""
        motions = [child for child in self.children if child.kind == "BodyMotionItem"]
        if building.robot is None or not motions:
            self.project.findings.note(self.node.place, f"the controller {self.name!r} has no motion and is skipped")
            return
        data = motions[0].data
        uri = data.text("file", "filename")
        if not uri:
            raise data.error(f"the motion {motions[0].name!r} names no file")
        motion = self.project.motion(uri, data.place)
        if abs(motion.frame_rate * building.sim.h - 1.0) > 1e-6:
            raise data.error(
                f"the motion {motions[0].name!r} has {motion.frame_rate:g} frames a second, but the simulator "
                f"{1.0 / building.sim.h:g} steps: they must be as many"
            )
        building.sim.control(building.robot, FollowMotion(motion))
