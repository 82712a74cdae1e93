"""SimpleControllerItem: a controller by the name of its shared library, replaced by a class here."""

from __future__ import annotations

from opendynamics.robot.projects.building import Building
from opendynamics.robot.projects.controllers import controller_called, known_controllers
from opendynamics.robot.projects.items.item import Item

CLASSES = ("SimpleControllerItem",)


class Entry(Item):
    """A controller."""

    def build(self, building: Building) -> None:
        """Drive the robot above it."""
        data = self.data
        name = data.text("controller").rsplit("/", 1)[-1].split(".", 1)[0]
        if building.robot is None or not name:
            self.project.findings.note(self.node.place, f"the controller {self.name!r} drives nothing and is skipped")
            return
        make = building.controllers.get(name)
        controller = controller_called(name, self.project, data.place) if make is None else make()
        if controller is None:
            known = ", ".join(known_controllers())
            self.project.findings.note(
                data.place,
                f"there is no controller {name!r} here, so {building.robot.name} is not driven; known are {known}; "
                f"pass controllers={{{name!r}: function that makes one}}",
            )
            return
        io = building.sim.io(building.robot)
        io.options = (*io.options, *data.text("controller_options").split())
        io.delayed = not data.flag("no_delay_mode", "is_no_delay_mode", "is_immediate_mode")
        building.sim.control(building.robot, controller)
