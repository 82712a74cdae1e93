"""One step, stage by stage.

    collide   update_bounds -> find_pairs -> list_links -> collide_pairs -> make_contacts
              with a speculative margin, find_near_pairs -> ... -> make_contacts -> add_near_contacts
    step      list_links -> sleep_idle_bodies -> find_islands -> assemble_joints -> choose_solvers -> assemble_contacts
              -> solve_rows -> move_bodies -> damp_bodies
    advance   collide, then step, repeatedly; if bodies are continuous, sweep_bodies after each step

Nothing before `move_bodies` changes the state of the world (except `sleep_idle_bodies`, which is done once per step). So a stage
that lacks memory, or a kernel, returns False: Python provides it and restarts the step. The step size h is in s.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import PAIRS
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, EVERY_STEP, REPORTS, SOLVED, TO_SHARE
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.team.jobs import lacks_team
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.integrators import VERLET
from opendynamics.core.collide.bounds import update_bounds
from opendynamics.core.collide.broadphase import FIND_PAIRS
from opendynamics.core.collide.contact_filter import any_may_collide
from opendynamics.core.collide.speculative import NEAR
from opendynamics.core.collide.stages import collide_pairs, make_contacts
from opendynamics.core.constrain.assemble import assemble_contacts, assemble_joints
from opendynamics.core.constrain.islands import find_islands, list_links
from opendynamics.core.kernels import caller, entry, kernel
from opendynamics.core.solve.escalation import call_solve
from opendynamics.core.solve.islands import (
    IN_SHARES,
    JOINTLY,
    begin_island,
    sharing_of,
    solve_together,
    solver_of,
    sum_up_islands,
)
from opendynamics.core.update.damping import damp_bodies
from opendynamics.core.update.move import move_bodies
from opendynamics.core.update.projection import has_room_to_project
from opendynamics.core.update.sleeping import sleep_idle_bodies
from opendynamics.core.update.sweeps import SWEEP

STEP = types.boolean(TABLES, types.float64)
ADVANCE = types.boolean(TABLES, types.float64, types.int64)

call_sweep = caller(SWEEP)
call_near = caller(NEAR)
call_find_pairs = caller(FIND_PAIRS)


@entry(types.void(TABLES), nogil=True)
def begin(tables):
    """Clear the report of the last call, before its first step."""
    report = REPORTS.rows(tables)[0]
    report.sleep_done = 0
    report.solving = 0
    report.steps_done = 0
    report.contacts = 0
    report.speculative = 0
    report.unswept = 0
    report.stopped = 0
    report.last_step = report.skips_rows = 0


@entry(types.boolean(TABLES, types.float64), nogil=True)
def collide(tables, h):
    """Make this step's contacts. False: no memory, or a kernel is not loaded."""
    choices = CHOICES.rows(tables)[0]
    if not bound_geoms(tables):
        return True
    if not (find_pairs(tables, h) and collide_pairs(tables) and make_contacts(tables)):
        return False
    return choices.near_pairs == 0 or call_near(choices.near_contacts, tables, h) != 0


@kernel
def bound_geoms(tables):
    """Clear the last step's contacts, and update the bounds of geoms. Returns whether any two geoms may collide."""
    report = REPORTS.rows(tables)[0]
    report.contacts = report.contacts_left_out = report.speculative = report.details = 0
    if any_may_collide(tables):
        update_bounds(tables)
        return True
    PAIRS.use(tables, 0)
    POINTS.use(tables, 0)
    report.pairs = report.recycled = 0
    report.deepest = 0.0
    return False


@kernel
def find_pairs(tables, h):
    """List the pairs of geoms with overlapping bounds, or near ones, and the links of joints and contacts. False: no memory."""
    choices = CHOICES.rows(tables)[0]
    if choices.near_pairs:
        return list_links(tables) and call_near(choices.near_pairs, tables, h) != 0
    return call_find_pairs(choices.find_pairs, tables) != 0 and (PAIRS.used(tables) == 0 or list_links(tables))


