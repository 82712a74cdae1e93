"""Simulator items: ODESimulatorItem, and those of other engines, whose common settings are used if a project has no other."""

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
        """Its settings, with those of the project's time bar where it has none of its own."""
        bar = self.project.time_bar
        try:
            settings = SimulatorSettings.restored(self.data, 1.0 / bar.frame_rate)
            if settings.time_range_mode == "timebar":
                return settings.changed(time_length=bar.max_time)
            return settings
        except ModelError:
            raise
        except ValueError as error:  # the time bar's values are not settings
            raise self.data.error(str(error)) from error

    @settings.setter
    def settings(self, value: SimulatorSettings) -> None:
        value.store(self.own_data())
