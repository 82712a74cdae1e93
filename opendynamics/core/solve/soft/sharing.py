"""Jobs over many contacts or joints, in parts that a team of threads shares: see `arrays/team/jobs.py`.

Parts of a job write different lanes; parts of a job that moves bodies are of one colour and share no movable body. So the result
is bit-identical for any number of threads.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.islands import ISLAND_RECORD, ISLANDS
from opendynamics.core.arrays.report import CHOICES, INTEGERS, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.team.jobs import ARGUMENTS, JOB, is_shared, run_jointly, team
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.islands import ROWS_OF_TEAM
from opendynamics.core.solve.soft.bodies import (
    accelerate_bodies,
    begin_bodies,
    displace_bodies,
    finish_bodies,
    repeat_change,
)
from opendynamics.core.solve.soft.contact_lanes import apply_contacts, iterate_contacts
from opendynamics.core.solve.soft.joint_lanes import (
    begin_joints,
    draft_joints,
    fill_joints,
    iterate_joints,
    write_joint_forces,
)
from opendynamics.core.solve.soft.links import classify_links
from opendynamics.core.solve.soft.manifolds import begin_manifolds, draft_manifolds, write_lane_forces
from opendynamics.core.solve.soft.parameters import ITERATIONS_PER_SUBSTEP
from opendynamics.core.solve.soft.plan.layout import (
    BALLS,
    BODIES,
    CONTACTS,
    GROUPS,
    ITEMS,
    KINDS,
    LINKS,
    MAX_COLOURS,
    ORDER,
    coloured_of,
    lanes_of,
)

# Jobs over contacts and joints: write drafts, fill lanes from them, apply impulses to the bodies, iterate, write forces.
DRAFT, FILL, APPLY, BIASED, RELAX, WRITE = range(6)

# Jobs over bodies. They take little time, but would take ten times as much in a thread whose cache has none of the bodies.
BEGIN, ACCELERATE, REPEAT, DISPLACE, FINISH = range(5)

# The job over links.
CLASSIFY = 0

# Arguments of a job.
ISLAND, KIND, TASK = range(ARGUMENTS, ARGUMENTS + 3)

# Groups, items, bodies, or links, of a part: some microseconds of work.
GROUPS_OF_PART, ITEMS_OF_PART, BODIES_OF_PART, LINKS_OF_PART = 12, 64, 256, 256


@entry(JOB, nogil=True)
def job(tables, first, end, member):
    """Process a part of the groups or items of the published job."""
    words = team()
    island = ISLANDS.rows(tables)[words[ISLAND]]
    run_part(tables, island, words[KIND], words[TASK], first, end, member)


@kernel
def share_links(tables, island, number):
    """Classify all links."""
    _share(tables, number, LINKS, CLASSIFY, 0, island.links, LINKS_OF_PART)


@kernel
def fill_lanes(tables, island, number):
    """Fill lanes with all data known before the first sub-step. `number`: the island's."""
    plan = INTEGERS.rows(tables)
    alone = plan[ORDER] == 0  # manifolds of the same bodies take cached forces from each other
    size = plan[ITEMS + CONTACTS] if alone else ITEMS_OF_PART
    _share(tables, number, CONTACTS, DRAFT, 0, plan[ITEMS + CONTACTS], size)
    for kind in range(BALLS, KINDS):
        _share(tables, number, kind, DRAFT, 0, plan[ITEMS + kind], ITEMS_OF_PART)
    for kind in range(KINDS):
        _share(tables, number, kind, FILL, 0, plan[GROUPS + kind], GROUPS_OF_PART)


@kernel
def share_bodies(tables, island, number, task):
    """Run a job over all bodies."""
    _share(tables, number, BODIES, task, 0, island.bodies, BODIES_OF_PART)


@kernel
def share_colours(tables, island, number, kind, task):
    """Run a job that moves bodies, colour by colour."""
    colours, k = coloured_of(tables, island, kind).colours, 0
    while INTEGERS.rows(tables)[GROUPS + kind] > 0 and colours[k] < colours[MAX_COLOURS]:
        _share(tables, number, kind, task, colours[k], colours[k + 1], GROUPS_OF_PART)
        k += 1


@kernel
def share_joints(tables, island, number, task):
    """Run a job that moves bodies over all joints."""
    for kind in range(BALLS, KINDS):
        share_colours(tables, island, number, kind, task)


@kernel
def write_lanes(tables, number):
    """Write the forces of all lanes."""
    plan = INTEGERS.rows(tables)
    for kind in range(KINDS):
        _share(tables, number, kind, WRITE, 0, plan[ITEMS + kind], ITEMS_OF_PART)


@kernel
def _share(tables, number, kind, task, first, end, size):
    """Run a job in parts of `size`, by the team if there is one."""
    island = ISLANDS.rows(tables)[number]
    if island.rows >= ROWS_OF_TEAM and is_shared(tables, end - first, size):
        words = team()
        words[ISLAND], words[KIND], words[TASK] = number, kind, task
        run_jointly(tables, CHOICES.rows(tables)[island.solver].job, first, end, size)
    elif end > first:
        run_part(tables, island, kind, task, first, end, 0)


@entry(types.void(TABLES, ISLAND_RECORD, types.int64, types.int64, types.int64, types.int64, types.int64))
def run_part(tables, island, kind, task, first, end, member):
    h, substeps = REPORTS.rows(tables)[0].h, island.iterations // ITERATIONS_PER_SUBSTEP
    if kind == BODIES:
        if task == ACCELERATE:
            accelerate_bodies(tables, island, first, end)
        elif task == REPEAT:
            repeat_change(tables, island, first, end)
        elif task == DISPLACE:
            displace_bodies(tables, island, first, end, h / substeps)
        elif task == BEGIN:
            begin_bodies(tables, island, first, end, h, substeps)
        else:
            finish_bodies(tables, island, first, end, h)
    elif kind == LINKS:
        classify_links(tables, island, first, end)
    elif kind == CONTACTS:
        if task == BIASED or task == RELAX:
            iterate_contacts(tables, island, first, end, task == BIASED, member)
        elif task == APPLY:
            apply_contacts(tables, island, first, end)
        elif task == DRAFT:
            draft_manifolds(tables, island, first, end, h, substeps)
        elif task == FILL:
            begin_manifolds(tables, island, first, end, h / substeps, substeps)
        else:
            write_lane_forces(tables, island, kind, lanes_of(tables, island).impulses, first, end, h)
    else:
        _run_joints(tables, island, kind, task, first, end, member)


@kernel
def _run_joints(tables, island, kind, task, first, end, member):
    h, substeps = REPORTS.rows(tables)[0].h, island.iterations // ITERATIONS_PER_SUBSTEP
    if task == BIASED or task == RELAX:
        iterate_joints(tables, island, kind, first, end, task == BIASED, member)
    elif task == APPLY:
        begin_joints(tables, island, kind, first, end)
    elif task == DRAFT:
        draft_joints(tables, island, kind, first, end, h, substeps)
    elif task == FILL:
        fill_joints(tables, island, kind, first, end)
    else:
        write_joint_forces(tables, island, kind, first, end, h)
