"""The helpers of a step: Python's side of `core/arrays/team/`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from opendynamics.api.colliders import ASK_ADDRESS
from opendynamics.core.arrays.report import (
    CACHE_JOB,
    CHOICES,
    COLLIDE_JOB,
    CONTACTS_JOB,
    GATHER_JOB,
    MOST_JOBS,
    REPORTS,
)
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.team.assist import assist
from opendynamics.core.arrays.team.jobs import FLOATS_ADDRESS, JOB, MEMBERS, MOST_MEMBERS, NUMBER, OWNER, STALLS, TEAM
from opendynamics.core.compile.loading import address_of, load_together
from opendynamics.core.solve.loading import Variants

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Calls of a stage that are made alone after one in which a helper was stalled, at first and at most.
FEWEST, MOST = 8, 1024

# s that a helper may take to notice that there is nothing left to do.
LATE = 0.5e-3

_LOCK = Lock()


@cache
def pool(process: int, threads: int) -> ThreadPoolExecutor:
    """Every world's threads; those of a forked process are its own."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, thread_name_prefix="opendynamics")


class Team:
    """Helpers that share the stages of one world's steps: from when a stage asks for them to the end of the call."""

    def __init__(self, store: Store, members: int, most_threads: int) -> None:
        self._store = store
        self._members = min(members, MOST_MEMBERS)
        self._most_threads = most_threads
        self._rests = Rests()
        self._helpers: list[Future[Any]] = []
        self._has_lock = False
        self._first_job = 0  # number of the jobs published before the call
        self._was_used = False

    def answer(self, variants: Variants) -> None:
        """Have helpers wait for jobs, as a stage has asked for, or have it do without.

        There are none while another world has the team, nor for some time after a helper was stalled.
        """
        self._store[REPORTS]["wants_team"] = 0
        self._dismiss()  # they wait with the memory that the store had
        if not self._has_lock and self._rests.begin():
            self._has_lock = _LOCK.acquire(blocking=False)
            self._first_job = int(TEAM[NUMBER])
        if self._has_lock:
            _load_jobs(self._store, variants)
            self._call()
        else:
            self._store[CHOICES]["team"][0] = 0

    def resume(self, variants: Variants) -> None:
        """At the beginning of a call, have helpers wait if the last call used them: a stage that asks for them begins twice."""
        if self._was_used:
            self.answer(variants)

    @contextmanager
    def dismissed(self) -> Iterator[None]:
        """Do without helpers as long as this lasts."""
        had_helpers = bool(self._helpers)
        self._dismiss()
        yield
        if had_helpers:
            self._call()

    def leave(self) -> None:
        """End the helpers' wait at the end of a call."""
        self._dismiss()
        self._store[CHOICES]["team"][0] = self._members
        if self._has_lock:
            self._has_lock = False
            self._was_used = int(TEAM[NUMBER]) != self._first_job
            _LOCK.release()
            self._rests.end()

    def _call(self) -> None:
        TEAM[MEMBERS] = self._members
        TEAM[OWNER] = self._store.tables[FLOATS_ADDRESS]
        threads = pool(os.getpid(), self._most_threads)
        self._helpers = [threads.submit(assist, self._store.tables, member) for member in range(1, self._members)]

    def _dismiss(self) -> None:
        if self._helpers:
            TEAM[OWNER] = 0
            start = perf_counter()
            for helper in self._helpers:
                helper.result()
            self._helpers = []
            TEAM[STALLS] += perf_counter() - start > LATE


@cache
def _stage_jobs() -> list[Any]:
    """By their numbers; imported when a stage first asks for helpers."""
    from opendynamics.core.collide.sharing import collide_part, gather_points, make_part
    from opendynamics.core.solve.warm_starting import cache_part

    numbers = COLLIDE_JOB, GATHER_JOB, CONTACTS_JOB, CACHE_JOB
    jobs = dict(zip(numbers, (collide_part, gather_points, make_part, cache_part), strict=True))
    return [jobs[number] for number in range(MOST_JOBS)]


def _load_jobs(store: Store, variants: Variants) -> None:
    """Load what helpers run: they must not compile while a step waits."""
    own = [variant.job for variant in variants if hasattr(variant, "job")]
    load_together([assist, *_stage_jobs(), *own])
    choices = store[CHOICES]
    choices["asks"][0] = ASK_ADDRESS
    choices["jobs"][0] = [address_of(job, JOB) for job in _stage_jobs()]
    for choice, variant in zip(choices, variants, strict=False):
        choice["job"] = address_of(variant.job, JOB) if hasattr(variant, "job") else 0


class Rests:
    """When to do without helpers: for some calls after one was stalled, as others use the processors, for longer each time."""

    def __init__(self) -> None:
        self._left, self._next = 0, FEWEST
        self._stalls = 0

    def begin(self) -> bool:
        """Whether there are to be helpers now."""
        self._stalls = int(TEAM[STALLS])
        self._left -= 1
        return self._left < 0

    def end(self) -> None:
        """Check whether one was stalled."""
        if TEAM[STALLS] != self._stalls:
            self._left, self._next = self._next, min(2 * self._next, MOST)
        elif self._left < 0:
            self._next = max(self._next // 2, FEWEST)
