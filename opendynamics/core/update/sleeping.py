"""Stage: bodies that have been idle for long enough fall asleep (ODE's auto-disable), at the beginning of a step.

The velocities of the last `samples` steps are averaged component by component, so that a body that shakes on the spot
counts as idle. A body without any joint or contact never sleeps: it is in mid-air.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, dot, get3, scale, set3
from opendynamics.core.arrays.bodies import AUTO_DISABLE, BODY_ORDER, BODY_SETTINGS, ENABLED, MOTIONS, SAMPLES
from opendynamics.core.arrays.islands import FIRST_LINKS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.kernels import kernel


@kernel
def sleep_idle_bodies(tables, h):
    """Once a step, also if the step has to be taken up again for want of room."""
    report = REPORTS.rows(tables)[0]
    if report.sleep_done:
        return
    report.sleep_done = 1
    order = BODY_ORDER.rows(tables)
    for k in range(BODY_ORDER.used(tables)):
        body = order[k]
        motion = MOTIONS.rows(tables)[body]
        if motion.flags & AUTO_DISABLE and motion.flags & ENABLED and FIRST_LINKS.rows(tables)[body] >= 0:
            _sleep_if_idle(tables, body, h)


@kernel
def _sleep_if_idle(tables, body, h):
    motion, settings = MOTIONS.rows(tables)[body], BODY_SETTINGS.rows(tables)[body]
    if settings.samples == 0:
        return
    newest = SAMPLES.rows(tables)[settings.sample_start + settings.sample_next]
    set3(newest.linear_velocity, get3(motion.linear_velocity))
    set3(newest.angular_velocity, get3(motion.angular_velocity))
    settings.sample_next += 1
    if settings.sample_next >= settings.samples:
        settings.sample_next = 0
        settings.samples_ready = 1
    if settings.samples_ready and _is_idle(tables, settings):
        settings.steps_left -= 1
        settings.time_left -= h
    else:
        settings.steps_left = settings.idle_steps
        settings.time_left = settings.idle_time
    if settings.steps_left <= 0 and settings.time_left <= 0.0:
        motion.flags &= ~ENABLED
        set3(motion.linear_velocity, (0.0, 0.0, 0.0))
        set3(motion.angular_velocity, (0.0, 0.0, 0.0))


@kernel
def _is_idle(tables, settings):
    linear = angular = (0.0, 0.0, 0.0)
    for s in range(settings.sample_start, settings.sample_start + settings.samples):
        linear = add(linear, get3(SAMPLES.rows(tables)[s].linear_velocity))
        angular = add(angular, get3(SAMPLES.rows(tables)[s].angular_velocity))
    linear = scale(1.0 / settings.samples, linear)
    angular = scale(1.0 / settings.samples, angular)
    return (
        dot(linear, linear) <= settings.linear_threshold * settings.linear_threshold
        and dot(angular, angular) <= settings.angular_threshold * settings.angular_threshold
    )
