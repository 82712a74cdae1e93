"""Linear motor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from opendynamics.api.aliases import Alias
from opendynamics.api.body import Body
from opendynamics.api.joints.driving_axes import MOST, DrivingAxes, checked_axes
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions, Matrix, Vector
from opendynamics.core.constrain.joints.motors.lmotor import REST
from opendynamics.core.constrain.parts.motor_axes import WORLD

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.world import World


class LMotor(DrivingAxes):
    """Drives or limits the relative translation of two bodies along up to three axes, without other constraints.

    The position along an axis is the displacement of the centre of the first body that is not None relative to the other's;
    0 where the axis was set. Stops limit it. Motors act half way between the centres, as in ODE: while the bodies rotate, the
    rate of the position differs slightly from the motor's velocity.

    Args:
        world, body1, body2: see `Joint`.
        axes: up to three directions in the world frame.
        relative_to: for each axis, or for all, whether it is fixed to the world (0), body1 (1) or body2 (2). As in ODE, an axis
            relative to a body that is None rotates with the other body, so use 0 for an axis fixed to the world.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "lmotor"

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        axes: Sequence[Vector] | Matrix = (),
        relative_to: int | Sequence[int] = 0,
        **options: Unpack[JointOptions],
    ) -> None:
        given = checked_axes("an lmotor joint", axes, relative_to)
        require_bodies_to_place("an lmotor joint", body1, body2, given or None)
        super().__init__(world, body1, body2, **options)
        self.num_axes = len(given)
        for number, (frame, axis) in enumerate(given):
            self.set_axis(number, frame, axis)

    def _note_rest_position(self) -> None:
        first, second = self._inner_bodies
        self._record["anchor1"] = first.position if second is None else (0.0, 0.0, 0.0)
        for number in range(MOST):
            self._note_rest(number)

    def _note_rest(self, number: int) -> None:
        """Set the position along an axis to 0 at the current poses."""
        first, second = self._inner_bodies
        other = self._record["anchor1"] if second is None else second.position
        self._record["numbers"][REST + number] = self._axis_now(number) @ (first.position - other)

    def _place_axis(self, number: int, frame: int, axis: Array) -> None:
        super()._place_axis(number, frame, axis)
        self._note_rest(number)

    def _bearer(self, frame: int) -> Body | None:
        if frame == WORLD:
            return None
        body = self._bodies[frame - 1]
        return self._inner_bodies[0] if body is None else body

    @property
    def positions(self) -> Array:
        """Position along each axis that is used, m, shape (num_axes,)."""
        return read_only(self._measured(rates=False))

    @property
    def position_rates(self) -> Array:
        """Rate of each position, m/s, shape (num_axes,)."""
        return read_only(self._measured(rates=True))

    rates = Alias[Array, NoReturn]("position_rates")
