"""Whether an island is nearly at rest, and its cached forces nearly right, so that `direct` may solve it.

Both are tested in every step, before anything is prepared for iterations or for a factorisation: the test takes a few
nanoseconds per row, and for moving islands mostly just the first rows.
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import dot, get3
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.report import FLOATS, REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.prepared import inverse_mass_of, projected, response

# Steps of free fall up to whose speed an island is nearly at rest.
NEAR_REST = 10.0


@kernel
def is_near_rest(tables, island):
    """Whether the island's kinetic energy is below that of a few steps of free fall."""
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
    return energy < mass * NEAR_REST * NEAR_REST * dot(gravity, gravity) * h * h


@kernel
def has_residual_below(tables, island, near):
    """Whether no force in FORCES would jump by more than the part `near` of the largest, if each was improved by itself.

    In the floats: accelerations by these forces, six numbers a body.
    """
    forces, largest = FORCES.rows(tables), _accelerate(tables, island)
    motion = piece(FLOATS.rows(tables), 0, 6 * island.bodies)
    for r in range(island.first_row, island.first_row + island.rows):
        row = ROWS.rows(tables)[r]
        own, rest = row.cfm, row.rhs - row.cfm * forces[r]
        for side in range(2):
            slot, j = (row.slot0, row.j0) if side == 0 else (row.slot1, row.j1)
            if slot >= 0:
                body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
                linear, angular = response(inverse_mass_of(tables, body), j)
                own += projected(j, linear, angular)
                for k in range(6):
                    rest -= j[k] * motion[6 * slot + k]
        lo, hi = row.lo, row.hi
        if row.normal >= 0:
            normal = forces[island.first_row + row.normal]
            hi = hi * normal if normal > 0.0 else 0.0
            lo = -hi
        jump = min(max(forces[r] + rest / own, lo), hi) - forces[r] if own > 0.0 else 0.0
        if not abs(jump) <= near * largest:
            return False
    return True


@kernel
def _accelerate(tables, island):
    """M⁻¹ Jᵀ λ of each body to the floats; returns the largest force."""
    floats, largest = FLOATS.rows(tables), 0.0
    for k in range(6 * island.bodies):
        floats[k] = 0.0
    for r in range(island.first_row, island.first_row + island.rows):
        row, force = ROWS.rows(tables)[r], FORCES.rows(tables)[r]
        largest = max(largest, abs(force))
        for k in range(6):
            if row.slot0 >= 0:
                floats[6 * row.slot0 + k] += row.j0[k] * force
            if row.slot1 >= 0:
                floats[6 * row.slot1 + k] += row.j1[k] * force
    for slot in range(island.bodies):
        own = piece(floats, 6 * slot, 6)
        linear, angular = response(inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[island.first_body + slot]), own)
        for k in range(3):
            own[k], own[3 + k] = linear[k], angular[k]
    return largest
