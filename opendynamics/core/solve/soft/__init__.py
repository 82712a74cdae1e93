"""The soft step: sub-steps with soft contacts and relaxation, for games and large piles.

    v <- v + h' M⁻¹ external forces;  apply the impulses of the last sub-step      (warm starting)
    one Gauss-Seidel iteration with bias velocities, which correct penetration and joint errors
    x <- x + h' v
    one iteration without bias, which removes the velocities that the bias added   (relaxation)

for each sub-step h', then restitution, once. Small steps converge faster than iterations (M. Macklin and others, Small steps in
physics simulation, 2019); soft contacts and relaxation: E. Catto, Solver2D, 2024. Contacts keep their points and Jacobians within
the step; joint rows are recomputed in every sub-step, without their Jacobians while bodies hardly turn.

Restitution and position correction are part of this solver: contact rows are filled in only where contacts are solved one by one,
and `impacts` skips its islands. Forces are means over the step. The residual is the largest change in the last iteration,
relative to the largest impulse.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.arrays.team.jobs import MAX_MEMBERS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.assemble import has_room_for_rows
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.islands import SMALL_ISLANDS
from opendynamics.core.solve.load_paths import carry_loads, is_new, room_for_loads
from opendynamics.core.solve.reactions import VELOCITIES_GIVEN
from opendynamics.core.solve.soft.bodies import (
    begin_masses,
    creates_energy,
    place_bodies,
    restore_bodies,
    save_bodies,
)
from opendynamics.core.solve.soft.iterations import (
    MAX_SPEED,
    apply_impulses,
    iterate,
    sum_impulses,
    write_forces,
)
from opendynamics.core.solve.soft.links import is_worth_colouring, list_left_over, list_links
from opendynamics.core.solve.soft.parameters import (
    DEFAULTS,
    ITERATIONS_PER_SUBSTEP,
    PARAMETERS,
    STACKED,
    layers_of,
    substeps_of,
)
from opendynamics.core.solve.soft.plan.colours import colour
from opendynamics.core.solve.soft.plan.layout import (
    AXES,
    BALLS,
    BODY,
    BOUNCES,
    CONTACTS,
    ELAPSED,
    GUESSED,
    INVERSE_STEP,
    ITEMS,
    JOINTS_HERE,
    KINDS,
    LINKS_HERE,
    MAX_BIAS,
    REQUIRED,
    SUBSTEP_CFM,
    WIDTH,
    floats_needed,
    integers_needed,
    lanes_of,
)
from opendynamics.core.solve.soft.restitution import limit_work, restore_bounces
from opendynamics.core.solve.soft.rows import begin_rows, fill_joints, restore_joints
from opendynamics.core.solve.soft.sharing import (
    ACCELERATE,
    APPLY,
    BEGIN,
    BIASED,
    DISPLACE,
    FINISH,
    RELAX,
    REPEAT,
    fill_lanes,
    job,
    share_bodies,
    share_colours,
    share_joints,
    share_links,
    write_lanes,
)
from opendynamics.core.solve.soft.together import solve_together
from opendynamics.core.solve.warm_starting import cache_forces, has_room_in_cache

__all__ = [
    "DEFAULTS",
    "PARAMETERS",
    "SOLVES_IMPACTS",
    "TOGETHER",
    "VERLET_SOLVER",
    "job",
    "cache_forces",
    "solve",
    "solve_together",
]

SOLVES_IMPACTS = True
TOGETHER = SMALL_ISLANDS
VERLET_SOLVER = "pgs"


@entry(SOLVE)
def solve(tables, index):
    """Take an island's sub-steps. 1: done, 0: out of memory."""
    island, report = ISLANDS.rows(tables)[index], REPORTS.rows(tables)[0]
    guessed, batch = False, island.batch != 0
    if not batch and is_new(tables, island) and layers_of(tables, island)[0] > STACKED:
        if not room_for_loads(tables, island):
            return 0
        guessed = carry_loads(tables, island)
    if not arrange(tables, island, index):
        return 0
    INTEGERS.rows(tables)[GUESSED] = guessed
    report.cache_forces, island.faulty = 1, 0
    h, substeps, required = report.h, island.iterations // ITERATIONS_PER_SUBSTEP, 0
    if not batch:
        substeps, required = substeps_of(tables, island)
    INTEGERS.rows(tables)[REQUIRED] = required
    island.iterations = ITERATIONS_PER_SUBSTEP * substeps
    share_bodies(tables, island, index, BEGIN)
    begin_rows(tables, island, h, substeps)
    fill_lanes(tables, island, index)
    joints, step = INTEGERS.rows(tables)[JOINTS_HERE] > 0, h / substeps
    if joints:
        save_bodies(tables, island)
    change = largest = 0.0
    for k in range(substeps):
        begin_substep(tables, island, index, h, substeps, k)
        iterate_all(tables, island, index, step, k * step, True)
        share_bodies(tables, island, index, DISPLACE)
        change, largest = iterate_all(tables, island, index, step, (k + 1) * step, False)
        sum_impulses(tables, island)
    if joints:
        restore_bodies(tables, island)
        restore_joints(tables, island)
    if INTEGERS.rows(tables)[BOUNCES] > 0:
        restore_bounces(tables, island)
    share_bodies(tables, island, index, FINISH)
    if not island.faulty and not joints and not _has_joints_in_lanes(tables) and creates_energy(tables, island, h):
        limit_work(tables, island, substeps)
        share_bodies(tables, island, index, FINISH)
    island.corrected = VELOCITIES_GIVEN
    write_forces(tables, island, h)
    write_lanes(tables, index)
    island.residual = change / largest if largest > 0.0 else 0.0
    return 1


