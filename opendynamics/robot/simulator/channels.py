"""Channels of robots for recordings: coordinates and efforts of their joints, and readings of their sensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from opendynamics.robot.sensors.sensor import Sensor
from opendynamics.robot.simulator.io import RobotIO

Channel = Callable[[], Any]


def channels_of(ios: Iterable[RobotIO]) -> dict[str, Channel]:
    """By name: "ROBOT.q", "ROBOT.dq" and "ROBOT.u" of robots with joints, and "ROBOT.SENSOR"."""
    found: dict[str, Channel] = {}
    for io in ios:
        robot = io.robot
        if len(robot.model.joints):
            found |= {f"{robot.name}.{what}": _reader(io, what) for what in ("q", "dq", "u")}
        found |= {f"{robot.name}.{sensor.name or sensor.device.kind}": _values(sensor) for sensor in robot.sensors}
    return found


def _reader(io: RobotIO, what: str) -> Channel:
    if what == "u":
        return lambda: io.applied
    return lambda: getattr(io.robot.read(), what)


def _values(sensor: Sensor) -> Channel:
    return lambda: sensor.values
