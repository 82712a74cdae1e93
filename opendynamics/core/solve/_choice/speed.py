"""How fast an island moves, by its kinetic energy."""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel


@kernel
def is_slow(tables, island, steps):
    """Whether the island's kinetic energy is below that of some steps of free fall."""
    energy, mass = 0.0, 0.0
    for b in range(island.first_body, island.first_body + island.bodies):
        body = ISLAND_BODIES.rows(tables)[b]
        motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body]
        if motion.inverse_mass > 0.0:
            v, w = get3(motion.linear_velocity), get3(motion.angular_velocity)
            local = transposed_times(get9(POSES.rows(tables)[body].rotation), w)
            energy += inertia.mass * dot(v, v)
            for k in range(3):
                energy += inertia.inertia[4 * k] * local[k] * local[k]
            mass += inertia.mass
    gravity, h = get3(WORLDS.rows(tables)[0].gravity), REPORTS.rows(tables)[0].h
    return energy < mass * steps * steps * dot(gravity, gravity) * h * h
