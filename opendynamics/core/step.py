"""One step, stage by stage.

    collide   list_links -> update_bounds -> find_pairs -> collide_pairs -> make_contacts
    step      list_links -> rest_bodies -> find_islands -> assemble_rows -> solve_rows -> move_bodies -> damp_bodies
    advance   collide, then step, again and again

Nothing before `move_bodies` changes what the world is (apart from `rest_bodies`, which notes that it was done), so a
stage that lacks room, or a kernel, simply returns False: Python helps and starts the step again.
"""

from __future__ import annotations

from numba import types

from opendynamics.core.arrays.geoms import GEOM_ORDER
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.bounds import update_bounds
from opendynamics.core.collide.broadphase import FIND_PAIRS
from opendynamics.core.collide.contacts import collide_pairs, make_contacts
from opendynamics.core.constrain.assemble import assemble_rows
from opendynamics.core.constrain.islands import find_islands, list_links
from opendynamics.core.families import caller
from opendynamics.core.kernels import entry
from opendynamics.core.solve import SOLVE
from opendynamics.core.update.damping import damp_bodies
from opendynamics.core.update.move import move_bodies
from opendynamics.core.update.resting import rest_bodies

STEP = types.boolean(TABLES, types.float64)
ADVANCE = types.boolean(TABLES, types.float64, types.int64)

call_find_pairs = caller(FIND_PAIRS.return_type, len(FIND_PAIRS.args))
call_solve = caller(SOLVE.return_type, len(SOLVE.args))


@entry(types.boolean(TABLES))
def collide(tables):
    """Make this step's contacts."""
    REPORTS.rows(tables)[0].contacts = 0
    if GEOM_ORDER.used(tables) == 0:
        return True
    if not list_links(tables):
        return False
    update_bounds(tables)
    if not call_find_pairs(CHOICES.rows(tables)[0].find_pairs, tables):
        return False
    return collide_pairs(tables) and make_contacts(tables)


@entry(types.boolean(TABLES, types.float64))
def constrain(tables, h):
    """Find this step's islands and write down their rows."""
    if not list_links(tables):
        return False
    rest_bodies(tables, h)
    return find_islands(tables) and assemble_rows(tables, h)


@entry(types.boolean(TABLES))
def solve_rows(tables):
    """Find the rows' forces, island by island."""
    report = REPORTS.rows(tables)[0]
    report.iterations = 0
    report.residual = 0.0
    for island in range(ISLANDS.used(tables)):
        record = ISLANDS.rows(tables)[island]
        record.iterations = 0
        record.residual = 0.0
        record.faulty = 0
        if record.rows and not call_solve(CHOICES.rows(tables)[0].solve, tables, island):
            return False
        report.iterations = max(report.iterations, record.iterations)
        report.residual = max(report.residual, record.residual)
    return True


@entry(types.void(TABLES, types.float64))
def move(tables, h):
    """Move the bodies; the step is over."""
    move_bodies(tables, h)
    report = REPORTS.rows(tables)[0]
    report.rested = 0
    report.steps_done += 1


@entry(types.void(TABLES))
def damp(tables):
    """Damp the bodies' velocities."""
    damp_bodies(tables)


@entry(STEP)
def step(tables, h):
    """One step with the contacts that are there."""
    if not (constrain(tables, h) and solve_rows(tables)):
        return False
    move(tables, h)
    damp(tables)
    return True


@entry(ADVANCE)
def advance(tables, h, steps):
    """Collide and step until `steps_done` has reached `steps`.

    A step that is taken up again after bodies went to rest keeps its contacts: bodies at rest have fewer.
    """
    while REPORTS.rows(tables)[0].steps_done < steps:
        if not (REPORTS.rows(tables)[0].rested or collide(tables)):
            return False
        if not step(tables, h):
            return False
    return True
