"""objects.h: auto-disable, damping and maximum angular speed of a body."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.restoring import idling_of, restore_idling
from opendynamics.c_api.common.identifiers import dBodyID
from opendynamics.c_api.ids import flag, the


def dBodySetAutoDisableLinearThreshold(b: dBodyID, linear_average_threshold: float) -> None:
    """m/s up to which a body counts as idle."""
    the(Body, b).auto_disable_linear_threshold = linear_average_threshold


def dBodyGetAutoDisableLinearThreshold(b: dBodyID) -> float:
    return float(the(Body, b).auto_disable_linear_threshold)


def dBodySetAutoDisableAngularThreshold(b: dBodyID, angular_average_threshold: float) -> None:
    """rad/s up to which a body counts as idle."""
    the(Body, b).auto_disable_angular_threshold = angular_average_threshold


def dBodyGetAutoDisableAngularThreshold(b: dBodyID) -> float:
    return float(the(Body, b).auto_disable_angular_threshold)


def dBodySetAutoDisableAverageSamplesCount(b: dBodyID, average_samples_count: int) -> None:
    """Number of velocities averaged to detect that a body is idle."""
    the(Body, b).auto_disable_samples = average_samples_count


def dBodyGetAutoDisableAverageSamplesCount(b: dBodyID) -> int:
    return int(the(Body, b).auto_disable_samples)


def dBodySetAutoDisableSteps(b: dBodyID, steps: int) -> None:
    """Steps for which a body has to be idle."""
    the(Body, b).auto_disable_steps = steps


def dBodyGetAutoDisableSteps(b: dBodyID) -> int:
    return int(the(Body, b).auto_disable_steps)


@checks.beyond_bounds()
def dBodySetAutoDisableTime(b: dBodyID, time: float) -> None:
    """Seconds for which a body has to be idle."""
    the(Body, b).auto_disable_time = time


def dBodyGetAutoDisableTime(b: dBodyID) -> float:
    return float(the(Body, b).auto_disable_time)


def dBodySetAutoDisableFlag(b: dBodyID, do_auto_disable: int) -> None:
    """0 also wakes the body, and copies the world's steps, time and number of samples, as ODE does.

    What is left of the idle steps and time is not counted anew.
    """
    body = the(Body, b)
    left = idling_of(body)
    body.auto_disable = flag(do_auto_disable)
    if not do_auto_disable:
        world = body.world
        body.auto_disable_steps, body.auto_disable_time = world.auto_disable_steps, world.auto_disable_time
        body.auto_disable_samples = world.auto_disable_samples
        restore_idling(body, *left)


def dBodyGetAutoDisableFlag(b: dBodyID) -> int:
    return int(the(Body, b).auto_disable)


@checks.beyond_bounds()
def dBodySetLinearDamping(b: dBodyID, scale: float) -> None:
    """Fraction of the velocity removed in a step."""
    the(Body, b).linear_damping = scale


def dBodyGetLinearDamping(b: dBodyID) -> float:
    return float(the(Body, b).linear_damping)


@checks.beyond_bounds()
def dBodySetAngularDamping(b: dBodyID, scale: float) -> None:
    the(Body, b).angular_damping = scale


def dBodyGetAngularDamping(b: dBodyID) -> float:
    return float(the(Body, b).angular_damping)


def dBodySetLinearDampingThreshold(b: dBodyID, threshold: float) -> None:
    """m/s up to which there is no damping."""
    the(Body, b).linear_damping_threshold = threshold


def dBodyGetLinearDampingThreshold(b: dBodyID) -> float:
    return float(the(Body, b).linear_damping_threshold)


def dBodySetAngularDampingThreshold(b: dBodyID, threshold: float) -> None:
    the(Body, b).angular_damping_threshold = threshold


def dBodyGetAngularDampingThreshold(b: dBodyID) -> float:
    return float(the(Body, b).angular_damping_threshold)


def dBodySetMaxAngularSpeed(b: dBodyID, max_speed: float) -> None:
    the(Body, b).max_angular_speed = max_speed


def dBodyGetMaxAngularSpeed(b: dBodyID) -> float:
    return float(the(Body, b).max_angular_speed)


@checks.beyond_bounds()
def dBodySetDamping(b: dBodyID, linear_scale: float, angular_scale: float) -> None:
    the(Body, b).set_damping(linear_scale, angular_scale)


def dBodySetAutoDisableDefaults(b: dBodyID) -> None:
    """Copy the world's auto-disable settings; with the flag off this wakes the body."""
    body = the(Body, b)
    body.set_auto_disable_defaults()
    dBodySetAutoDisableFlag(body, int(body.auto_disable))


def dBodySetDampingDefaults(b: dBodyID) -> None:
    """Copy the world's damping settings."""
    the(Body, b).set_damping_defaults()
