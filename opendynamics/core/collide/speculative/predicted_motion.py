"""Predicted motion of bodies in a step, without constraints.

v' = v + h (f/m + g), then x + h v' and a rotation by h w, as in `move_bodies`. Writes sweeps.
"""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3, length, scale, set3, subtract
from opendynamics.core.arrays.bodies import ENABLED, LOADS, MOTIONS, POSES, WEIGHTLESS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.swept_motion import SWEEPS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel


@kernel
def expect_motions(tables, h):
    """Store the pose and the predicted motion of every body."""
    for body in range(MOTIONS.used(tables)):
        motion, sweep = MOTIONS.rows(tables)[body], SWEEPS.rows(tables)[body]
        set3(sweep.position, get3(POSES.rows(tables)[body].position))
        set3(sweep.nudge, (0.0, 0.0, 0.0))
        sweep.fraction, sweep.fast = 1.0, 1
        travel = spin = (0.0, 0.0, 0.0)
        if motion.flags & ENABLED:
            travel = scale(h, add_scaled(get3(motion.linear_velocity), h, _pull(tables, body)))
            spin = scale(h, get3(motion.angular_velocity))
        expect_motion(tables, body, (travel, spin))


@kernel
def expected_motion(tables, body):
    """Translation, m, and rotation, rad, of a body in the step."""
    sweep = SWEEPS.rows(tables)[body]
    return get3(sweep.travel), get3(sweep.spin)


@kernel
def expect_motion(tables, body, motion):
    sweep = SWEEPS.rows(tables)[body]
    set3(sweep.travel, motion[0])
    set3(sweep.spin, motion[1])
    sweep.angle = length(motion[1])


@kernel
def _pull(tables, body):
    """Acceleration by gravity and user forces."""
    motion = MOTIONS.rows(tables)[body]
    if motion.inverse_mass == 0.0:
        return 0.0, 0.0, 0.0
    pull = scale(motion.inverse_mass, get3(LOADS.rows(tables)[body].force))
    if not motion.flags & WEIGHTLESS:
        pull = add(pull, get3(WORLDS.rows(tables)[motion.world].gravity))
    return pull


@kernel
def headway(tables, body, point, n, h):
    """Displacement of a body's point along `n` in the step: (predicted, by its current velocity, by gravity and forces alone).

    Rotation moves it along the tangent, as in a contact's row.
    """
    if body == 0:
        return 0.0, 0.0, 0.0
    motion, sweep = MOTIONS.rows(tables)[body], SWEEPS.rows(tables)[body]
    if not motion.flags & ENABLED:
        return 0.0, 0.0, 0.0
    turning = dot(n, cross(get3(sweep.spin), subtract(point, get3(sweep.position))))
    present = h * dot(n, get3(motion.linear_velocity)) + turning
    return dot(n, get3(sweep.travel)) + turning, present, h * h * dot(n, _pull(tables, body))


@kernel
def is_asleep(tables, geom):
    """Whether a geom's body is movable, but asleep."""
    motion = MOTIONS.rows(tables)[GEOMS.rows(tables)[geom].body]
    return motion.inverse_mass > 0.0 and not motion.flags & ENABLED
