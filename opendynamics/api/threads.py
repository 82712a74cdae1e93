"""Threads that share a world's steps: as a team, or each with islands of its own."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api.team import Team, pool
from opendynamics.core.arrays.cones import ASSEMBLED_ROWS, CONE_FLOATS, CONES
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS, SOLVED, TO_SHARE
from opendynamics.core.arrays.store import Branch, Store
from opendynamics.core.arrays.table import SHORTAGE
from opendynamics.core.solve.islands import solve_share

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from opendynamics.api.stepping import Stepping

OWN = (SHORTAGE, FLOATS, INTEGERS, CONES, ASSEMBLED_ROWS, CONE_FLOATS)


def processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def max_threads() -> int:
    """Largest number of threads; more would only wait for each other."""
    return max(8, 4 * processors())


def _pool() -> ThreadPoolExecutor:
    return pool(os.getpid(), max_threads())


def in_threads(count: int, function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    """Make all calls of a function that needs no GIL with this number of threads, including the calling one."""
    waiting = deque(calls)

    def work() -> None:
        while True:
            try:
                call = waiting.popleft()
            except IndexError:
                return
            function(*call)

    helpers = [_pool().submit(work) for _ in range(min(count, len(calls)) - 1)]
    try:
        work()
    finally:
        for helper in helpers:
            helper.result()


class Threads:
    """The `count` threads of one Store, including the calling one."""

    def __init__(self, store: Store, count: int) -> None:
        self._store = store
        self.count = count
        self.team = Team(store, count, max_threads())
        self._branches: list[Branch] = []

    def solve(self, help_out: Callable[[Store], None]) -> None:
        """Solve all islands, each thread some of them; `help_out` provides what a branch lacks."""
        if not self._branches:
            self._branches = [Branch(self._store, OWN) for _ in range(self.count)]
        with self.team.dismissed():
            self._solve_in_shares(help_out)

    def _solve_in_shares(self, help_out: Callable[[Store], None]) -> None:
        shares = [(branch, *run) for branch, run in zip(self._branches, self._divide(), strict=False)]
        while shares:
            for branch, _, _ in shares:
                branch.follow()
            calls = [_pool().submit(solve_share, branch.tables, *run) for branch, *run in shares[1:]]
            ends = [solve_share(shares[0][0].tables, *shares[0][1:])]
            ends += [call.result() for call in calls]
            shares = [share for share, end in zip(shares, ends, strict=True) if not end]
            for branch, _, _ in shares:
                help_out(branch)
            self._store[REPORTS]["attempts"] += 1  # a share that is solved again starts from the cached forces again

    def _divide(self) -> list[tuple[int, int]]:
        """Ranges of islands with about the same number of rows."""
        islands = self._store.used(ISLANDS)
        rows = np.cumsum(self._store[ISLANDS]["rows"][:islands])
        ends = np.searchsorted(rows, rows[-1] * np.arange(1, self.count) / self.count, side="left") + 1
        ends = np.minimum(ends, islands)
        return [run for run in pairwise([0, *ends.tolist(), islands]) if run[0] < run[1]]


def share_stage(world: Stepping, store: Store) -> bool:
    """Have a world's threads do what a stage asked them for. False if it asked for nothing."""
    report, threads = store[REPORTS], world._threads
    if report["solving"][0] != TO_SHARE and not report["wants_team"][0]:
        return False
    if threads is None:
        threads = world._threads = Threads(store, world.threads)
    if report["solving"][0] == TO_SHARE:
        solve = threads.solve if world._profile is None else world._profile.clocked(threads.solve)
        solve(world._help)
        report["solving"] = SOLVED
    else:
        threads.team.answer(world._variants)
    return True
