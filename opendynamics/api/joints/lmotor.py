"""Linear motor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from opendynamics.api.aliases import Alias
from opendynamics.api.body import Body
from opendynamics.api.joints.driving_axes import MOST, DrivingAxes, checked_axes
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions
from opendynamics.core.constrain.joints.motors.lmotor import REST
from opendynamics.core.constrain.parts.motor_axes import WORLD

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.world import World


class LMotor(DrivingAxes):
    """Drives two bodies past each other, or limits how far they move, along up to three axes. It holds nothing else.

    The position along an axis is how far the centre of the first body that is not None has moved along it against the
    other's; 0 where the axis was set. Stops act on it. Motors act, as ODE's, half way between the centres: while the
    bodies turn, the rate of the position is not quite the motor's velocity.

    Args:
        world, body1, body2: see `Joint`.
        axes: up to three directions in the world.
        relative_to: for each axis, or for all, whether it stands still in the world (0) or turns with body1 (1) or
            body2 (2). The static world does not turn; as in ODE an axis relative to it turns with the other body
            instead, so use 0 for one that stands still.
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
        axes: Any = (),
        relative_to: Any = 0,
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
        """Let the position along an axis be 0 here."""
        first, second = self._inner_bodies
        other = self._record["anchor1"] if second is None else second.position
        self._record["numbers"][REST + number] = self._axis_now(number) @ (first.position - other)

    def _place_axis(self, number: int, frame: int, axis: Array) -> None:
        super()._place_axis(number, frame, axis)
        self._note_rest(number)

    def _bearer(self, number: int, frame: int) -> Body | None:
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
