"""Joints with one axis that a servo can drive."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.joints.driven import Driven
from opendynamics.api.joints.servo import Servo, checked_parameters
from opendynamics.api.warning import SetupWarning, warn

if TYPE_CHECKING:
    from opendynamics.api.body import Body


class ServoDriven(Driven):
    """A joint with one axis that a servo can drive."""

    __slots__ = ("_servo",)

    _linear = False

    def _set_defaults(self) -> None:
        self._servo: Servo | None = None
        super()._set_defaults()

    def _drive_to(
        self, target: float, rate: float, stiffness: float, damping: float | None, most: float = math.inf
    ) -> Servo:
        """The joint's servo with these parameters; critically damped for its two bodies unless given."""
        self._require_attached()
        if damping is None:
            stiffness = checks.not_negative("the stiffness of a servo", stiffness)
            if stiffness == 0.0:
                warn(
                    f"the servo of {self.name} does nothing: its stiffness is 0 and it has no damping; give a stiffness above 0, "
                    "or damping=0 for a servo that is off",
                    SetupWarning,
                )
            damping = 2.0 * math.sqrt(stiffness * self._inertia_about_axis())
        numbers: dict[str, Any] = checked_parameters(stiffness, damping, target, rate, most)
        if self._servo is None:
            servo = Servo(self._world, **numbers, linear=self._linear, name=f"servo of {self.name}")
            servo._drive(self)
            servo.attach(*self._bodies)
            self._servo = servo
        else:
            for name, value in numbers.items():
                setattr(self._servo, name, value)
        return self._servo

    def _inertia_about_axis(self) -> float:
        """Effective inertia of the joint's coordinate, kg m² or kg: that of both bodies in series."""
        inverse, axis = 0.0, self._axis(0)
        for body, arm in zip(self._inner_bodies, (self._anchor(0), self._anchor(1)), strict=True):
            if body is None or body.kinematic:
                continue
            if self._linear:
                inverse += 1.0 / body.mass
            else:
                lever = np.cross(axis, arm - body.position)
                turn = body.vector_from_world(axis)
                inverse += 1.0 / float(turn @ body.inertia @ turn + body.mass * (lever @ lever))
        return 1.0 / inverse if inverse else 0.0

    def _lose_servo(self) -> None:
        self._servo = None

    def attach(self, body1: Body | None, body2: Body | None) -> None:
        """Attach the joint to other bodies, with their current poses as rest position; two Nones detach the joint."""
        super().attach(body1, body2)
        if self._servo is not None:
            self._servo.attach(body1, body2)

    def destroy(self) -> None:
        """Remove the joint, and its servo."""
        servo = self._servo
        super().destroy()
        if servo is not None and servo.alive:
            servo.destroy()
