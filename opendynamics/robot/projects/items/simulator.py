"""Simulator items: ODESimulatorItem, and those of other engines, whose common settings serve where a project has no other."""

from __future__ import annotations

from opendynamics.robot.projects.items.item import Item
from opendynamics.robot.reading.findings import ModelError
from opendynamics.robot.simulator.settings import SimulatorSettings

OWN = "ODESimulatorItem"
CLASSES = (
    OWN,
    "AISTSimulatorItem",
    "PhysXSimulatorItem",
    "MuJoCoSimulatorItem",
    "AGXSimulatorItem",
    "AgXSimulatorItem",
    "BulletSimulatorItem",
)


class Entry(Item):
    """A simulator."""

    @property
    def settings(self) -> SimulatorSettings:
        """Its settings, with what the project's time bar says where it has none of its own."""
        bar = self.project.time_bar
        try:
            settings = SimulatorSettings.restored(self.data, 1.0 / bar.frame_rate)
            if settings.time_range_mode == "timebar":
                return settings.changed(time_length=bar.max_time)
            return settings
        except ModelError:
            raise
        except ValueError as error:  # what the time bar says is no setting
            raise self.data.error(str(error)) from error

    @settings.setter
    def settings(self, value: SimulatorSettings) -> None:
        value.store(self.own_data())
