"""Several threads on one island: each free thread takes the next part of a job.

The thread that solves the island publishes a job, which consists of parts. Helpers, which wait in an entry of the solver, and
the thread itself take parts until none is left, and it continues when all are done. A helper that the system does not run
takes none, so that no thread waits for it. The parts of a job are independent: the assignment and order of parts change no
bit.

A job's number, how many parts it has and how many of them are taken are one word, changed by one addition: whoever takes a part
knows of which job it is, and the job is not over before the part is done. There is one team in a process. It belongs to the
tables whose scratch memory is at the address TEAM[OWNER]; kernels that work on others do all parts themselves.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.table import ADDRESS, FIELDS, array_of_process
from opendynamics.core.kernels import kernel
from opendynamics.core.solve._team.atomics import add_to_word, give_way, load_word, pause, store_word

# Words; those that change often have their own cache lines; the job's arguments follow WHAT.
JOB, DONE, OWNER, STALLS, WHAT = 0, 8, 16, 24, 32
TEAM = np.zeros(48, np.int64)
team = array_of_process("opendynamics_team", TEAM)

# Bits of the word: parts taken, parts there are, number of the job.
BITS = 20
MOST_PARTS = (1 << BITS) - 1
SEVERAL = 1 << BITS

# The largest team: each member has its own scratch memory.
MOST_MEMBERS = 8

# Unsuccessful looks after which a thread yields its processor: some microseconds while it waits for others' parts, as
# they may want this very processor, some milliseconds in a helper, as parts of a step that nobody shares take.
SHORT, PATIENT = 300, 100000

# Times that a thread has let others have its processor until one that has taken a part counts as stalled: a fraction of a
# millisecond if nobody else wants it.
LONG = 1000

FLOATS_ADDRESS = FIELDS * FLOATS.position + ADDRESS


@kernel
def has_team(tables):
    """Whether helpers wait for jobs with these tables."""
    return load_word(team(), OWNER) == tables[FLOATS_ADDRESS]


@kernel
def publish(parts):
    """Run the job whose arguments follow WHAT, in this number of parts."""
    words = team()
    number = (load_word(words, JOB) >> (2 * BITS)) + 1
    store_word(words, DONE, 0)
    store_word(words, JOB, number << (2 * BITS) | parts << BITS)


@kernel
def take_part():
    """The number of a part of the job that is there, to be done by the caller; -1: none is left."""
    words = team()
    if not _is_left(load_word(words, JOB)):
        return -1
    word = add_to_word(words, JOB, 1)
    return word & MOST_PARTS if _is_left(word) else -1


@kernel
def _is_left(word):
    return (word & MOST_PARTS) < (word >> BITS & MOST_PARTS)


@kernel
def end_part():
    """The caller has done its part."""
    add_to_word(team(), DONE, 1)


@kernel
def wait_for_all(parts):
    """Wait for those who have taken parts."""
    words, looks = team(), 0
    while load_word(words, DONE) < parts:
        looks = wait(looks, SHORT)
    if looks > SHORT + LONG:
        words[STALLS] += 1


@kernel
def wait(looks, most):
    """Let a moment pass after so many unsuccessful looks, or others have the processor after `most`. Returns one more."""
    if looks < most:
        pause()
    else:
        give_way()
    return looks + 1
