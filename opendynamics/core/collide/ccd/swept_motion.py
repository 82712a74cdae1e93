"""Swept motion of bodies in the completed step: from the poses at its collision stage to the current ones.

Translation and rotation are uniform: x(t) = x0 + t d, R(t) = exp(t s) R0, 0 <= t <= 1. Reads the geoms' poses at the start of the
step, which their records keep until the next one, and the bodies' poses. Writes sweeps, radii, and swept boxes of geoms.
"""

from __future__ import annotations

from math import atan2, floor, pi, sqrt

from opendynamics.core.algebra.mat3 import get9, product, product_transposed, times
from opendynamics.core.algebra.quat import from_spin, to_matrix
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, length, normalize, scale, set3, subtract
from opendynamics.core.arrays.bodies import CONTINUOUS, ENABLED, FINITE_AXIS, FINITE_ROTATION, MOTIONS, POSES
from opendynamics.core.arrays.geoms import GEOM, GEOM_ORDER, GEOMS, OFFSET
from opendynamics.core.arrays.islands import CONTACT, FIRST_LINKS, LINKS
from opendynamics.core.arrays.swept_motion import SWEEPS, SWEPT_GEOMS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.integrators import EULER, integrator_of
from opendynamics.core.bodies.shape import radius_of, shape_of
from opendynamics.core.bodies.shapes import contracts
from opendynamics.core.collide.bounds import call_bounds, place_geom
from opendynamics.core.collide.ccd.width import width_of_geom
from opendynamics.core.kernels import kernel

# A body is fast if one of its points may have moved by more than this fraction of its least width: a slower one is caught with
# its centre still in front of the surface.
FAST = 0.25

# Rotation in a step, rad, above which points deviate from the tangents along which a margin predicts them.
LARGE_ROTATION = 0.5

# Sine of a rotation angle that is taken as 0.
NO_TURN = 1.0e-12

geoms_at = array_of(GEOM, 1)


@kernel
def find_fast(tables, h):
    """Store the motion of continuous bodies; returns whether any is fast."""
    found = False
    for k in range(GEOM_ORDER.used(tables)):
        index = GEOM_ORDER.rows(tables)[k]
        if may_be_stopped(tables, GEOMS.rows(tables)[index].body, h):
            note_motion(tables, index, h)
            found |= is_fast(tables, index)
    return found


@kernel
def may_be_stopped(tables, body, h):
    """Whether a body is continuous, or, in a world with a speculative margin, had contacts or rotates fast.

    A margin predicts the motion of free bodies with little rotation well, but not always that of deflected bodies.
    """
    motion = MOTIONS.rows(tables)[body]
    if motion.inverse_mass == 0.0 or not motion.flags & ENABLED:
        return False
    if motion.flags & CONTINUOUS:
        return True
    if not WORLDS.rows(tables)[0].margin > 0.0:
        return False
    w = get3(motion.angular_velocity)
    link = FIRST_LINKS.rows(tables)[body]
    return h * h * dot(w, w) > LARGE_ROTATION * LARGE_ROTATION or (
        link >= 0 and LINKS.rows(tables)[link].kind == CONTACT
    )


@kernel
def is_fast(tables, index):
    """Whether a geom moved so far that it may have tunnelled through another."""
    geom = GEOMS.rows(tables)[index]
    sweep = SWEEPS.rows(tables)[geom.body]
    moved = length(get3(sweep.travel)) + sweep.angle * SWEPT_GEOMS.rows(tables)[index].radius
    return moved > FAST * width_of_geom(geom)


@kernel
def sweep_bounds(tables, h, scratch):
    """Store all motions, the fast bodies, and the swept boxes of geoms."""
    for body in range(MOTIONS.used(tables)):
        sweep = SWEEPS.rows(tables)[body]
        sweep.fast, sweep.fraction = 0, 1.0
        set3(sweep.travel, (0.0, 0.0, 0.0))
        set3(sweep.nudge, (0.0, 0.0, 0.0))
    for k in range(GEOM_ORDER.used(tables)):
        index = GEOM_ORDER.rows(tables)[k]
        body = GEOMS.rows(tables)[index].body
        if body != 0:
            note_motion(tables, index, h)
            if may_be_stopped(tables, body, h) and is_fast(tables, index):
                SWEEPS.rows(tables)[body].fast = 1
            _widen(tables, index, scratch)


