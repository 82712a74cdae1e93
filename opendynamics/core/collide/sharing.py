"""Jobs of the collision stages, in parts that a team of threads shares: see `arrays/team/jobs.py`.

The number of points of a pair is unknown beforehand. Each part of the pairs therefore writes its points to a place of its own
in scratch memory; when all are done, they are gathered in the order of the pairs. So the points are the same, in the same order,
for any number of threads.
"""

from __future__ import annotations

from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.report import CHOICES, COLLIDE_JOB, CONTACTS_JOB, FLOATS, GATHER_JOB, INTEGERS, REPORTS
from opendynamics.core.arrays.team.jobs import JOB, MAX_MEMBERS, run_jointly
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.collide.contacts import POINT_BYTES, collide_run, make_run
from opendynamics.core.collide.narrowphase.collider import points_at
from opendynamics.core.kernels import entry, kernel

# Items of a part: tens of microseconds of work.
PAIRS_OF_PART, PARTS_OF_PART, POINTS_OF_PART = 64, 4, 512

# Points that a part of the pairs has room for, in FLOATS behind the members' scratch memory.
ROOM = 8 * PAIRS_OF_PART
FIRST_POINT = MAX_MEMBERS * SCRATCH

# In INTEGERS behind the marks of active bodies, of each part: where its points begin, and how many were left out.
PART = 2
STOPPED = -1


@kernel
def has_room_to_share(tables, pairs):
    """Whether there is scratch memory for `collide_jointly`."""
    parts = _parts(pairs)
    floats = FIRST_POINT + parts * ROOM * POINT_BYTES // 8
    return FLOATS.has_room(tables, floats) and INTEGERS.has_room(tables, MOTIONS.used(tables) + PART * (parts + 1))


@kernel
def collide_jointly(tables, pairs):
    """Collide all candidate pairs. Returns the number of points; STOPPED: they have to be collided one after another."""
    if WORLDS.rows(tables)[0].max_contacts > ROOM:
        return STOPPED
    run_jointly(tables, CHOICES.rows(tables)[0].jobs[COLLIDE_JOB], 0, pairs, PAIRS_OF_PART)
    integers, parts, count = INTEGERS.rows(tables), _parts(pairs), 0
    for part in range(parts):
        at = _part_at(tables, part)
        own = integers[at]
        if own == STOPPED:
            return STOPPED
        integers[at] = count
        count += own
    integers[_part_at(tables, parts)] = count
    return count


@kernel
def gather_jointly(tables, pairs, count):
    """Put all points in the order of the pairs."""
    integers, parts = INTEGERS.rows(tables), _parts(pairs)
    run_jointly(tables, CHOICES.rows(tables)[0].jobs[GATHER_JOB], 0, parts, PARTS_OF_PART)
    for part in range(parts):
        REPORTS.rows(tables)[0].contacts_left_out += integers[_part_at(tables, part) + 1]
    POINTS.use(tables, count)


@kernel
def _parts(pairs):
    return (pairs + PAIRS_OF_PART - 1) // PAIRS_OF_PART


@kernel
def _part_at(tables, part):
    """Where the numbers of a part are in INTEGERS."""
    return MOTIONS.used(tables) + PART * part


@kernel
def _points_of(tables, part):
    """Address of the points of a part."""
    return FLOATS.address(tables, FIRST_POINT) + part * ROOM * POINT_BYTES


@entry(JOB, nogil=True)
def collide_part(tables, first, end, member):
    """Collide a part of the candidate pairs; it ends at pairs whose collider calls Python, as those calls have an order."""
    part, scratch = first // PAIRS_OF_PART, FLOATS.address(tables, member * SCRATCH)
    excluded = CHOICES.rows(tables)[0].python_collider
    reached, count, left_out = collide_run(tables, first, end, _points_of(tables, part), ROOM, scratch, excluded)
    at = _part_at(tables, part)
    INTEGERS.rows(tables)[at] = count if reached == end else STOPPED
    INTEGERS.rows(tables)[at + 1] = left_out


@entry(JOB, nogil=True)
def gather_points(tables, first, end, _):
    """Copy the points of parts to where they belong."""
    for part in range(first, end):
        begin = INTEGERS.rows(tables)[_part_at(tables, part)]
        count = INTEGERS.rows(tables)[_part_at(tables, part + 1)] - begin
        found = points_at(_points_of(tables, part), ROOM)
        for k in range(count):
            POINTS.rows(tables)[begin + k] = found[k]


@kernel
def make_contacts_jointly(tables, count):
    """Make the contact constraints of all points. Returns the largest depth."""
    run_jointly(tables, CHOICES.rows(tables)[0].jobs[CONTACTS_JOB], 0, count, POINTS_OF_PART)
    deepest = 0.0
    for part in range((count + POINTS_OF_PART - 1) // POINTS_OF_PART):
        deepest = max(deepest, FLOATS.rows(tables)[part])
    return deepest


@entry(JOB, nogil=True)
def make_part(tables, first, end, _):
    """Make the contact constraints of a part of the points."""
    FLOATS.rows(tables)[first // POINTS_OF_PART] = make_run(tables, first, end)
