"""Linear motor."""

from __future__ import annotations

from opendynamics.pyode.joints.motor_axes import MotorAxes


class LMotor(MotorAxes):
    """Moves two bodies against each other along up to three axes."""

    __slots__ = ()

    _ode_kind = "LMotor"
    _ode_parameters = "LMotor"
