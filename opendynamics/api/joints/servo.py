"""Servo."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from opendynamics.api import checks
from opendynamics.api.aliases import Alias
from opendynamics.api.joints.joint import Array, Joint, require_bodies_to_place
from opendynamics.api.read_only import read_only
from opendynamics.api.types import JointOptions, Vector
from opendynamics.core.constrain.joints.motors import servo as layout

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.joints.servo_driven import ServoDriven
    from opendynamics.api.world import World


class _Number:
    """A number of the servo's record, checked when set."""

    def __init__(self, place: int, check: Any, doc: str) -> None:
        self.place, self.check, self.__doc__ = place, check, doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.label = f"the {name.replace('_', ' ')}"

    def __get__(self, servo: Any, owner: type | None = None) -> Any:
        return self if servo is None else float(servo._values["numbers"][self.place])

    def __set__(self, servo: Any, value: Any) -> None:
        servo._record["numbers"][self.place] = self.check(servo._say(self.label), value)


def checked_parameters(
    stiffness: Any, damping: Any, target: Any, target_rate: Any, max_torque: Any
) -> dict[str, float]:
    """The parameters of a servo by their names, in the order of its record."""
    return {
        "stiffness": checks.not_negative("the stiffness of a servo", stiffness),
        "damping": checks.not_negative("the damping of a servo", damping),
        "target": checks.finite("the target of a servo", target),
        "target_rate": checks.finite("the target rate of a servo", target_rate),
        "max_torque": checks.not_negative_or_infinite("the max torque of a servo", max_torque),
    }


class _Options(JointOptions, total=False):
    max_force: float


class Servo(Joint):
    """A spring and a damper that drive an angle or a distance to a target (PD control). `hinge.servo(...)` creates one for a
    hinge.

    Torque = stiffness x (target - angle) + damping x (target_rate - rate), at most `max_torque`, on body1, and the opposite one
    on body2, evaluated at the end of the step (implicit): stable for any stiffness, damping and step size. Angles in rad, torques
    in N m; along an axis (`linear`) m and N. An angle without stops takes the shorter way to its target.

    Args:
        world, body1, body2: see `Joint`.
        axis: direction in the world frame; x by default. The angle is 0 where it is set. Of bodies that no joint keeps from
            turning about other axes it is the twist, the part of their relative rotation about the axis.
        target: target angle, rad, or distance, m.
        target_rate: rad/s or m/s.
        stiffness: N m/rad or N/m; 0, the default: none.
        damping: N m s/rad or N s/m.
        max_torque: limit of its torque, N m, or force, N.
        linear: whether it acts along the axis, as on a slider, instead of about it.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ("_driven",)

    kind = "servo"

    stiffness = _Number(layout.STIFFNESS, checks.not_negative, "Stiffness, N m/rad or N/m; 0 unless given.")
    damping = _Number(layout.DAMPING, checks.not_negative, "Damping, N m s/rad or N s/m; 0 unless given.")
    target = _Number(layout.TARGET, checks.finite, "Target angle, rad, or distance, m; 0 unless given.")
    target_rate = _Number(layout.RATE, checks.finite, "Target rate, rad/s or m/s; 0 unless given.")
    max_torque = _Number(
        layout.MAX_FORCE,
        checks.not_negative_or_infinite,
        "Maximum torque, N m, or force, N; infinite unless given, and 0 turns the servo off.",
    )
    max_force = Alias[float, float]("max_torque")

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        axis: Vector | None = None,
        target: float = 0.0,
        target_rate: float = 0.0,
        stiffness: float = 0.0,
        damping: float = 0.0,
        max_torque: float = math.inf,
        linear: bool = False,
        **options: Unpack[_Options],
    ) -> None:
        along = None if axis is None else checks.direction("the axis of a servo", axis)
        require_bodies_to_place("a servo", body1, body2, axis)
        linear = checks.flag("linear of a servo", linear)
        numbers = checked_parameters(stiffness, damping, target, target_rate, max_torque)
        super().__init__(world, body1, body2, **options)
        self._record["numbers"][: len(numbers)] = list(numbers.values())
        self._record["numbers"][layout.LINEAR] = linear
        if along is not None:
            self.axis = along

    def _set_defaults(self) -> None:
        super()._set_defaults()
        self._driven: ServoDriven | None = None
        self._record["numbers"][layout.MAX_FORCE] = math.inf

    def _drive(self, joint: ServoDriven) -> None:
        """Drive the coordinate of a hinge or a slider, with its axis and rest position."""
        self._driven = joint
        self._record["numbers"][layout.DRIVEN] = 1 + joint._row

    def _note_rest_position(self) -> None:
        first, second = self._inner_bodies
        at = first.position
        self._set_axes(self._axis(0))
        self._record["anchor1"] = at if second is None else second.point_from_world(at)
        self._note_relative_orientation()

    @property
    def driven(self) -> Joint | None:
        """The hinge or slider that it drives; None: it acts on two bodies directly."""
        self._row  # noqa: B018
        return self._driven

    @property
    def linear(self) -> bool:
        """Whether it acts along its axis."""
        return bool(self._values["numbers"][layout.LINEAR])

    @property
    def axis(self) -> Array:
        """Direction in the world, a unit vector, shape (3,); x unless given. Setting it makes the angle or position 0 here."""
        self._row  # noqa: B018  (raises, where the joint that it drives would not)
        return read_only((self._driven or self)._axis(0))

    @axis.setter
    def axis(self, value: Vector) -> None:
        direction = checks.direction(self._say("the axis"), value)
        if self._driven is not None:
            raise ValueError(f"{self._say('the axis')} is that of {self._driven.name}; set it there")
        self._set_axes(direction)
        self._note_rest_position()

    @property
    def coordinate(self) -> float:
        """The angle, rad, or position, m, that it drives."""
        return self._measure(0)

    @property
    def torque(self) -> float:
        """Torque, N m, or force, N, on body1 (or its only body) in the last step."""
        feedback, axis = self.feedback, (self._driven or self)._axis(0)
        along = float((feedback.force1 if self.linear else feedback.torque1) @ axis)
        return -along if self.reversed else along

    def destroy(self) -> None:
        """Remove the servo, but not the joint that it drives."""
        driven = self._driven
        super().destroy()
        if driven is not None and driven.alive:
            driven._lose_servo()
