"""Lights, background and initial camera."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from opendynamics.scenes import Scene
from opendynamics.viewer.meshes import Detail
from opendynamics.viewer.meshes.plane import SQUARES

FIELD_OF_VIEW = math.radians(45.0)

AIR, SKY, GROUND, SUN = (226, 233, 240), (235, 242, 255), (170, 160, 145), (255, 246, 230)
SUN_LIGHT, SKY_LIGHT = 3.4, 1.05  # such that the ground is as bright as in pictures


def set_stage(server: Any, scene: Scene) -> None:
    """Set light and camera, z up."""
    at, target = np.asarray(scene.camera, np.float64), np.asarray(scene.target, np.float64)
    server.scene.set_up_direction("+z")
    server.scene.set_background_image(np.full((1, 1, 3), AIR, np.uint8))
    server.initial_camera.position = tuple(at)
    server.initial_camera.look_at = tuple(target)
    server.initial_camera.fov = FIELD_OF_VIEW
    server.scene.configure_default_lights(enabled=False)
    server.scene.configure_environment_map(None)
    server.scene.add_light_hemisphere("/light/sky", sky_color=SKY, ground_color=GROUND, intensity=SKY_LIGHT)
    sun = tuple(float(x) for x in _sun(at, target))
    server.scene.add_light_directional("/light/sun", color=SUN, intensity=SUN_LIGHT, cast_shadow=True, position=sun)


def _sun(camera: Any, target: Any) -> Any:
    """Direction of the sun: over the left shoulder of the viewer, so that shadows fall to the right, where they are visible."""
    away = camera - target
    turn = math.atan2(away[1], away[0]) - math.radians(80.0)
    return 4.0 * float(np.linalg.norm(away)) * np.array([0.72 * math.cos(turn), 0.72 * math.sin(turn), 0.69])


def detail_for(scene: Scene) -> Detail:
    """Ground that extends well beyond the shown area, in squares of a round number of metres."""
    distance = math.dist(scene.camera, scene.target)
    square = round_length(distance / 8.0)
    return Detail(size=SQUARES * square, around=scene.target)


def round_length(length: float) -> float:
    """The nearest of 1, 2 and 5 times a power of ten, m."""
    if not 0.0 < length < math.inf:
        return 1.0
    power = 10.0 ** math.floor(math.log10(length))
    return min((factor * power for factor in (1.0, 2.0, 5.0, 10.0)), key=lambda round_: abs(math.log(round_ / length)))
