"""Devices: sensors, cameras, lights and others, with their own pose on the link; they may have shapes."""

from __future__ import annotations

import numpy as np

from opendynamics.robot.nodes import add_children
from opendynamics.robot.reading.gathering import DeviceDraft, Gathering, Place
from opendynamics.robot.reading.node import Node, plain

# Names of VRML97's PROTOs, and other spellings, in addition to those of `.body` files.
KINDS = {
    "ForceSensor": "ForceSensor",
    "Gyro": "RateGyroSensor",
    "RateGyroSensor": "RateGyroSensor",
    "AccelerationSensor": "AccelerationSensor",
    "IMU": "IMU",
    "Imu": "IMU",
    "VisionSensor": "Camera",
    "Camera": "Camera",
    "RangeSensor": "RangeSensor",
    "RangeCamera": "RangeCamera",
    "SpotLight": "SpotLight",
    "SpotLightDevice": "SpotLight",
    "PointLight": "PointLight",
    "Holder": "Holder",
    "Attachment": "Attachment",
    "DigitalIO": "DigitalIO",
    "Conveyor": "Conveyor",
    "MarkerDevice": "MarkerDevice",
    "Marker": "MarkerDevice",
    "ZmpDevice": "ZmpDevice",
}
TYPES = tuple(KINDS)

ANGLES = {
    "field_of_view", "min_yaw_angle", "max_yaw_angle", "min_pitch_angle", "max_pitch_angle", "yaw_range", "pitch_range",
    "yaw_step", "pitch_step", "beam_width", "cut_off_angle", "scan_angle", "scan_step",
}  # fmt: skip

# VRML97's names of fields with other names in `.body` files.
RENAMED = {"front_clip_distance": "near_clip_distance", "back_clip_distance": "far_clip_distance"}


def add(kind: str, node: Node, place: Place, link: Gathering) -> None:
    """Add the device, with all its values as settings."""
    if node.kind in ("SpotLight", "PointLight"):
        return  # VRML97's own, which light a scene
    source = place.source
    inner = place.within(source.transform(node))
    matrix = inner.transform[:3, :3]
    if not np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-6) or np.linalg.det(matrix) < 0.0:
        raise node.error(f"a {kind} must not be scaled or mirrored: its axes would have no meaning")
    name = node.text("name") or (node.name if node.kind else "")
    number = node.whole("id", "sensor_id", "device_id", default=-1)
    node.ignore("type", "sensor_id", "device_id", "is_optional", "center", "scale_orientation", "elements", "children")
    on = node.flag("on", default=True)
    settings = {}
    for key, value in node.unread():
        if key in ANGLES:
            numbers = node.finite(key)
            assert numbers is not None
            numbers = numbers * source.angle
            settings[key] = float(numbers[0]) if numbers.size == 1 else numbers.tolist()
        else:
            settings[RENAMED.get(key, key)] = plain(value)
    if node.kind == "VisionSensor":
        settings["format"] = node.text("type")
    link.devices.append(
        DeviceDraft(KINDS[kind], name, None if number < 0 else number, inner.transform.copy(), on, settings, node.place)
    )
    add_children(node, inner, link)
