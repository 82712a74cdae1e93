"""Angular motor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from opendynamics.api import checks, rotation
from opendynamics.api.aliases import Alias
from opendynamics.api.joints.driving_axes import MOST, DrivingAxes, checked_axes
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.joints.two_axes import are_parallel
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions, Matrix, Vector
from opendynamics.core.constrain.joints.motors.amotor import ANGLES, EULER, REST0, REST2
from opendynamics.core.constrain.parts.motor_axes import FIRST, FRAMES, SECOND, USED, WORLD

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World

MODES = ("user", "euler")  # by the bit EULER

# What each axis is relative to in Euler mode, and, from here on, the bits of the record's mode that mark axes set by the
# user.
_EULER_FRAMES = (FIRST, WORLD, SECOND)
_GIVEN = 2


class AMotor(DrivingAxes):
    """Drives or limits the relative rotation of two bodies about up to three axes, without other constraints.

    In user mode the program sets the axes, and, if there are stops, the angles. In Euler mode axis 0 is fixed to body1 and axis
    2, perpendicular to it, to body2; axis 1 is perpendicular to both, and the joint measures the angles: 0 where the axes or
    the mode were set, positive as body1 rotates about the axis relative to body2. Keep angle 1 between -pi/2 and pi/2 by stops.

    As in ODE, motors drive the first body that is not None against the other, also where `rates` is that of body1.

    Args:
        world, body1, body2: see `Joint`.
        axes: directions in the world frame: up to three, in Euler mode axis 0 and axis 2.
        relative_to: in user mode, for each axis, or for all, whether it is fixed to the world (0), body1 (1) or body2 (2).
        mode: "user" or "euler".
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "amotor"

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        axes: Sequence[Vector] | Matrix = (),
        relative_to: int | Sequence[int] = 0,
        mode: str = "user",
        **options: Unpack[JointOptions],
    ) -> None:
        chosen = checks.choice("the mode of an amotor joint", mode, MODES)
        given = checked_axes("an amotor joint", axes, relative_to)
        require_bodies_to_place("an amotor joint", body1, body2, given or None)
        if chosen == EULER and given:
            if len(given) != 2:
                raise ValueError(f"an amotor joint in Euler mode is given axis 0 and axis 2, not {len(given)} axes")
            if are_parallel(given[0][1], given[1][1]):
                raise ValueError(f"axes 0 and 2 of an amotor joint must be at right angles, not parallel: {axes!r}")
        super().__init__(world, body1, body2, **options)
        if chosen == EULER:
            self.mode = mode
            if given:
                self._set_euler_axes(*(np.array(axis) for _, axis in given))
            return
        self.num_axes = len(given)
        for number, (frame, axis) in enumerate(given):
            self.set_axis(number, frame, axis)

    def _note_rest_position(self) -> None:
        if self._is_euler:
            self._ensure_cross()
            self._note_euler_rest()

    # -- mode and axes ---------------------------------------------------------------------------------------------

    @property
    def _is_euler(self) -> bool:
        return bool(self._values["mode"] & EULER)

    @property
    def mode(self) -> str:
        """ "user" or "euler". Setting it to "euler" makes all angles 0 in the current pose; "user" by default."""
        return MODES[int(self._is_euler)]

    @mode.setter
    def mode(self, value: str) -> None:
        chosen = checks.choice(self._say("the mode"), value, MODES)
        if chosen != EULER:
            self._record["mode"] &= ~EULER
            return
        for number in (0, 2):
            frame = self.get_relative_to(number)
            if self._is_given(number) and frame != _EULER_FRAMES[number]:
                raise ValueError(
                    f"{self._say(f'axis {number}')} is relative to {frame}, but in Euler mode it turns with "
                    f"body{_EULER_FRAMES[number]}; set it so, or set the mode first"
                )
        record = self._record
        record["mode"] |= EULER
        record["numbers"][USED] = MOST
        record["numbers"][FRAMES : FRAMES + MOST] = _EULER_FRAMES
        if self._bodies != (None, None):
            self._note_rest_position()

    @property
    def num_axes(self) -> int:
        """Number of axes in use, 0 to 3; 0 by default, in Euler mode always 3."""
        return int(self._values["numbers"][USED])

    @num_axes.setter
    def num_axes(self, value: int) -> None:
        count = checks.count(self._say("the number of axes"), value, most=MOST)
        if self._is_euler and count != MOST:
            raise ValueError(f"{self._say('the number of axes')} is {MOST} in Euler mode, not {count}")
        self._record["numbers"][USED] = count

    def _is_given(self, number: int) -> bool:
        """Whether the user has set an axis."""
        return bool(self._values["mode"] & _GIVEN << number)

    def _place_axis(self, number: int, frame: int, axis: Array) -> None:
        if not self._is_euler:
            super()._place_axis(number, frame, axis)
            self._record["mode"] |= _GIVEN << number
            return
        if number == 1:
            raise ValueError(f"{self._say('axis 1')} follows from axes 0 and 2 in Euler mode; set those")
        if frame != _EULER_FRAMES[number]:
            body = _EULER_FRAMES[number]
            raise ValueError(
                f"{self._say(f'axis {number}')} turns with body{body} in Euler mode: relative to {body}, not {frame}"
            )
        other = 2 - number
        still = self._axis_now(other)
        if self._is_given(other) and are_parallel(axis, still):
            raise ValueError(
                f"{self._say(f'axis {number}')} must be at right angles to axis {other} in Euler mode, not along it: "
                f"{axis.tolist()}"
            )
        super()._place_axis(number, frame, axis)
        self._record["mode"] |= _GIVEN << number
        self._ensure_cross()
        self._note_euler_rest()

    def _set_euler_axes(self, axis0: Array, axis2: Array) -> None:
        super()._place_axis(0, FIRST, axis0)
        super()._place_axis(2, SECOND, axis2)
        self._record["mode"] |= _GIVEN | _GIVEN << 2
        self._note_euler_rest()

    def _ensure_cross(self) -> None:
        """An Euler axis that the user has not set is adapted to the other, and so is axis 2 if necessary."""
        zero, two = self._axis_now(0), self._axis_now(2)
        if self._is_given(0) and self._is_given(2) and not are_parallel(zero, two):
            return
        if self._is_given(2) and not self._is_given(0):
            super()._place_axis(0, FIRST, _across(two, zero))
        else:
            super()._place_axis(2, SECOND, _across(zero, two))

    def _note_euler_rest(self) -> None:
        """Set the Euler angles to 0 at the current poses."""
        numbers = self._record["numbers"]
        for start, own, other in ((REST0, 0, 2), (REST2, 2, 0)):
            body = self._bearer(_EULER_FRAMES[own])
            axis = self._axis_now(other)
            numbers[start : start + 3] = axis if body is None else body.vector_from_world(axis)
        numbers[ANGLES : ANGLES + MOST] = 0.0

    def get_axis(self, number: int) -> Array:
        """Direction of axis `number`, in use or not, in the world frame; in Euler mode as in `axes`."""
        which = self._checked_number(number)
        return self.axes[which] if self._is_euler else self._axis_now(which)

    @property
    def axes(self) -> Array:
        """Directions of the axes in use, in the world frame, shape (num_axes, 3).

        In Euler mode these are the axes of stops and motors: each affects its own angle alone, and 0 and 2 differ slightly from
        the axes of those angles. Torques act about the axes of the angles themselves, as in ODE.
        """
        if not self._is_euler:
            return read_only(super().axes)
        zero, one, two = self._euler_axes()
        return read_only([np.cross(one, two), one, np.cross(zero, one)])

    def _euler_axes(self) -> Array:
        """Unit vectors along the axes of the Euler angles."""
        zero, two = self._axis_now(0), self._axis_now(2)
        one = np.cross(two, zero)
        return np.array([zero, one / np.linalg.norm(one), two])

    # -- angles ----------------------------------------------------------------------------------------------------

    def set_angle(self, number: int, angle: float) -> None:
        """Set the current angle about axis `number`, rad; only stops in user mode need it."""
        which = self._checked_number(number)
        value = checks.finite(self._say("the angle"), angle)
        if self._is_euler:
            raise ValueError(f"{self._say('an angle')} is measured in Euler mode; it can be set in user mode only")
        self._record["numbers"][ANGLES + which] = value

    @property
    def angles(self) -> Array:
        """Current angle about each axis in use, rad, shape (num_axes,): the Euler angles, or those that were set."""
        return read_only(self._measured(rates=False))

    def get_angle(self, number: int) -> float:
        """Angle about axis `number`, rad, as in ODE: the one that was set, or in Euler mode that of the last step."""
        return float(self._values["numbers"][ANGLES + self._checked_number(number)])

    @property
    def stepped_angles(self) -> Array:
        """Angle about each axis in use, rad, shape (num_axes,), that the last step compared with the stops; see `get_angle`."""
        return read_only([self.get_angle(number) for number in range(self.num_axes)])

    def get_rate(self, number: int) -> float:
        """Rate at which body1 rotates about axis `number`, in use or not, relative to body2, rad/s."""
        return self._measure(2 * self._checked_number(number) + 1)

    @property
    def angle_rates(self) -> Array:
        """Rate at which body1 rotates about each of `axes` relative to body2, rad/s, shape (num_axes,).

        In Euler mode, the rates about axes 0 and 2 are, as in ODE, the angles' rates times the cosine of angle 1.
        """
        return read_only(self._measured(rates=True))

    rates = Alias[Array, NoReturn]("angle_rates")

    def add_torques(self, *torques: float) -> None:
        """Add torques about the axes, N m, to body1, and the opposite ones to body2, for the next step.

        Torques beyond the number of axes are ignored.
        """
        if len(torques) > MOST:
            raise ValueError(f"{self._say('the torques')} are at most {MOST}, not {len(torques)}")
        numbers = [checks.finite(self._say(f"the torque about axis {k}"), torque) for k, torque in enumerate(torques)]
        axes = self._euler_axes() if self._is_euler else self.axes
        total = np.zeros(3)
        for torque, axis in zip(numbers, axes, strict=False):
            total += torque * axis
        self._add_torque_pair(total)


def _across(axis: Array, vector: Array) -> Array:
    """The unit vector perpendicular to `axis` that is closest to `vector`."""
    if are_parallel(axis, vector):
        return rotation.plane_space(axis)[0]
    rest = vector - (axis @ vector) * axis
    return np.asarray(rest / np.linalg.norm(rest))