@kernel
def note_motion(tables, index, h):
    """Store the motion of a geom's body in this step, and the geom's radius about it; reset its box to the start of the step."""
    geom = GEOMS.rows(tables)[index]
    pose, sweep = POSES.rows(tables)[geom.body], SWEEPS.rows(tables)[geom.body]
    place, r = get3(geom.position), get9(geom.rotation)
    if geom.flags & OFFSET:
        r = product_transposed(r, get9(geom.offset_rotation))
        place = subtract(place, times(r, get3(geom.offset_position)))
    set3(sweep.position, place)
    set3(sweep.travel, subtract(get3(pose.position), place))
    axis, angle = _turn_between(r, get9(pose.rotation))
    motion = MOTIONS.rows(tables)[geom.body]
    finite = motion.flags & FINITE_ROTATION and not motion.flags & FINITE_AXIS
    if (finite or integrator_of(tables, geom.body) != EULER) and angle > 0.0:
        # The turn was exact: it may have been more than half a turn, and is known but for whole ones.
        angle += 2.0 * pi * floor((h * dot(get3(motion.angular_velocity), axis) - angle) / (2.0 * pi) + 0.5)
    set3(sweep.spin, scale(angle, axis))
    sweep.angle = abs(angle)
    call_bounds(contracts()[geom.kind].bounds, GEOMS.address(tables, index))
    SWEPT_GEOMS.rows(tables)[index].radius = radius_about(geom, place)


@kernel
def radius_about(geom, place):
    """Radius of a ball about a point that contains a geom's core, from its box."""
    radius, square = radius_of(shape_of(geom)), 0.0
    for axis in range(3):
        low, high = geom.bounds[2 * axis] + radius, geom.bounds[2 * axis + 1] - radius
        farthest = max(abs(low - place[axis]), abs(high - place[axis]))
        square += farthest * farthest
    return sqrt(square)


@kernel
def _turn_between(before, after):
    """Axis and angle, at most pi, of the rotation from one orientation to another."""
    d = product_transposed(after, before)
    s = 0.5 * (d[7] - d[5]), 0.5 * (d[2] - d[6]), 0.5 * (d[3] - d[1])
    sine, cosine = length(s), 0.5 * (d[0] + d[4] + d[8] - 1.0)
    if sine > NO_TURN:
        return scale(1.0 / sine, s), atan2(sine, cosine)
    if cosine > 0.0:
        return (0.0, 0.0, 0.0), 0.0
    # Half a turn about a: d = 2 a aᵀ - 1.
    a = (d[0] + 1.0, d[3], d[6])
    if d[4] > d[0] and d[4] >= d[8]:
        a = (d[1], d[4] + 1.0, d[7])
    elif d[8] > d[0]:
        a = (d[2], d[5], d[8] + 1.0)
    return normalize(a), pi


@kernel
def _widen(tables, index, scratch):
    """Enlarge a geom's box to its swept box.

    A point's path deviates from its chord by at most r (1 - cos(angle/2)) < r angle²/8, and at most 2 r.
    """
    geom, copy = GEOMS.rows(tables)[index], geoms_at(scratch)
    copy[0] = geom
    place_geom(copy[0], POSES.rows(tables)[geom.body])
    call_bounds(contracts()[geom.kind].bounds, scratch)
    angle, radius = SWEEPS.rows(tables)[geom.body].angle, SWEPT_GEOMS.rows(tables)[index].radius
    bulge = radius * min(0.125 * angle * angle, 2.0) if angle > 0.0 else 0.0
    for axis in range(0, 6, 2):
        geom.bounds[axis] = min(geom.bounds[axis], copy[0].bounds[axis]) - bulge
        geom.bounds[axis + 1] = max(geom.bounds[axis + 1], copy[0].bounds[axis + 1]) + bulge


@kernel
def place_at(tables, index, t):
    """Pose of a geom after the fraction t of the step, or where its body was stopped before."""
    geom = GEOMS.rows(tables)[index]
    place, r = get3(geom.position), get9(geom.rotation)
    if geom.body == 0:
        return place, r
    sweep = SWEEPS.rows(tables)[geom.body]
    fraction = min(t, sweep.fraction)
    start = get3(sweep.position)
    if sweep.angle > 0.0:
        turn = to_matrix(from_spin(get3(sweep.spin), fraction))
        place, r = add(start, times(turn, subtract(place, start))), product(turn, r)
    return add(add_scaled(place, fraction, get3(sweep.travel)), get3(sweep.nudge)), r


@kernel
def pace_of(tables, index):
    """Translation, and upper bound of any point's motion by rotation, of a geom that has not been stopped."""
    body = GEOMS.rows(tables)[index].body
    if body == 0 or SWEEPS.rows(tables)[body].fraction < 1.0:
        return (0.0, 0.0, 0.0), 0.0
    sweep = SWEEPS.rows(tables)[body]
    turning = sweep.angle * SWEPT_GEOMS.rows(tables)[index].radius if sweep.angle > 0.0 else 0.0
    return get3(sweep.travel), turning
