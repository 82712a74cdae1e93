"""Threads that share the islands of a step."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api.team import Rests, helped, pool, ready
from opendynamics.core.arrays.cones import ASSEMBLED_ROWS, CONE_FLOATS, CONES
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.store import Branch, Store
from opendynamics.core.arrays.table import SHORTAGE
from opendynamics.core.solve.islands import solve_share
from opendynamics.core.solve.loading import Variants

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

OWN = (SHORTAGE, FLOATS, INTEGERS, CONES, ASSEMBLED_ROWS, CONE_FLOATS)


def processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most_threads() -> int:
    """More threads would only wait for each other."""
    return max(8, 4 * processors())


def _pool() -> ThreadPoolExecutor:
    return pool(os.getpid(), most_threads())


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
    """Solves the islands of one Store with `count` threads, including the calling one."""

    def __init__(self, store: Store, count: int) -> None:
        self._store = store
        self.count = count
        self._branches: list[Branch] = []
        self._rests = Rests()

    def solve(self, help_out: Callable[[Store], None], variants: Variants) -> None:
        """Solve all islands with the entries of these solvers; `help_out` provides what a branch lacks."""
        if not self._branches:
            self._branches = [Branch(self._store, OWN) for _ in range(self.count)]
        if self._one_is_large():
            self._solve_jointly(help_out, self._assistant(variants))
        else:
            self._solve_in_shares(help_out)

    def _one_is_large(self) -> bool:
        """Whether one island has most of the rows."""
        rows = self._store[ISLANDS]["rows"][: self._store.used(ISLANDS)]
        return 2 * int(rows.max()) >= int(rows.sum())

    def _assistant(self, variants: Variants) -> Callable[..., Any] | None:
        """The entry that helpers run while the largest island is solved; None: its solver does not use helpers."""
        islands = self._store[ISLANDS][: self._store.used(ISLANDS)]
        assist = getattr(variants[int(islands["solver"][islands["rows"].argmax()])], "assist", None)
        return None if assist is None else ready(assist)

    def _solve_jointly(self, help_out: Callable[[Store], None], assist: Callable[..., Any] | None) -> None:
        """Solve the islands one after another, with helpers if the solver uses them."""
        branch, done = self._branches[0], False
        helpers = self.count - 1 if assist is not None and self._rests.begin() else 0
        while not done:
            branch.follow()
            with helped(branch, assist, helpers, most_threads()) if assist is not None and helpers else nullcontext():
                done = solve_share(branch.tables, 0, self._store.used(ISLANDS))
            if not done:
                help_out(branch)
                self._store[REPORTS]["attempts"] += 1
        if helpers:
            self._rests.end()

    def _solve_in_shares(self, help_out: Callable[[Store], None]) -> None:
        """Solve islands in parallel, one share per thread."""
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
