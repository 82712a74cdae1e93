"""Stage: fast continuous bodies are stopped where they first meet something, after all bodies have moved.

Pairs whose swept boxes overlap are tested; the earliest impact stops its fast bodies there, their other impacts are dropped,
bodies that may hit them in their new position are tested again, and so on. A stopped body stays there for the rest of the
step, with its velocity: the next step finds its contacts, and bounces it. Gravity's work for the rest of the step is removed,
so that energy does not grow: from a body without constraints the velocity that gravity gave it meanwhile; from others the
energy, of translation and rotation alike, and from the other bodies of its island what it has passed on to them: what they
have as velocity, then what they have risen by.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.quat import from_spin
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, negate, scale, set3, subtract
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES, WEIGHTLESS
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.islands import CONTACT, FIRST_LINKS, ISLAND_BODIES, ISLANDS, LINKS
from opendynamics.core.arrays.report import CHOICES, FLOATS, REPORTS
from opendynamics.core.arrays.swept_motion import IMPACTS, SWEEPS, SWEPT_GEOMS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shapes import CONVEX, OBSTACLE, has_trait
from opendynamics.core.collide.broadphase import FIND_PAIRS
from opendynamics.core.collide.ccd.swept_motion import LARGE_ROTATION, find_fast, sweep_bounds
from opendynamics.core.collide.ccd.time_of_impact import impact_of
from opendynamics.core.collide.contacts import connected
from opendynamics.core.kernels import caller, entry, kernel
from opendynamics.core.update.correction import turn_pose
from opendynamics.core.update.sweeps import SWEEP

call_find_pairs = caller(FIND_PAIRS)

# Fraction of the step within which a body is stopped that was not kept out by its contacts.
AT_ONCE = 0.05


@entry(SWEEP)
def sweep_bodies(tables, h):
    """Returns 0 if there was no memory; then nothing has changed except recomputed data."""
    report = REPORTS.rows(tables)[0]
    report.stopped = 0
    has_room = SWEEPS.has_room(tables, MOTIONS.used(tables)) and SWEPT_GEOMS.has_room(tables, GEOMS.used(tables))
    if not (has_room and FLOATS.has_room(tables, SCRATCH)):
        return 0
    if not find_fast(tables, h):
        return 1
    sweep_bounds(tables, h, FLOATS.address(tables, 0))
    if not call_find_pairs(CHOICES.rows(tables)[0].find_pairs, tables):
        return 0
    if not (FLOATS.has_room(tables, SCRATCH) and IMPACTS.has_room(tables, PAIRS.used(tables))):
        return 0
    count = _list_impacts(tables, FLOATS.address(tables, 0))
    _stop_in_order(tables, count, FLOATS.address(tables, 0))
    missing = False
    for body in range(1, MOTIONS.used(tables)):
        sweep = SWEEPS.rows(tables)[body]
        sweep.missing = 0.0
        if sweep.fraction < 1.0:
            sweep.missing = _leave_there(tables, body, h)
            missing |= sweep.missing > 0.0
            report.stopped += 1
    if missing:
        _take_from_islands(tables)
    return 1


@kernel
def _list_impacts(tables, scratch):
    """Every pair that may meet and of which a fast body is one, and when; returns their number."""
    count = 0
    for k in range(PAIRS.used(tables)):
        a, b = PAIRS.rows(tables)[k].a, PAIRS.rows(tables)[k].b
        one, other = GEOMS.rows(tables)[a], GEOMS.rows(tables)[b]
        if not (SWEEPS.rows(tables)[one.body].fast or SWEEPS.rows(tables)[other.body].fast):
            continue
        if WORLDS.rows(tables)[0].collide_connected == 0 and connected(tables, one.body, other.body):
            continue
        if not has_trait(one.kind, CONVEX):
            a, b = b, a
        if has_trait(GEOMS.rows(tables)[a].kind, CONVEX) and has_trait(GEOMS.rows(tables)[b].kind, OBSTACLE):
            impact = IMPACTS.rows(tables)[count]
            impact.a, impact.b = a, b
            _find_impact(tables, impact, 0.0, scratch)
            count += 1
    return count


@kernel
def _find_impact(tables, impact, start, scratch):
    impact.time, normal, impact.nudge = impact_of(tables, impact.a, impact.b, start, scratch)
    set3(impact.normal, normal)


@kernel
def _stop_in_order(tables, count, scratch):
    """Stop bodies at their impacts, the earliest first; of two at the same time, that of the pair that comes first."""
    impacts, sweeps = IMPACTS.rows(tables), SWEEPS.rows(tables)
    while True:
        first, earliest = -1, inf
        for k in range(count):
            if impacts[k].time < earliest:
                first, earliest = k, impacts[k].time
        if first < 0:
            return
        one = GEOMS.rows(tables)[impacts[first].a].body
        other = GEOMS.rows(tables)[impacts[first].b].body
        towards = scale(impacts[first].nudge, get3(impacts[first].normal))
        if not _stop(sweeps[one], earliest, towards):
            _stop(sweeps[other], earliest, scale(-1.0, towards))
        elif sweeps[other].fast:
            _stop(sweeps[other], earliest, (0.0, 0.0, 0.0))
        if earliest < AT_ONCE:
            normal = get3(impacts[first].normal)
            _take_approach(tables, one, other, normal)
            _take_approach(tables, other, one, negate(normal))
        impacts[first].time = inf
        for k in range(count):
            a, b = impacts[k].a, impacts[k].b
            x, y = GEOMS.rows(tables)[a].body, GEOMS.rows(tables)[b].body
            if x == one or x == other or y == one or y == other:
                impacts[k].time = inf
                if _can_still_stop(tables, a, b):
                    _find_impact(tables, impacts[k], earliest, scratch)


@kernel
def _stop(sweep, time, nudge):
    """Stop a fast body that has not been stopped; returns whether it was one."""
    if not sweep.fast or sweep.fraction < 1.0:
        return False
    sweep.fraction = time
    set3(sweep.nudge, nudge)
    return True


@kernel
def _take_approach(tables, body, obstacle, n):
    """Take the velocity along `n`, towards an immovable obstacle, from a body whose contacts do not keep it out.

    The row of a contact is linear in the step. Where a body rotates by radians, the point that touches moves away at once, and
    the row lets the centre approach; stopped again and again, a box was pressed through the wall of a room within ten steps.
    """
    motion, link = MOTIONS.rows(tables)[body], FIRST_LINKS.rows(tables)[body]
    if SWEEPS.rows(tables)[body].angle < LARGE_ROTATION or MOTIONS.rows(tables)[obstacle].inverse_mass > 0.0:
        return
    v = get3(motion.linear_velocity)
    approach = dot(n, subtract(v, get3(MOTIONS.rows(tables)[obstacle].linear_velocity)))
    if approach > 0.0 and link >= 0 and LINKS.rows(tables)[link].kind == CONTACT:
        set3(motion.linear_velocity, add_scaled(v, -approach, n))


@kernel
def _can_still_stop(tables, a, b):
    x, y = SWEEPS.rows(tables)[GEOMS.rows(tables)[a].body], SWEEPS.rows(tables)[GEOMS.rows(tables)[b].body]
    return (x.fast and x.fraction == 1.0) or (y.fast and y.fraction == 1.0)


@kernel
def _leave_there(tables, body, h):
    """Put a stopped body where it met something. Returns the energy that is to be removed and that it does not have, J."""
    sweep, motion, pose = SWEEPS.rows(tables)[body], MOTIONS.rows(tables)[body], POSES.rows(tables)[body]
    end, place = get3(pose.position), add_scaled(get3(sweep.position), sweep.fraction, get3(sweep.travel))
    place = add(place, get3(sweep.nudge))
    set3(pose.position, place)
    if sweep.angle > 0.0:
        turn_pose(tables, body, from_spin(get3(sweep.spin), sweep.fraction - 1.0))
    if motion.flags & WEIGHTLESS or motion.inverse_mass == 0.0:
        return 0.0
    g = get3(WORLDS.rows(tables)[motion.world].gravity)
    if FIRST_LINKS.rows(tables)[body] < 0:
        set3(motion.linear_velocity, add_scaled(get3(motion.linear_velocity), (sweep.fraction - 1.0) * h, g))
        return 0.0
    energy, kinetic = INERTIAS.rows(tables)[body].mass * dot(g, subtract(end, place)), _kinetic_energy(tables, body)
    if energy > 0.0:
        _slow_down(tables, body, sqrt(1.0 - energy / kinetic) if energy < kinetic else 0.0)
    return max(energy - kinetic, 0.0)


@kernel
def _take_from_islands(tables):
    """Remove the energy that stopped bodies do not have from the other bodies of their islands."""
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        missing = kinetic = 0.0
        for b in range(island.first_body, island.first_body + island.bodies):
            body = ISLAND_BODIES.rows(tables)[b]
            missing += SWEEPS.rows(tables)[body].missing
            kinetic += _kinetic_energy(tables, body)
        if missing > 0.0:
            kept = sqrt(1.0 - missing / kinetic) if missing < kinetic else 0.0
            for b in range(island.first_body, island.first_body + island.bodies):
                _slow_down(tables, ISLAND_BODIES.rows(tables)[b], kept)
            if missing > kinetic:
                _take_back_rise(tables, island, missing - kinetic)


@kernel
def _take_back_rise(tables, island, missing):
    """Move bodies of an island that have risen in this step back along their way, until their weights have done this work, J."""
    risen = 0.0
    for b in range(island.first_body, island.first_body + island.bodies):
        risen += max(_work_to_rise(tables, ISLAND_BODIES.rows(tables)[b]), 0.0)
    for b in range(island.first_body, island.first_body + island.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        if _work_to_rise(tables, body) > 0.0:
            pose, sweep = POSES.rows(tables)[body], SWEEPS.rows(tables)[body]
            back = min(missing / risen, 1.0) * sweep.fraction
            set3(pose.position, add_scaled(get3(pose.position), -back, get3(sweep.travel)))


@kernel
def _work_to_rise(tables, body):
    """Work of a body's motion in this step against its weight, J."""
    motion, sweep = MOTIONS.rows(tables)[body], SWEEPS.rows(tables)[body]
    if motion.flags & WEIGHTLESS or motion.inverse_mass == 0.0:
        return 0.0
    g = get3(WORLDS.rows(tables)[motion.world].gravity)
    return -INERTIAS.rows(tables)[body].mass * sweep.fraction * dot(g, get3(sweep.travel))


@kernel
def _kinetic_energy(tables, body):
    """Of translation and rotation, J; 0 if it is kinematic."""
    motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body]
    if motion.inverse_mass == 0.0:
        return 0.0
    v = get3(motion.linear_velocity)
    spin = transposed_times(get9(POSES.rows(tables)[body].rotation), get3(motion.angular_velocity))
    return 0.5 * (inertia.mass * dot(v, v) + dot(spin, times(get9(inertia.inertia), spin)))


@kernel
def _slow_down(tables, body, kept):
    """Scale a body's velocities, unless it is kinematic."""
    motion = MOTIONS.rows(tables)[body]
    if motion.inverse_mass > 0.0:
        set3(motion.linear_velocity, scale(kept, get3(motion.linear_velocity)))
        set3(motion.angular_velocity, scale(kept, get3(motion.angular_velocity)))
