"""Light, air and where to look from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from opendynamics.scenes import Scene
from opendynamics.viewer.meshes import Detail
from opendynamics.viewer.meshes.plane import SQUARES

FIELD_OF_VIEW = math.radians(45.0)
BACKGROUND = np.full((1, 1, 3), (226, 233, 240), np.uint8)


def set_stage(server: Any, scene: Scene) -> None:
    """Put light and camera in place, z up."""
    at, target = np.asarray(scene.camera, np.float64), np.asarray(scene.target, np.float64)
    server.scene.set_up_direction("+z")
    server.scene.set_background_image(BACKGROUND)
    server.initial_camera.position = tuple(at)
    server.initial_camera.look_at = tuple(target)
    server.initial_camera.fov = FIELD_OF_VIEW
    server.scene.configure_default_lights(enabled=True, cast_shadow=True)


def detail_for(scene: Scene) -> Detail:
    """Ground that reaches well beyond what is looked at, in squares of a round number of metres."""
    distance = math.dist(scene.camera, scene.target)
    square = round_length(distance / 8.0)
    return Detail(size=SQUARES * square, around=scene.target)


def round_length(length: float) -> float:
    """The nearest of 1, 2 and 5 times a power of ten, m."""
    if not 0.0 < length < math.inf:
        return 1.0
    power = 10.0 ** math.floor(math.log10(length))
    return min((factor * power for factor in (1.0, 2.0, 5.0, 10.0)), key=lambda round_: abs(math.log(round_ / length)))
