"""Stage: damping. Velocities above their threshold lose a fraction in every step, after the bodies have moved."""

from __future__ import annotations

from opendynamics.core.algebra.vec3 import dot, get3, scale, set3
from opendynamics.core.arrays.bodies import BODY_SETTINGS, DAMPED, ENABLED, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.kernels import kernel


@kernel
def damp_bodies(tables):
    """Damp the velocities of all bodies that take part in the step and have damping."""
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        for b in range(island.first_body, island.first_body + island.bodies):
            body = ISLAND_BODIES.rows(tables)[b]
            motion = MOTIONS.rows(tables)[body]
            if motion.flags & DAMPED and motion.flags & ENABLED:
                settings = BODY_SETTINGS.rows(tables)[body]
                _damp(motion.linear_velocity, settings.linear_damping, settings.linear_damping_threshold)
                _damp(motion.angular_velocity, settings.angular_damping, settings.angular_damping_threshold)


@kernel
def _damp(velocity, factor, threshold):
    """Reduce a velocity above `threshold` by the fraction `factor`."""
    if factor != 0.0:
        v = get3(velocity)
        if dot(v, v) > threshold * threshold:
            set3(velocity, scale(1.0 - factor, v))
