"""Jobs: loops over many items, cut into parts that a team of threads shares.

The thread that steps a world publishes a job: the address of its entry, a range of items, and the size of a part. It takes
parts itself, and so do its helpers, which wait in `assist`; it continues when all parts are done. A helper that the system does
not run takes none, so it never holds up a step. Parts have no data in common: which thread runs them, and in which order,
changes no bit.

Each member begins with its own share of adjacent parts and takes parts of other shares when these are done. Jobs of the same
size are therefore divided alike, and a member's data stays in its cache from one job to the next.

The number of a job, the size of a share and how many of its parts are taken are one word, changed by one addition: whoever
takes a part knows of which job it is, and the job is not over before the part is done. There is one team in a process. It
belongs to the tables whose scratch memory is at the address TEAM[OWNER]; kernels that work on others run all parts themselves.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.arrays.report import CHOICES, FLOATS, REPORTS
from opendynamics.core.arrays.table import TABLES, array_of_process
from opendynamics.core.arrays.team.atomics import add_to_word, load_word, pause, store_word, yield_processor
from opendynamics.core.kernels import caller, kernel

# The largest team: each member has scratch memory of its own.
MAX_MEMBERS = 8

# Words, those that change often in cache lines of their own. Of a job: its entry, its items, the size of a part, the number of
# parts, and what else it depends on. Then a line for the share of each member.
DONE, OWNER, NUMBER = 0, 8, 16
ENTRY, FIRST, END, SIZE, PARTS, MEMBERS, ARGUMENTS = range(32, 39)
SHARES, LINE = 48, 8
TEAM = np.zeros(SHARES + LINE * MAX_MEMBERS, np.int64)
team = array_of_process("opendynamics_team", TEAM)

# Bits of a share: parts taken, parts there are, number of the job.
BITS = 20
MAX_PARTS = (1 << BITS) - 1

# Unsuccessful looks after which a thread yields its processor: some microseconds while it waits for others' parts, as
# they may want this very processor, some milliseconds in a helper, as stages of a step that are not shared take.
SHORT, PATIENT = 300, 100000

# job(tables, first, end, member): process the items from `first` up to `end`, with the scratch memory of a member.
JOB = types.void(TABLES, types.int64, types.int64, types.int64)
call_job = caller(JOB)


@kernel
def has_team(tables):
    """Whether helpers wait for jobs with these tables."""
    return load_word(team(), OWNER) == FLOATS.address(tables, 0)


@kernel
def lacks_team(tables):
    """Whether a team is allowed but absent. Python is then asked for it: the stage returns False, and begins again."""
    if CHOICES.rows(tables)[0].team < 2 or has_team(tables):
        return False
    REPORTS.rows(tables)[0].wants_team = 1
    return True


@kernel
def is_shared(tables, items, size):
    """Whether there is a team to run a job of this many items, and more than one part of this size."""
    return items > size and has_team(tables)


@kernel
def run_jointly(tables, job, first, end, size):
    """Run the job at an address over the items from `first` up to `end`, in parts of `size`, by the team."""
    words, parts = team(), (end - first + size - 1) // size
    words[ENTRY], words[FIRST], words[END], words[SIZE], words[PARTS] = job, first, end, size, parts
    store_word(words, DONE, 0)
    words[NUMBER] += 1
    members = words[MEMBERS]
    for member in range(members):
        share = parts * (member + 1) // members - parts * member // members
        store_word(words, SHARES + LINE * member, words[NUMBER] << (2 * BITS) | share << BITS)
    run_parts(tables, 0)
    _wait_for_all(parts)


@kernel
def run_parts(tables, member):
    """Run parts of the published job until none is left. Returns how many."""
    words, done = team(), 0
    part = _take_part(member)
    while part >= 0:
        first = words[FIRST] + part * words[SIZE]
        call_job(words[ENTRY], tables, first, min(first + words[SIZE], words[END]), member)
        add_to_word(words, DONE, 1)
        done += 1
        part = _take_part(member)
    return done


@kernel
def _take_part(member):
    """The number of a part of the published job, now the caller's; -1: none is left."""
    words = team()
    members = load_word(words, MEMBERS)
    for k in range(members):
        owner = (member + k) % members
        at = SHARES + LINE * owner
        if _is_left(load_word(words, at)):
            share = add_to_word(words, at, 1)
            if _is_left(share):
                return words[PARTS] * owner // members + (share & MAX_PARTS)
    return -1


@kernel
def _is_left(share):
    return (share & MAX_PARTS) < (share >> BITS & MAX_PARTS)


@kernel
def _wait_for_all(parts):
    """Wait for those who have taken parts."""
    looks = 0
    while load_word(team(), DONE) < parts:
        looks = wait(looks, SHORT)


@kernel
def wait(looks, most):
    """Let a moment pass after this many unsuccessful looks, or others have the processor after `most`. Returns one more."""
    if looks < most:
        pause()
    else:
        yield_processor()
    return looks + 1
