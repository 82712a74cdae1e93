"""Sensors, a family: one file per kind of device. `KIND` is its type in model files, `Reading` the class that measures.

A reading is of the last step: `Robot.sense(h)` is called after it and has the motion of the links before and after. Frames
are the sensor's, as given by the model on its link.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from opendynamics.robot.link import Device
from opendynamics.robot.sensors.sensor import Sensor

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot


@lru_cache(maxsize=1)
def _kinds() -> dict[str, Any]:
    """Classes of sensors by the types of their devices."""
    found = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if hasattr(module, "KIND"):
            found[module.KIND] = module.Reading
    return found


def sensors_of(robot: Robot, devices: Any) -> list[Sensor]:
    """Sensors for the devices that have readings; cameras and others do not."""
    kinds = _kinds()
    chosen: list[Device] = [device for device in devices if device.kind in kinds]
    return [kinds[device.kind](robot, device) for device in chosen]
