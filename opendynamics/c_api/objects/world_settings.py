"""objects.h: auto-disable, damping and maximum angular speed: a world's, for bodies created later."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.ids import flag, the


def dWorldSetAutoDisableLinearThreshold(w: dWorldID, linear_average_threshold: float) -> None:
    """m/s up to which a body counts as idle."""
    the(World, w).auto_disable_linear_threshold = linear_average_threshold


def dWorldGetAutoDisableLinearThreshold(w: dWorldID) -> float:
    return float(the(World, w).auto_disable_linear_threshold)


def dWorldSetAutoDisableAngularThreshold(w: dWorldID, angular_average_threshold: float) -> None:
    """rad/s up to which a body counts as idle."""
    the(World, w).auto_disable_angular_threshold = angular_average_threshold


def dWorldGetAutoDisableAngularThreshold(w: dWorldID) -> float:
    return float(the(World, w).auto_disable_angular_threshold)


def dWorldSetAutoDisableAverageSamplesCount(w: dWorldID, average_samples_count: int) -> None:
    """Number of velocities averaged to detect that a body is idle."""
    the(World, w).auto_disable_samples = average_samples_count


def dWorldGetAutoDisableAverageSamplesCount(w: dWorldID) -> int:
    return int(the(World, w).auto_disable_samples)


def dWorldSetAutoDisableSteps(w: dWorldID, steps: int) -> None:
    """Steps for which a body has to be idle."""
    the(World, w).auto_disable_steps = steps


def dWorldGetAutoDisableSteps(w: dWorldID) -> int:
    return int(the(World, w).auto_disable_steps)


@checks.beyond_bounds()
def dWorldSetAutoDisableTime(w: dWorldID, time: float) -> None:
    """Seconds for which a body has to be idle."""
    the(World, w).auto_disable_time = time


def dWorldGetAutoDisableTime(w: dWorldID) -> float:
    return float(the(World, w).auto_disable_time)


def dWorldSetAutoDisableFlag(w: dWorldID, do_auto_disable: int) -> None:
    the(World, w).auto_disable = flag(do_auto_disable)


def dWorldGetAutoDisableFlag(w: dWorldID) -> int:
    return int(the(World, w).auto_disable)


@checks.beyond_bounds()
def dWorldSetLinearDamping(w: dWorldID, scale: float) -> None:
    """Fraction of the velocity removed in a step."""
    the(World, w).linear_damping = scale


def dWorldGetLinearDamping(w: dWorldID) -> float:
    return float(the(World, w).linear_damping)


@checks.beyond_bounds()
def dWorldSetAngularDamping(w: dWorldID, scale: float) -> None:
    the(World, w).angular_damping = scale


def dWorldGetAngularDamping(w: dWorldID) -> float:
    return float(the(World, w).angular_damping)


def dWorldSetLinearDampingThreshold(w: dWorldID, threshold: float) -> None:
    """m/s up to which there is no damping."""
    the(World, w).linear_damping_threshold = threshold


def dWorldGetLinearDampingThreshold(w: dWorldID) -> float:
    return float(the(World, w).linear_damping_threshold)


def dWorldSetAngularDampingThreshold(w: dWorldID, threshold: float) -> None:
    the(World, w).angular_damping_threshold = threshold


def dWorldGetAngularDampingThreshold(w: dWorldID) -> float:
    return float(the(World, w).angular_damping_threshold)


def dWorldSetMaxAngularSpeed(w: dWorldID, max_speed: float) -> None:
    the(World, w).max_angular_speed = max_speed


def dWorldGetMaxAngularSpeed(w: dWorldID) -> float:
    return float(the(World, w).max_angular_speed)


@checks.beyond_bounds()
def dWorldSetDamping(w: dWorldID, linear_scale: float, angular_scale: float) -> None:
    the(World, w).set_damping(linear_scale, angular_scale)
