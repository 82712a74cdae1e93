"""Light: a sun, the sky and the air, and their input for kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.suggestions import explain_calls
from opendynamics.viewer.pictures.tracing.records import LIGHT

# Reach of ambient occlusion, and density of the air, relative to the scene's extent.
REACH, HAZE = 0.35, 30.0


@explain_calls
@dataclass(frozen=True)
class Light:
    """Sources of light. Colours are linear, (red, green, blue), 1 being white.

    Args:
        sun: direction towards the sun, of any length except zero.
        sun_angle: angular diameter of the sun, degrees: a larger one makes softer shadows. The real one has half a degree.
        sun_color: of its light on a white surface that faces it.
        sky, ground: colours of the ambient light on a white surface that faces up, or down.
        zenith, horizon, nadir: colours of the background above, far away, and below.
        air: whether there is haze at a distance.
    """

    sun: tuple[float, ...] = (-0.55, -0.5, 0.9)
    sun_angle: float = 3.0
    sun_color: tuple[float, ...] = (0.86, 0.80, 0.70)
    sky: tuple[float, ...] = (0.40, 0.45, 0.53)
    ground: tuple[float, ...] = (0.24, 0.22, 0.20)
    zenith: tuple[float, ...] = (0.20, 0.40, 0.74)
    horizon: tuple[float, ...] = (0.80, 0.87, 0.93)
    nadir: tuple[float, ...] = (0.56, 0.61, 0.67)
    air: bool = True

    sun_colour = Alias[tuple[float, ...], NoReturn]("sun_color")

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "sun", checks.direction("the direction of the sun", self.sun))
        put(self, "sun_angle", checks.not_negative("the angle of the sun", self.sun_angle))
        if self.sun_angle >= 180.0:
            raise ValueError(f"the angle of the sun must be less than 180 degrees, not {self.sun_angle}")
        for name in ("sun_color", "sky", "ground", "zenith", "horizon", "nadir"):
            colour = checks.vector(f"the light's {name}", getattr(self, name))
            if min(colour) < 0.0:
                raise ValueError(f"the light's {name} must not be negative: {colour}")
            put(self, name, colour)
        put(self, "air", checks.flag("the light's air", self.air))

    @classmethod
    def above(cls, up: Any) -> Light:
        """The default light for a world with this up direction: the axes of the sun's direction are rotated with it."""
        axis = int(np.argmax(np.abs(up)))
        x, y, z = cls.sun
        return cls(sun=tuple(np.roll((x, y, -z if up[axis] < 0.0 else z), axis - 2)))

    def record(self, up: Any, extent: float) -> npt.NDArray[Any]:
        """Input of kernels, for a scene of an extent, m: LIGHT, shape (1,)."""
        light = np.zeros(1, LIGHT)
        for name in ("sun", "sky", "ground", "zenith", "horizon", "nadir"):
            light[name] = getattr(self, name)
        light["sun_colour"] = self.sun_color
        light["up"] = up
        sun = np.array(self.sun)
        aside = np.cross(sun, np.eye(3)[int(np.argmin(np.abs(sun)))])
        radius = math.tan(math.radians(0.5 * self.sun_angle))
        light["sun_right"] = radius * aside / np.linalg.norm(aside)
        light["sun_up"] = np.cross(sun, light["sun_right"][0])
        light["reach"] = REACH * extent
        light["haze"] = HAZE * extent if self.air else math.inf
        return light
