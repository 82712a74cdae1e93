"""Stage: bodies that have been idle for long enough fall asleep (ODE's auto-disable), at the beginning of a step.

Reads links and velocities; writes which bodies are enabled, and how long they have been idle.

The velocities of the last `samples` steps are averaged component by component, so that a body that shakes on the spot
counts as idle. A body without any joint or contact never sleeps: it is in mid-air.

ODE's rule considers each body separately. By the rule of islands, a body that is not idle keeps awake, or wakes, all bodies
that links lead to; the others fall asleep. Links end at kinematic bodies, as at the static world, but moving kinematic bodies
keep awake what they are linked to. Motors, servos and surfaces with targets below the thresholds do so too: bodies driven by
them are slow, not idle. (A body with a faster target that still is idle is blocked.)
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import add, dot, get3, scale, set3
from opendynamics.core.arrays.bodies import AUTO_DISABLE, BODY_ORDER, BODY_SETTINGS, ENABLED, FAULTY, MOTIONS, SAMPLES
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.islands import FIRST_LINKS, JOINT, LINKS
from opendynamics.core.arrays.joints import BEHIND, JOINT_ORDER, JOINTS
from opendynamics.core.arrays.report import INTEGERS, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import ISLANDS_SLEEP, SOME_ASLEEP, WORLDS
from opendynamics.core.collide.contacts import is_moving
from opendynamics.core.constrain.joints.motors.servo import DAMPING, MAX_FORCE, RATE
from opendynamics.core.constrain.joints.motors.servo import KIND as SERVO
from opendynamics.core.constrain.parts.contact import first_motion, normal_motion, second_motion
from opendynamics.core.kernels import entry, kernel

# Marks of bodies, by the rule of islands: asleep or still kinematic, idle for long enough, awake in this step.
STILL, IDLE, AWAKE = 0, 1, 2
ZERO = (0.0, 0.0, 0.0)


@entry(types.boolean(TABLES, types.float64))
def sleep_idle_bodies(tables, h):
    """Once per step, also if the step is restarted for lack of memory. False: no memory."""
    report = REPORTS.rows(tables)[0]
    if report.sleep_done:
        return True
    if WORLDS.rows(tables)[0].sleep_rule & ISLANDS_SLEEP:
        if not INTEGERS.has_room(tables, 2 * MOTIONS.used(tables)):
            return False
        _sleep_by_islands(tables, h)
    else:
        _sleep_one_by_one(tables, h)
    report.sleep_done = 1
    return True


@kernel
def _sleep_one_by_one(tables, h):
    order = BODY_ORDER.rows(tables)
    for k in range(BODY_ORDER.used(tables)):
        flags = MOTIONS.rows(tables)[order[k]].flags
        if (
            flags & AUTO_DISABLE
            and flags & ENABLED
            and _has_joint(tables, order[k])
            and _idle_for_long(tables, order[k], h)
        ):
            _put_to_sleep(tables, order[k])


@kernel
def _has_joint(tables, body):
    """Whether a joint or contact is attached to the body. ODE also counts those that move nothing: disabled ones and those of
    a kinematic body to another or to the static world, which are no links.
    """
    if FIRST_LINKS.rows(tables)[body] >= 0:
        return True
    for k in range(JOINT_ORDER.used(tables)):
        joint = JOINTS.rows(tables)[JOINT_ORDER.rows(tables)[k] & ((1 << BEHIND) - 1)]
        if joint.body0 == body or joint.body1 == body:
            return True
    if MOTIONS.rows(tables)[body].inverse_mass == 0.0:
        for k in range(CONTACTS.used(tables) + REPORTS.rows(tables)[0].contacts):
            contact = CONTACTS.rows(tables)[k]
            if contact.body0 == body or contact.body1 == body:
                return True
    return False


@kernel
def _sleep_by_islands(tables, h):
    world, motions, marks = WORLDS.rows(tables)[0], MOTIONS.rows(tables), INTEGERS.rows(tables)
    order, bodies = BODY_ORDER.rows(tables), MOTIONS.used(tables)
    idle = asleep = depth = 0
    for k in range(BODY_ORDER.used(tables)):
        body = order[k]
        motion = motions[body]
        marks[body] = STILL
        if not motion.flags & ENABLED:
            asleep += not motion.flags & FAULTY
        elif motion.inverse_mass == 0.0:
            if is_moving(motion):
                marks[body] = AWAKE
        elif (
            motion.flags & AUTO_DISABLE
            and FIRST_LINKS.rows(tables)[body] >= 0
            and _idle_for_long(tables, body, h)
            and not _is_driven(tables, body)
        ):
            marks[body] = IDLE
            idle += 1
        else:
            marks[body] = AWAKE
        if marks[body] == AWAKE:
            marks[bodies + depth] = body
            depth += 1
    world.sleep_rule = ISLANDS_SLEEP | (SOME_ASLEEP if asleep else 0)
    if idle or asleep:
        _keep_awake(tables, depth)
    for k in range(BODY_ORDER.used(tables) if idle else 0):
        if marks[order[k]] == IDLE:
            _put_to_sleep(tables, order[k])
            world.sleep_rule |= SOME_ASLEEP


@kernel
def _keep_awake(tables, depth):
    """Mark as awake, and wake, all bodies that links lead to from the `depth` bodies after the marks."""
    motions, marks, bodies = MOTIONS.rows(tables), INTEGERS.rows(tables), MOTIONS.used(tables)
    while depth > 0:
        depth -= 1
        body = marks[bodies + depth]
        at = FIRST_LINKS.rows(tables)[body]
        while at >= 0:
            link = LINKS.rows(tables)[at]
            other = link.body1 if link.body0 == body else link.body0
            at = link.next0 if link.body0 == body else link.next1
            if other == 0 or marks[other] == AWAKE or motions[other].inverse_mass == 0.0:
                continue
            if not motions[other].flags & ENABLED:
                if motions[other].flags & FAULTY:
                    continue
                wake_body(tables, other)
            marks[other] = AWAKE
            marks[bodies + depth] = other
            depth += 1


@kernel
def wake_body(tables, body):
    """Enable a body, and reset its idle time."""
    settings = BODY_SETTINGS.rows(tables)[body]
    MOTIONS.rows(tables)[body].flags |= ENABLED
    settings.steps_left = settings.idle_steps
    settings.time_left = settings.idle_time
    settings.sample_next = settings.samples_ready = 0


@kernel
def _put_to_sleep(tables, body):
    motion = MOTIONS.rows(tables)[body]
    motion.flags &= ~ENABLED
    set3(motion.linear_velocity, ZERO)
    set3(motion.angular_velocity, ZERO)


@kernel
def _idle_for_long(tables, body, h):
    """Take the velocity of an enabled body as a sample. Returns whether the body has been idle for long enough."""
    motion, settings = MOTIONS.rows(tables)[body], BODY_SETTINGS.rows(tables)[body]
    if settings.samples == 0:
        return False
    if settings.samples == 1:  # which is the velocity itself
        idle = _is_slow(settings, get3(motion.linear_velocity), get3(motion.angular_velocity))
    else:
        idle = _add_sample(tables, motion, settings)
    if idle:
        settings.steps_left -= 1
        settings.time_left -= h
    else:
        settings.steps_left = settings.idle_steps
        settings.time_left = settings.idle_time
    return settings.steps_left <= 0 and settings.time_left <= 0.0


@kernel
def _add_sample(tables, motion, settings):
    """Replace the oldest sample. Returns whether there are enough, and their mean is slow."""
    newest = SAMPLES.rows(tables)[settings.sample_start + settings.sample_next]
    set3(newest.linear_velocity, get3(motion.linear_velocity))
    set3(newest.angular_velocity, get3(motion.angular_velocity))
    settings.sample_next += 1
    if settings.sample_next >= settings.samples:
        settings.sample_next = 0
        settings.samples_ready = 1
    if not settings.samples_ready:
        return False
    linear = angular = ZERO
    for s in range(settings.sample_start, settings.sample_start + settings.samples):
        linear = add(linear, get3(SAMPLES.rows(tables)[s].linear_velocity))
        angular = add(angular, get3(SAMPLES.rows(tables)[s].angular_velocity))
    return _is_slow(settings, scale(1.0 / settings.samples, linear), scale(1.0 / settings.samples, angular))


@kernel
def _is_slow(settings, linear, angular):
    return (
        dot(linear, linear) <= settings.linear_threshold * settings.linear_threshold
        and dot(angular, angular) <= settings.angular_threshold * settings.angular_threshold
    )


@kernel
def _is_driven(tables, body):
    """Whether a motor or a moving surface aims at a velocity so low that it would pass as idle."""
    settings = BODY_SETTINGS.rows(tables)[body]
    most = max(settings.linear_threshold, settings.angular_threshold)
    at = FIRST_LINKS.rows(tables)[body]
    while at >= 0:
        link = LINKS.rows(tables)[at]
        if link.kind == JOINT:
            if _drives_slowly(JOINTS.rows(tables)[link.index], most):
                return True
        else:
            surface = CONTACTS.rows(tables)[link.index].surface
            if 0.0 < abs(first_motion(tables, surface)) <= most:
                return True
            if 0.0 < abs(second_motion(tables, surface)) <= most:
                return True
            if 0.0 < abs(normal_motion(tables, surface)) <= most:
                return True
        at = link.next0 if link.body0 == body else link.next1
    return False


@kernel
def _drives_slowly(joint, most):
    """Whether a motor or servo of the joint aims at a velocity that is not zero, but at most `most`."""
    if joint.kind == SERVO:
        numbers = joint.numbers
        return numbers[MAX_FORCE] > 0.0 and numbers[DAMPING] > 0.0 and 0.0 < abs(numbers[RATE]) <= most
    for k in range(3):
        limit = joint.limits[k]
        if limit.max_force > 0.0 and 0.0 < abs(limit.velocity) <= most:
            return True
    return False
