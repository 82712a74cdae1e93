"""Small islands solved as one, so that their constraints fill the lanes: 20 ragdolls, or 50 stacks of three boxes.

Islands share no movable body, and all that an island's solution depends on is its own, so that it is the same to the last bit,
whichever others it is solved with. Islands of a batch take the same sub-steps, and all have joints or none has. Excluded are
those whose solution depends on sums over the island: with contacts that bounce, or new stacks, which start from a guess, or
without joints and external forces (see `restitution`); and long chains, which would have more levels than there are colours. If
the result is not finite, each is solved by itself, so that it is known which of them is at fault.

Reads islands, links, bodies and external forces; writes islands and, for what follows in the step, SLOTS. A separate entry, so
that it is compiled only when a step has several small islands. The solver itself is called by address.
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import BOUNCE, CONTACTS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS, SLOTS
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.arrays.rows import EXTERNALS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE_TOGETHER
from opendynamics.core.solve.escalation import MEMBER, call_solve, note_missing
from opendynamics.core.solve.islands import begin_island, is_small
from opendynamics.core.solve.load_paths import is_new
from opendynamics.core.solve.reactions import VELOCITIES_GIVEN
from opendynamics.core.solve.soft.parameters import ITERATIONS_PER_SUBSTEP, STACKED, layers_of, substeps_in
from opendynamics.core.solve.soft.plan.layout import MAX_COLOURS

# Rows from which a batch takes no more islands: more would not fit into the second-level cache.
ROWS_OF_BATCH = 2000


@entry(SOLVE_TOGETHER)
def solve_together(tables, first, end, number):
    """Solve small islands among those from `first` to `end` in batches. 1: done, 0: no memory, or the solver is not loaded."""
    solver = CHOICES.rows(tables)[number].solve
    if solver == 0:
        note_missing(tables, number, MEMBER)
        return 0
    bodies, links = MOTIONS.used(tables), LINKS.used(tables)
    if not (ISLAND_BODIES.has_room(tables, 2 * bodies) and ISLAND_LINKS.has_room(tables, 2 * links)):
        return 0
    for island in range(first, end):
        if ISLANDS.rows(tables)[island].solver == number and begin_island(tables, island):
            ISLANDS.rows(tables)[island].iterations = _iterations_of(tables, island)
    for island in range(first, end):
        record = ISLANDS.rows(tables)[island]
        if record.solver == number and record.iterations != 0 and record.batch == 0:
            last = _gather(tables, island, end, number)
            if not _solve_batch(tables, solver, island, last):
                return 0
    return 1


@kernel
def _iterations_of(tables, island):
    """Iterations of an island that may be in a batch, negative without joints; 0 of others."""
    record = ISLANDS.rows(tables)[island]
    if not is_small(tables, island):
        return 0
    joints = 0
    for at in range(record.first_link, record.first_link + record.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        joints += link.kind != CONTACT
        if link.kind == CONTACT and CONTACTS.rows(tables)[link.index].surface.mode & BOUNCE:
            return 0
    if joints > MAX_COLOURS:
        return 0
    layers, heaviest, joined = layers_of(tables, record)
    if joints == 0 and (_is_alone(tables, record) or (layers > STACKED and is_new(tables, record))):
        return 0
    iterations = ITERATIONS_PER_SUBSTEP * substeps_in(tables, record, layers, heaviest, joined)
    return iterations if joints > 0 else -iterations


@kernel
def _is_alone(tables, island):
    """Whether no external force acts on any body."""
    for b in range(island.first_body, island.first_body + island.bodies):
        force = EXTERNALS.rows(tables)[ISLAND_BODIES.rows(tables)[b]].linear
        if force[0] != 0.0 or force[1] != 0.0 or force[2] != 0.0:
            return False
    return True


@kernel
def _gather(tables, first, end, number):
    """Put islands like `first` into its batch; returns the last."""
    islands, last = ISLANDS.rows(tables), first
    rows = islands[first].rows
    for k in range(first + 1, end):
        island = islands[k]
        if rows >= ROWS_OF_BATCH:
            break
        if island.solver == number and island.batch == 0 and island.iterations == islands[first].iterations:
            island.batch, last, rows = 1 + first, k, rows + island.rows
    return last


@kernel
def _solve_batch(tables, solver, first, last):
    """Solve a batch, or if the result is not finite each of its islands by itself. False: no memory."""
    islands = ISLANDS.rows(tables)
    iterations = abs(islands[first].iterations)
    if not _solve_as_one(tables, solver, first, last, iterations):
        return False
    if last > first and islands[first].faulty:
        REPORTS.rows(tables)[0].attempts += 1  # cached forces are taken once in an attempt
        for k in range(first, last + 1):
            if islands[k].batch == 1 + first:
                begin_island(tables, k)
                if not _solve_as_one(tables, solver, k, k, iterations):
                    return False
    return True


@kernel
def _solve_as_one(tables, solver, first, last, iterations):
    """Solve the islands of a batch in the record of its first. False: no memory."""
    islands = ISLANDS.rows(tables)
    batch = islands[first]
    batch.batch = 1 + first
    own = batch.first_body, batch.bodies, batch.first_link, batch.links, batch.first_row, batch.rows
    _join(tables, first, last)
    batch.iterations, batch.first_row = iterations, 0
    done = call_solve(solver, tables, first) != 0
    batch.first_body, batch.bodies, batch.first_link, batch.links, batch.first_row, batch.rows = own
    residual, faulty = batch.residual, batch.faulty
    for k in range(first, last + 1):
        record = islands[k]
        if record.batch == 1 + first:
            record.iterations, record.residual, record.corrected = iterations, residual, VELOCITIES_GIVEN
            record.faulty, record.solved = faulty, done
    return done


@kernel
def _join(tables, first, last):
    """List the bodies and links of a batch one after the other, behind all lists, and give them to its first island."""
    islands, members, ties = ISLANDS.rows(tables), ISLAND_BODIES.rows(tables), ISLAND_LINKS.rows(tables)
    batch = islands[first]
    first_body, first_link = MOTIONS.used(tables) + batch.first_body, LINKS.used(tables) + batch.first_link
    bodies = links = rows = 0
    for k in range(first, last + 1):
        island = islands[k]
        if island.batch != 1 + first:
            continue
        for b in range(island.first_body, island.first_body + island.bodies):
            members[first_body + bodies] = members[b]
            SLOTS.rows(tables)[members[b]] = bodies
            bodies += 1
        for at in range(island.first_link, island.first_link + island.links):
            ties[first_link + links] = ties[at]
            links += 1
        rows += island.rows
    batch.first_body, batch.bodies, batch.first_link, batch.links = first_body, bodies, first_link, links
    batch.rows = rows
