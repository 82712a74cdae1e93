"""Slider."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.sequences import Vector, three


class SliderJoint(Joint):
    """Two bodies move along an axis without relative rotation."""

    __slots__ = ()

    _ode_kind = "Slider"
    _ode_parameters = "Slider"

    def setAxis(self, axis: Any) -> None:
        """Set the direction of the axis; the current position becomes 0."""
        self._ode_set(c.dJointSetSliderAxis, *three(axis))

    def getAxis(self) -> Vector:
        return self._ode_vector(c.dJointGetSliderAxis)

    def getPosition(self) -> float:
        """Return the position along the axis, m."""
        return self._ode_float(c.dJointGetSliderPosition)

    def getPositionRate(self) -> float:
        """Return the rate of the position, m/s."""
        return self._ode_float(c.dJointGetSliderPositionRate)

    def addForce(self, force: float) -> None:
        """Add a force along the axis, N, for the next step."""
        self._ode_set(c.dJointAddSliderForce, force)
