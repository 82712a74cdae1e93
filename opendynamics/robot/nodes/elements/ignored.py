"""Known nodes that do not concern links: viewing, light and animation of VRML97, and Skip."""

from __future__ import annotations

from opendynamics.robot.reading.gathering import Gathering, Place
from opendynamics.robot.reading.node import Node

TYPES = (
    "Skip", "Background", "Fog", "NavigationInfo", "Viewpoint", "WorldInfo", "DirectionalLight", "Sound", "AudioClip",
    "TimeSensor", "TouchSensor", "ProximitySensor", "VisibilitySensor", "CylinderSensor", "PlaneSensor", "SphereSensor",
    "Script", "ColorInterpolator", "CoordinateInterpolator", "NormalInterpolator", "OrientationInterpolator",
    "PositionInterpolator", "ScalarInterpolator",
)  # fmt: skip


def add(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Does nothing."""
