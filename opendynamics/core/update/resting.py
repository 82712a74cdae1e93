"""Stage: bodies that have been slow for long enough go to rest (ODE's auto-disable), at the beginning of a step.

The velocities of the last `samples` steps are averaged component by component, so that a body that shakes on the spot
counts as idle. A body without any joint or contact never rests: it is in mid-air.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, dot, get3, scale, set3
from opendynamics.core.arrays.bodies import AUTO_DISABLE, BODY_ORDER, ENABLED, HABITS, MOTIONS, SAMPLES
from opendynamics.core.arrays.islands import FIRST_LINKS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.kernels import kernel


@kernel
def rest_bodies(tables, h):
    """Once a step, also if the step has to be taken up again for want of room."""
    report = REPORTS.rows(tables)[0]
    if report.rested:
        return
    report.rested = 1
    order = BODY_ORDER.rows(tables)
    for k in range(BODY_ORDER.used(tables)):
        body = order[k]
        motion = MOTIONS.rows(tables)[body]
        if motion.flags & AUTO_DISABLE and motion.flags & ENABLED and FIRST_LINKS.rows(tables)[body] >= 0:
            _rest_if_idle(tables, body, h)


@kernel
def _rest_if_idle(tables, body, h):
    motion, habit = MOTIONS.rows(tables)[body], HABITS.rows(tables)[body]
    if habit.samples == 0:
        return
    newest = SAMPLES.rows(tables)[habit.sample_start + habit.sample_next]
    set3(newest.linear_velocity, get3(motion.linear_velocity))
    set3(newest.angular_velocity, get3(motion.angular_velocity))
    habit.sample_next += 1
    if habit.sample_next >= habit.samples:
        habit.sample_next = 0
        habit.samples_ready = 1
    if habit.samples_ready and _is_idle(tables, habit):
        habit.steps_left -= 1
        habit.time_left -= h
    else:
        habit.steps_left = habit.idle_steps
        habit.time_left = habit.idle_time
    if habit.steps_left <= 0 and habit.time_left <= 0.0:
        motion.flags &= ~ENABLED
        set3(motion.linear_velocity, (0.0, 0.0, 0.0))
        set3(motion.angular_velocity, (0.0, 0.0, 0.0))


@kernel
def _is_idle(tables, habit):
    linear = angular = (0.0, 0.0, 0.0)
    for s in range(habit.sample_start, habit.sample_start + habit.samples):
        linear = add(linear, get3(SAMPLES.rows(tables)[s].linear_velocity))
        angular = add(angular, get3(SAMPLES.rows(tables)[s].angular_velocity))
    linear = scale(1.0 / habit.samples, linear)
    angular = scale(1.0 / habit.samples, angular)
    return (
        dot(linear, linear) <= habit.linear_threshold * habit.linear_threshold
        and dot(angular, angular) <= habit.angular_threshold * habit.angular_threshold
    )
