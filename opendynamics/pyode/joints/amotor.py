"""Angular motor."""

from __future__ import annotations

from opendynamics import c_api as c
from opendynamics.pyode.joints.motor_axes import MotorAxes


class AMotor(MotorAxes):
    """Drives the relative rotation of two bodies about up to three axes."""

    __slots__ = ()

    _ode_kind = "AMotor"
    _ode_parameters = "AMotor"

    def setMode(self, mode: int) -> None:
        """Set AMotorUser or AMotorEuler."""
        c.dJointSetAMotorMode(self._ode_id, mode)

    def getMode(self) -> int:
        return int(c.dJointGetAMotorMode(self._ode_id))

    def getAxisRel(self, anum: int) -> int:
        """Return the frame of an axis: 0 the world, 1 or 2 a body."""
        return int(c.dJointGetAMotorAxisRel(self._ode_id, anum))

    def setAngle(self, anum: int, angle: float) -> None:
        """Set the angle, rad, which stops in user mode need."""
        self._ode_set(c.dJointSetAMotorAngle, anum, angle)

    def getAngle(self, anum: int) -> float:
        return self._ode_float(c.dJointGetAMotorAngle, anum)

    def getAngleRate(self, anum: int) -> float:
        return self._ode_float(c.dJointGetAMotorAngleRate, anum)

    def addTorques(self, torque0: float, torque1: float, torque2: float) -> None:
        """Add torques about the axes, N m, for the next step."""
        self._ode_set(c.dJointAddAMotorTorques, torque0, torque1, torque2)
