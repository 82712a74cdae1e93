"""Plane joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api.joints.joint import Joint
from opendynamics.api.joints.limit_motor import LimitMotor

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class Plane2D(Joint):
    """Planar joint: a body moves in the plane z = 0 of the world and rotates about z only, with optional stops and motors.

    The tilt of the body when it is attached is kept, so place it as it should slide.

    Args:
        world: see `Joint`.
        body1, body2: one of them is the body, the other None.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "plane2d"

    @staticmethod
    def _require_bodies(world: World, body1: Body | None, body2: Body | None) -> None:
        Joint._require_bodies(world, body1, body2)
        if body1 is not None and body2 is not None:
            raise ValueError(
                f"a plane2d joint holds one body in the world's plane z = 0, not {body1.name} and {body2.name}; "
                "give None for one of them, and the other a joint of its own"
            )

    def _note_rest_position(self) -> None:
        self._note_relative_orientation()

    @property
    def limit_motors(self) -> tuple[LimitMotor, ...]:
        """Stops and motor along x, along y, and about z."""
        return LimitMotor(self, 0), LimitMotor(self, 1), LimitMotor(self, 2)

    @property
    def x_motor(self) -> LimitMotor:
        """Stops and motor along the world's x axis, m."""
        return LimitMotor(self, 0)

    @property
    def y_motor(self) -> LimitMotor:
        """Stops and motor along the world's y axis, m."""
        return LimitMotor(self, 1)

    @property
    def angle_motor(self) -> LimitMotor:
        """Stops and motor about z, rad."""
        return LimitMotor(self, 2)

    @property
    def position(self) -> tuple[float, float]:
        """The body's x and y in the world, m."""
        return self._measure(0), self._measure(2)

    @property
    def position_rate(self) -> tuple[float, float]:
        """The body's velocity along x and y, m/s."""
        return self._measure(1), self._measure(3)

    @property
    def angle(self) -> float:
        """Rotation of the body about z since it was attached, rad, between -pi and pi."""
        return self._measure(4)

    @property
    def angle_rate(self) -> float:
        """Rate of the angle, rad/s."""
        return self._measure(5)
