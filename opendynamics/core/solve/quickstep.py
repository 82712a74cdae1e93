"""Successive over-relaxation, row by row: ODE's QuickStep, in ODE's order of rows.

Each sweep improves one force after another (projected Gauss-Seidel with over-relaxation w). With a_r = J_r M⁻¹ J_rᵀ +
cfm and the bodies' accelerations q = M⁻¹ Jᵀλ kept up to date,

    λ_r <- clamp(λ_r + w / a_r (rhs_r - J_r q - cfm λ_r)),

where a friction row's bounds follow the present force of its normal row. Rows that depend on none come first; every
SHUFFLE_PERIOD sweeps all rows are shuffled, by ODE's generator (a 32-bit linear congruence), whose state belongs to the
world.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE

SHUFFLE_PERIOD = 8

# A row's scratch: M⁻¹ J0ᵀ and M⁻¹ J1ᵀ, and w / a.
WIDTH = 13


@entry(SOLVE)
def solve(tables, index):
    island = ISLANDS.rows(tables)[index]
    n = island.rows
    if not (FLOATS.has_room(tables, 6 * island.bodies + WIDTH * n) and INTEGERS.has_room(tables, n)):
        return 0
    world = WORLDS.rows(tables)[MOTIONS.rows(tables)[ISLAND_BODIES.rows(tables)[island.first_body]].world]
    prepare(tables, island, world.quickstep_relaxation)
    order_rows(tables, island)
    for sweep in range(world.quickstep_iterations):
        if sweep >= SHUFFLE_PERIOD and sweep % SHUFFLE_PERIOD == 0:
            _shuffle(INTEGERS.rows(tables), n, world)
        for k in range(n):
            relax(tables, island, INTEGERS.rows(tables)[k])
    island.iterations = world.quickstep_iterations
    return 1


@kernel
def prepare(tables, island, relaxation):
    """Forces and accelerations zero; each row's M⁻¹ Jᵀ and step."""
    floats = FLOATS.rows(tables)
    for k in range(6 * island.bodies):
        floats[k] = 0.0
    at = 6 * island.bodies
    for r in range(island.first_row, island.first_row + island.rows):
        row = ROWS.rows(tables)[r]
        diagonal = row.cfm
        if row.slot0 >= 0:
            diagonal += _spread(tables, island, row.slot0, row.j0, floats, at)
        if row.slot1 >= 0:
            diagonal += _spread(tables, island, row.slot1, row.j1, floats, at + 6)
        floats[at + 12] = relaxation / diagonal if diagonal > 0.0 else 0.0
        FORCES.rows(tables)[r] = 0.0
        at += WIDTH


@kernel
def _spread(tables, island, slot, j, floats, at):
    """M⁻¹ Jᵀ of one body, written from `at` on; returns J M⁻¹ Jᵀ."""
    body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
    inverse_mass = MOTIONS.rows(tables)[body].inverse_mass
    inverse = INERTIAS.rows(tables)[body].world_inverse
    total = 0.0
    for k in range(3):
        floats[at + k] = inverse_mass * j[k]
        floats[at + 3 + k] = inverse[3 * k] * j[3] + inverse[3 * k + 1] * j[4] + inverse[3 * k + 2] * j[5]
        total += j[k] * floats[at + k] + j[3 + k] * floats[at + 3 + k]
    return total


@kernel
def order_rows(tables, island):
    """Rows that depend on no other first; friction after them."""
    order = INTEGERS.rows(tables)
    count = 0
    for depends in range(2):
        for r in range(island.rows):
            if (ROWS.rows(tables)[island.first_row + r].normal >= 0) == (depends == 1):
                order[count] = r
                count += 1


@kernel
def _shuffle(order, n, world):
    for k in range(1, n):
        other = _random_below(world, k + 1)
        order[k], order[other] = order[other], order[k]


@kernel
def _random_below(world, n):
    """ODE's dRandInt: the state's high bits folded down, then scaled to [0, n)."""
    state = (world.random_state * 1664525 + 1013904223) & 0xFFFFFFFF
    world.random_state = state
    if n > 0x10000:
        return (state * n) >> 32
    state ^= state >> 16
    if n > 0x100:
        return ((state & 0xFFFF) * n) >> 16
    state ^= state >> 8
    if n > 0x10:
        return ((state & 0xFF) * n) >> 8
    state ^= state >> 4
    if n > 4:
        return ((state & 0xF) * n) >> 4
    state ^= state >> 2
    if n > 2:
        return ((state & 3) * n) >> 2
    state ^= state >> 1
    return state & (n >> 1)


@kernel
def relax(tables, island, r):
    """Improve the force of row `r` of the island."""
    row = ROWS.rows(tables)[island.first_row + r]
    forces, floats = FORCES.rows(tables), FLOATS.rows(tables)
    own = 6 * island.bodies + WIDTH * r
    old = forces[island.first_row + r]
    error = row.rhs - row.cfm * old
    if row.slot0 >= 0:
        for k in range(6):
            error -= row.j0[k] * floats[6 * row.slot0 + k]
    if row.slot1 >= 0:
        for k in range(6):
            error -= row.j1[k] * floats[6 * row.slot1 + k]
    lo, hi = row.lo, row.hi
    if row.normal >= 0:
        normal = forces[island.first_row + row.normal]
        hi = abs(hi * normal) if normal != 0.0 else 0.0
        lo = -hi
    new = min(max(old + floats[own + 12] * error, lo), hi)
    change = new - old
    forces[island.first_row + r] = new
    if row.slot0 >= 0:
        for k in range(6):
            floats[6 * row.slot0 + k] += change * floats[own + k]
    if row.slot1 >= 0:
        for k in range(6):
            floats[6 * row.slot1 + k] += change * floats[own + 6 + k]
