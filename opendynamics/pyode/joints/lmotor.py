"""Linear motor."""

from __future__ import annotations

from opendynamics.pyode.joints.motor_axes import MotorAxes


class LMotor(MotorAxes):
    """Drives the relative translation of two bodies along up to three axes."""

    __slots__ = ()

    _ode_kind = "LMotor"
    _ode_parameters = "LMotor"
