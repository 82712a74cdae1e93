"""The helpers of a step: Python's side of `core/arrays/team/`."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from opendynamics.core.arrays.report import (
    CACHE_JOB,
    CHOICES,
    COLLIDE_JOB,
    CONTACTS_JOB,
    FLOATS,
    GATHER_JOB,
    MAX_JOBS,
    REPORTS,
)
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.team.assist import assist
from opendynamics.core.arrays.team.jobs import JOB, MAX_MEMBERS, MEMBERS, OWNER, TEAM
from opendynamics.core.compile.loading import address_of, load_together
from opendynamics.core.solve.loading import Variants

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Calls from one trial to the next, at first and at most, and how much faster it has to be.
FEWEST, MOST = 2, 512
FASTER = 0.97

# Calls whose median is compared with a trial.
RECENT = 5

_LOCK = Lock()


@cache
def pool(process: int, threads: int) -> ThreadPoolExecutor:
    """Every world's threads; those of a forked process are its own."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, thread_name_prefix="opendynamics")


class Team:
    """Helpers that share the stages of one world's steps: from when a stage asks for them to the end of the call."""

    def __init__(self, store: Store, members: int, max_threads: int) -> None:
        self._store = store
        self._members = min(members, MAX_MEMBERS)
        self._max_threads = max_threads
        self._trials = Trials()
        self._helpers: list[Future[Any]] = []
        self._has_lock = False
        self._is_wanted = False  # a stage has asked for helpers in this call
        self._was_wanted = False  # or in the last one
        self._start = (0.0, 0)  # time, and steps made so far, when this call began

    def begin(self, variants: Variants) -> None:
        """At the beginning of a call, have helpers wait if the last call wanted them: a stage that asks begins twice."""
        self._start = perf_counter(), int(self._store[REPORTS]["moves"][0])
        if self._was_wanted:
            self.answer(variants)

    def answer(self, variants: Variants) -> None:
        """Have helpers wait for jobs, as a stage has asked for, or have it do without.

        There are none while another world has the team, nor where steps were measured to take longer with them.
        """
        self._store[REPORTS]["wants_team"] = 0
        self._dismiss()  # they wait with the memory that the store had
        if not self._is_wanted:
            self._is_wanted = True
            self._has_lock = self._trials.begin() and _LOCK.acquire(blocking=False)
        if self._has_lock:
            _load_jobs(self._store, variants)
            self._call()
        else:
            self._store[CHOICES]["team"][0] = 0

    @contextmanager
    def dismissed(self) -> Iterator[None]:
        """Do without helpers as long as this lasts."""
        had_helpers = bool(self._helpers)
        self._dismiss()
        yield
        if had_helpers:
            self._call()

    def end(self) -> None:
        """End the helpers' wait at the end of a call."""
        self._dismiss()
        if self._is_wanted:
            self._store[CHOICES]["team"][0] = self._members
            steps = int(self._store[REPORTS]["moves"][0]) - self._start[1]
            if self._was_wanted and steps > 0:  # otherwise it began without
                self._trials.end((perf_counter() - self._start[0]) / steps)
        if self._has_lock:
            self._has_lock = False
            _LOCK.release()
        self._was_wanted, self._is_wanted = self._is_wanted, False

    def _call(self) -> None:
        TEAM[MEMBERS] = self._members
        TEAM[OWNER] = self._store.tables[FLOATS.address_at]
        threads = pool(os.getpid(), self._max_threads)
        self._helpers = [threads.submit(assist, self._store.tables, member) for member in range(1, self._members)]

    def _dismiss(self) -> None:
        if self._helpers:
            TEAM[OWNER] = 0
            for helper in self._helpers:
                helper.result()
            self._helpers = []


@cache
def _stage_jobs() -> list[Any]:
    """By their numbers; imported when a stage first asks for helpers."""
    from opendynamics.core.collide.sharing import collide_part, gather_points, make_part
    from opendynamics.core.solve.warm_starting import cache_part

    numbers = COLLIDE_JOB, GATHER_JOB, CONTACTS_JOB, CACHE_JOB
    jobs = dict(zip(numbers, (collide_part, gather_points, make_part, cache_part), strict=True))
    return [jobs[number] for number in range(MAX_JOBS)]


def _load_jobs(store: Store, variants: Variants) -> None:
    """Load what helpers run: they must not compile while a step waits."""
    own = [variant.job for variant in variants if hasattr(variant, "job")]
    load_together([assist, *_stage_jobs(), *own])
    choices = store[CHOICES]
    choices["jobs"][0] = [address_of(job, JOB) for job in _stage_jobs()]
    for choice, variant in zip(choices, variants, strict=False):
        choice["job"] = address_of(variant.job, JOB) if hasattr(variant, "job") else 0


class Trials:
    """Whether helpers pay: now and then a call is made the other way, and the faster way is kept. No result depends on it.

    They do not where others use the processors, or where these are far apart and exchange memory slowly.
    """

    def __init__(self) -> None:
        self._helped = True
        self._is_trial = False
        self._left = self._gap = FEWEST  # calls until the next trial
        self._recent: deque[float] = deque(maxlen=RECENT)  # s per step

    def begin(self) -> bool:
        """Whether there are to be helpers in this call."""
        self._is_trial = self._left <= 0
        return self._helped != self._is_trial

    def end(self, seconds: float) -> None:
        """Note the time per step of this call."""
        if not self._is_trial:
            self._recent.append(seconds)
            self._left -= 1
        elif seconds < FASTER * sorted(self._recent)[(len(self._recent) - 1) // 2]:
            self._helped = not self._helped
            self._recent.clear()
            self._left = self._gap = FEWEST
        else:
            self._left = self._gap = min(2 * self._gap, MOST)