@kernel
def arrange(tables, island, number):
    """Choose the constraints that are solved in lanes, and colour them. False: out of memory."""
    if not (
        INTEGERS.has_room(tables, integers_needed(tables, island))
        and FLOATS.has_room(tables, BODY * (island.bodies + 1))
    ):
        return False
    begin_masses(tables, island)
    share_links(tables, island, number)
    list_links(tables, island)
    coloured = is_worth_colouring(tables, island)
    for kind in range(KINDS if coloured else 0):
        colour(tables, island, FLOATS.rows(tables), kind)
    list_left_over(tables, island, not coloured)
    if INTEGERS.rows(tables)[LINKS_HERE] > 0 and not has_room_for_rows(tables, island):
        return False
    if INTEGERS.rows(tables)[JOINTS_HERE] > 0 and not ROWS.has_room(tables, 2 * REPORTS.rows(tables)[0].rows):
        return False
    return FLOATS.has_room(tables, floats_needed(tables, island)) and has_room_in_cache(tables)


@kernel
def begin_substep(tables, island, number, h, substeps, k):
    """Recompute joints at the current poses, integrate external forces, and apply the warm start impulses."""
    plan = INTEGERS.rows(tables)
    joints, in_lanes = plan[JOINTS_HERE] > 0, _has_joints_in_lanes(tables)
    if k > 0 and joints:
        place_bodies(tables, island)
    if joints:
        fill_joints(tables, island, h, substeps, k == 0)
    if k == 0 or joints or in_lanes:
        share_bodies(tables, island, number, ACCELERATE)
        apply_impulses(tables, island)
        share_joints(tables, island, number, APPLY)
        share_colours(tables, island, number, CONTACTS, APPLY)
    else:
        share_bodies(tables, island, number, REPEAT)


@kernel
def _has_joints_in_lanes(tables):
    return INTEGERS.rows(tables)[ITEMS + BALLS] + INTEGERS.rows(tables)[ITEMS + AXES] > 0


@kernel
def iterate_all(tables, island, number, step, elapsed, biased):
    """One iteration over all constraints. Returns the largest change of an impulse, and the largest impulse."""
    world, lanes = WORLDS.rows(tables)[0], lanes_of(tables, island)
    changes, settings, task = lanes.changes, lanes.settings, BIASED if biased else RELAX
    settings[INVERSE_STEP], settings[ELAPSED] = 1.0 / step, elapsed
    settings[SUBSTEP_CFM] = world.cfm * (REPORTS.rows(tables)[0].h / step)
    settings[MAX_BIAS] = min(world.contact_max_velocity, MAX_SPEED)
    for k in range(2 * WIDTH * MAX_MEMBERS):
        changes[k] = 0.0
    change, largest = iterate(tables, island, step, elapsed, biased, settings[MAX_BIAS], changes)
    share_joints(tables, island, number, task)
    share_colours(tables, island, number, CONTACTS, task)
    for member in range(MAX_MEMBERS):
        for k in range(2 * WIDTH * member, 2 * WIDTH * member + WIDTH):
            change, largest = max(change, changes[k]), max(largest, changes[WIDTH + k])
    return change, largest