@entry(types.boolean(TABLES, types.float64), nogil=True)
def constrain(tables, h):
    """Find this step's islands and assemble their rows. False: no memory, or a kernel is not loaded."""
    REPORTS.rows(tables)[0].h = h
    if not list_links(tables):
        return False
    if not (sleep_idle_bodies(tables, h) and find_islands(tables)):
        return False
    return assemble_rows(tables, h)


@kernel
def assemble_rows(tables, h):
    """Assemble the rows of joints, and those of contacts for solvers that read them. False: no memory."""
    if not (assemble_joints(tables, h) and choose_solvers(tables)):
        return False
    if not assemble_contacts(tables, h):
        return False
    return WORLDS.rows(tables)[0].integrator != VERLET or has_room_to_project(tables, h)


@kernel
def choose_solvers(tables):
    """Choose the solver of each island, if there are several. False: no memory."""
    REPORTS.rows(tables)[0].cache_forces = 0
    choose = CHOICES.rows(tables)[0].choose
    return choose == 0 or call_solve(choose, tables, 0) != 0


@entry(types.boolean(TABLES), nogil=True)
def solve_rows(tables):
    """Solve for the forces of all rows, island by island.

    False: no memory, a kernel is not loaded, or threads should share the islands (`core/solve/islands.py`).
    """
    report = REPORTS.rows(tables)[0]
    if report.solving != SOLVED:
        report.attempts += 1
        sharing = sharing_of(tables)
        if sharing == IN_SHARES:
            report.solving = TO_SHARE
            return False
        if sharing == JOINTLY and lacks_team(tables):
            return False
        if not solve_together(tables, 0, ISLANDS.used(tables)):
            return False
        for island in range(ISLANDS.used(tables)):
            if begin_island(tables, island):
                solver = solver_of(tables, island)
                if solver == 0 or not call_solve(solver, tables, island):
                    return False
    sum_up_islands(tables)
    return True


@entry(types.void(TABLES, types.float64), nogil=True)
def move(tables, h):
    """Move the bodies; the step is over."""
    report = REPORTS.rows(tables)[0]
    report.moves += 1
    choices = CHOICES.rows(tables)[0]
    if choices.finish:
        call_solve(choices.finish, tables, 0)
    if report.cache_forces:
        call_solve(choices.cache_forces, tables, 0)
    move_bodies(tables, h)
    report.sleep_done = 0
    report.solving = 0
    report.steps_done += 1


@entry(types.void(TABLES), nogil=True)
def damp(tables):
    """Damp the bodies' velocities."""
    damp_bodies(tables)


@entry(STEP, nogil=True)
def step(tables, h):
    """One step with the current contacts. False: something is lacking, see above."""
    if not (REPORTS.rows(tables)[0].solving == SOLVED or constrain(tables, h)):
        return False
    if not solve_rows(tables):
        return False
    move(tables, h)
    damp(tables)
    return True


@entry(ADVANCE, nogil=True)
def advance(tables, h, steps):
    """Collide and step until `steps_done` has reached `steps`. False: something is lacking, see above.

    A step that is restarted after bodies fell asleep keeps its contacts, as sleeping bodies would get fewer.
    """
    while REPORTS.rows(tables)[0].steps_done < steps or REPORTS.rows(tables)[0].unswept:
        if not REPORTS.rows(tables)[0].unswept:
            if not (REPORTS.rows(tables)[0].sleep_done or collide(tables, h)):
                return False
            report = REPORTS.rows(tables)[0]
            report.skips_rows = report.last_step != EVERY_STEP and report.steps_done + 1 < max(steps, report.last_step)
            if not step(tables, h):
                return False
        sweep = CHOICES.rows(tables)[0].sweep
        if sweep:
            REPORTS.rows(tables)[0].unswept = 1
            if not call_sweep(sweep, tables, h):
                return False
            REPORTS.rows(tables)[0].unswept = 0
    return True
