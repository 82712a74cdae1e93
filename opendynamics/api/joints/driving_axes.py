"""Joints that only drive and limit relative motion, about or along up to three axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.aliases import also
from opendynamics.api.body import Body
from opendynamics.api.joints.joint import Array, Joint
from opendynamics.api.joints.limit_motor import LimitMotor
from opendynamics.api.read_only import read_only
from opendynamics.api.types import MaxTorque, Stops, Vector
from opendynamics.core.constrain.parts.motor_axes import AXES, FRAMES, USED, WORLD

if TYPE_CHECKING:
    from typing_extensions import Unpack


MOST = 3


class DrivingAxes(Joint):
    """A joint with up to three axes, numbered from 0, each with stops and a motor.

    An axis is fixed to the world (`relative_to` 0), body1 (1) or body2 (2).
    """

    __slots__ = ()

    def _set_defaults(self) -> None:
        super()._set_defaults()
        numbers = self._record["numbers"]
        for axis in range(MOST):
            numbers[AXES + 3 * axis] = 1.0

    # -- axes ------------------------------------------------------------------------------------------------------

    @property
    def num_axes(self) -> int:
        """Number of axes in use, 0 to 3; 0 by default."""
        return int(self._values["numbers"][USED])

    @num_axes.setter
    def num_axes(self, value: int) -> None:
        self._record["numbers"][USED] = checks.count(self._say("the number of axes"), value, most=MOST)

    def set_axis(self, number: int, relative_to: int, axis: Vector) -> None:
        """Set axis `number` to the direction `axis` in the world frame, and fix it to the world (0), body1 (1) or body2 (2)."""
        which = self._checked_number(number)
        frame = checks.count(self._say("what an axis is relative to"), relative_to, most=2)
        direction = checks.direction(self._say(f"axis {which}"), axis)
        self._require_attached()
        self._place_axis(which, frame, np.array(direction))

    def _place_axis(self, number: int, frame: int, axis: Array) -> None:
        """Set an axis to a unit vector of the world frame."""
        body = self._bearer(frame)
        numbers = self._record["numbers"]
        numbers[AXES + 3 * number : AXES + 3 * number + 3] = axis if body is None else body.vector_from_world(axis)
        numbers[FRAMES + number] = frame

    def _bearer(self, frame: int) -> Body | None:
        """The body that an axis of this frame is fixed to."""
        return None if frame == WORLD else self._bodies[frame - 1]

    def _axis_now(self, number: int) -> Array:
        """Direction of an axis in the world frame."""
        self._require_attached()
        numbers = self._values["numbers"]
        local = numbers[AXES + 3 * number : AXES + 3 * number + 3].copy()
        body = self._bearer(int(numbers[FRAMES + number]))
        return local if body is None else body.vector_to_world(local)

    def get_axis(self, number: int) -> Array:
        """Direction of axis `number`, in use or not, in the world frame."""
        return self._axis_now(self._checked_number(number))

    def get_relative_to(self, number: int) -> int:
        """Frame of axis `number`, in use or not: 0 the world, 1 body1, 2 body2."""
        return int(self._values["numbers"][FRAMES + self._checked_number(number)])

    @property
    def axes(self) -> Array:
        """Directions of the axes in use, in the world frame, shape (num_axes, 3)."""
        return read_only(np.array([self.get_axis(number) for number in range(self.num_axes)]).reshape(-1, 3))

    @property
    def relative_to(self) -> tuple[int, ...]:
        """Frame of each axis in use: 0 the world, 1 body1, 2 body2."""
        return tuple(self.get_relative_to(number) for number in range(self.num_axes))

    def _checked_number(self, number: Any) -> int:
        return checks.count(self._say("the number of an axis"), number, most=MOST - 1)

    # -- stops and motors ------------------------------------------------------------------------------------------

    @property
    def limit_motors(self) -> tuple[LimitMotor, ...]:
        """Stops and motor of each of three axes, in use or not."""
        return tuple(LimitMotor(self, axis) for axis in range(MOST))

    @also(max_torque="max_force")
    def motor(self, number: int, velocity: float, max_force: float = math.inf, **aliases: Unpack[MaxTorque]) -> None:
        """Drive axis `number` at `velocity`, rad/s or m/s, with at most `max_force`, N m or N (0: off)."""
        self.limit_motors[self._checked_number(number)].motor(velocity, max_force)

    def set_stops(self, number: int, stops: Stops) -> None:
        """Set the low and high stop of axis `number`, rad or m; infinite: none."""
        self.limit_motors[self._checked_number(number)].stops = stops

    def _measured(self, rates: bool) -> Array:
        return np.array([self._measure(2 * axis + rates) for axis in range(self.num_axes)])


def checked_axes(joint: str, axes: Any, relative_to: Any) -> list[tuple[int, tuple[float, ...]]]:
    """Initial axes of a joint, each with its frame."""
    try:
        given = list(axes)
        frames = [relative_to] * len(given) if np.ndim(relative_to) == 0 else list(relative_to)
    except (TypeError, ValueError):
        raise TypeError(f"the axes of {joint} must be up to three vectors, not {axes!r}") from None
    if len(given) > MOST:
        raise ValueError(f"{joint} has at most {MOST} axes, not {len(given)}")
    if len(frames) != len(given):
        raise ValueError(f"relative_to of {joint} must be one number, or one for each of {len(given)} axes: {frames}")
    return [
        (
            checks.count(f"what axis {k} of {joint} is relative to", frame, most=2),
            checks.direction(f"axis {k} of {joint}", axis),
        )
        for k, (axis, frame) in enumerate(zip(given, frames, strict=True))
    ]
