"""Camera: a pinhole at a position, looking at a target; and placement such that everything is in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.units import check_field_of_view
from opendynamics.viewer.pictures.tracing.records import VIEW

Array = npt.NDArray[np.float64]

# Default direction: from the front, slightly from the right and from above. Along the x and y axes of a world with z up.
FROM = (0.45, -0.8, 0.4)
MARGIN = 1.15  # margin around the contents of the picture
MIN_DISTANCE = 1e-9  # relative to the distance of the target from the origin, and at least that of a target 1 m away
MAX_PIXELS = 16_384  # along a side


@explain_calls
@dataclass(frozen=True)
class Camera:
    """Position, target and lens of a picture.

    Args:
        position: of the camera, m.
        target: the point in the middle of the picture, m.
        up: the upward direction in the picture, of any length except zero; arbitrary if the camera looks along it.
        field_of_view: angle from the lower to the upper edge of the picture, degrees.

    ValueError if position and target coincide.
    """

    position: tuple[float, ...]
    target: tuple[float, ...] = (0.0, 0.0, 0.0)
    up: tuple[float, ...] = (0.0, 0.0, 1.0)
    field_of_view: float = 40.0

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "position", checks.vector("the position of a camera", self.position))
        put(self, "target", checks.vector("the target of a camera", self.target))
        put(self, "up", checks.direction("the up direction of a camera", self.up))
        put(self, "field_of_view", checks.positive("the field of view of a camera", self.field_of_view))
        check_field_of_view(self.field_of_view)
        if self.field_of_view >= 180.0:
            raise ValueError(f"the field of view of a camera must be less than 180 degrees, not {self.field_of_view}")
        if not math.dist(self.position, self.target) > 0.0:
            raise ValueError(f"a camera at {self.position} looks at itself: move its position or its target")

    @property
    def axes(self) -> tuple[Array, Array, Array]:
        """Unit vectors to the right in the picture, up in it, and forward, shape (3,) each."""
        ahead = np.array(checks.direction("the viewing direction of a camera", np.subtract(self.target, self.position)))
        right = np.cross(ahead, self.up)
        if np.linalg.norm(right) < 1e-9:
            right = np.cross(ahead, np.roll(self.up, 1))
        right /= np.linalg.norm(right)
        return right, np.cross(right, ahead), ahead

    def record(self, width: int, height: int) -> npt.NDArray[Any]:
        """Input of kernels, for a picture of this many pixels: VIEW, shape (1,)."""
        right, up, ahead = self.axes
        half = math.tan(math.radians(0.5 * self.field_of_view))
        pixel = 2.0 * half / height
        view = np.zeros(1, VIEW)
        view["eye"] = self.position
        view["corner"] = ahead + half * up - 0.5 * width * pixel * right
        view["right"], view["down"] = pixel * right, -pixel * up
        view["breadth"] = math.sqrt(float(view["right"][0] @ view["right"][0]))
        return view

    def project(self, points: Any, size: tuple[int, int]) -> Array:
        """Positions of points (n, 3), m, in a picture of `size`: pixels from its upper left corner, shape (n, 2).

        NaN for points behind the camera.
        """
        right, up, ahead = self.axes
        away = np.asarray(points, np.float64).reshape(-1, 3) - self.position
        depth = away @ ahead
        depth = np.where(depth > 0.0, depth, np.nan)
        pixel = 2.0 * math.tan(math.radians(0.5 * self.field_of_view)) / size[1]
        x, y = away @ right / depth / pixel, -(away @ up) / depth / pixel
        return np.column_stack([0.5 * size[0] + x, 0.5 * size[1] + y])

    def rays(self, size: tuple[int, int]) -> Array:
        """Directions of the rays through the centres of the pixels of a picture of `size`, row by row: unit vectors (n, 3).

        `world.cast_rays(camera.position, camera.rays(size))` finds what each pixel shows, and how far away it is.
        """
        width, height = checked_size(size)
        view = self.record(width, height)[0]
        x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
        rays = view["corner"] + np.multiply.outer(x.ravel(), view["right"]) + np.multiply.outer(y.ravel(), view["down"])
        return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))

    @classmethod
    def framing(
        cls,
        boxes: Any,
        *,
        direction: Any = None,
        up: Any = (0.0, 0.0, 1.0),
        aspect: float = 16 / 9,
        field_of_view: float = 40.0,
    ) -> Camera:
        """The camera that shows axis-aligned boxes (n, 6), m, with some margin.

        Args:
            boxes: x min, x max, y min, y max, z min, z max of each.
            direction: from the target to the camera; by default slightly from above.
            up: see `Camera`.
            aspect: width of the picture over its height.
            field_of_view: see `Camera`.
        """
        given = checks.array("the boxes to be in the picture", boxes).reshape(-1, 6)
        if not len(given):
            given = np.array([[-1.0, 1.0, -1.0, 1.0, 0.0, 1.0]])
        chosen = (
            _usual_direction(up) if direction is None else checks.direction("the direction to look from", direction)
        )
        low, high = given[:, 0::2].min(axis=0), given[:, 1::2].max(axis=0)
        target = 0.5 * (low + high)
        # Seen from `distance`, a point (x, y, z) beside the target, z towards the camera, is in the picture if
        # |x| <= (distance - z) tan(half angle), and likewise y.
        view = cls(tuple(target + chosen), tuple(target), up, field_of_view)
        across, upward, ahead = view.axes
        corners = _corners(given) - target
        half = math.tan(math.radians(0.5 * field_of_view)) / MARGIN
        needs = np.maximum(abs(corners @ across) / (half * aspect), abs(corners @ upward) / half) - corners @ ahead
        distance = max(float(needs.max()), MIN_DISTANCE * max(1.0, float(abs(target).max())))
        return cls(tuple(target + distance * np.asarray(chosen)), tuple(target), up, field_of_view)


def checked_size(size: Any) -> tuple[int, int]:
    """Width and height in pixels."""
    try:
        width, height = size
    except (TypeError, ValueError):
        raise TypeError(f"the size of a picture must be (width, height), not {size!r}") from None
    return (
        checks.count("the width of a picture", width, 1, MAX_PIXELS),
        checks.count("the height of a picture", height, 1, MAX_PIXELS),
    )


def _corners(boxes: Array) -> Array:
    """The corners of boxes (n, 6), shape (8 n, 3)."""
    picks = [(x, y, z) for x in (0, 1) for y in (2, 3) for z in (4, 5)]
    return np.concatenate([boxes[:, pick] for pick in picks])


def _usual_direction(up: Any) -> tuple[float, ...]:
    """FROM, rotated with the axes such that z becomes `up`: x, y, z become y, z, x or z, x, y if those are nearest."""
    axis = int(np.argmax(np.abs(up)))
    sign = -1.0 if up[axis] < 0.0 else 1.0
    turned = np.roll((FROM[0], FROM[1], sign * FROM[2]), axis - 2)
    return checks.direction("the direction to look from", turned)
