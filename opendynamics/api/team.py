"""A team of threads that solve one island jointly: Python's side of `core/solve/_team/jobs.py`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from opendynamics.core.arrays.store import Store
from opendynamics.core.solve._team.jobs import FLOATS_ADDRESS, MOST_MEMBERS, OWNER, STALLS, TEAM

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Steps solved without helpers after one in which a helper was stalled, at first and at most.
FEWEST, MOST = 8, 1024

# Time, s, that a helper may take to notice that all work is done.
LATE = 0.5e-3

_LOCK = Lock()


@cache
def pool(process: int, threads: int) -> ThreadPoolExecutor:
    """The threads of all worlds; a forked process starts its own."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, thread_name_prefix="opendynamics")


def ready(assist: Any) -> Callable[..., Any]:
    """The entry, loaded or compiled in advance, not when helpers first call it while the step waits."""
    assist.load()
    call: Callable[..., Any] = assist
    return call


@contextmanager
def helped(store: Store, assist: Callable[..., Any], helpers: int, threads: int) -> Iterator[None]:
    """Let helpers take parts of the jobs published with the store's tables; no helpers if another world has the team."""
    if not _LOCK.acquire(blocking=False):
        yield
        return
    calls = []
    try:
        TEAM[OWNER] = store.tables[FLOATS_ADDRESS]
        for member in range(1, min(helpers + 1, MOST_MEMBERS)):
            calls.append(pool(os.getpid(), threads).submit(assist, store.tables, member))
        yield
    finally:
        TEAM[OWNER] = 0
        start = perf_counter()
        for call in calls:
            call.result()
        TEAM[STALLS] += perf_counter() - start > LATE
        _LOCK.release()


class Rests:
    """When to do without helpers: for some steps after one was stalled by other programs, longer each time."""

    def __init__(self) -> None:
        self._left, self._next = 0, FEWEST
        self._stalls = 0

    def begin(self) -> bool:
        """Whether this step has helpers."""
        self._stalls = int(TEAM[STALLS])
        self._left -= 1
        return self._left < 0

    def end(self) -> None:
        """Check whether a helper was stalled."""
        if TEAM[STALLS] != self._stalls:
            self._left, self._next = self._next, min(2 * self._next, MOST)
        elif self._left < 0:
            self._next = max(self._next // 2, FEWEST)
