"""Batch: many worlds stepped by one call."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product
from time import perf_counter
from typing import Any

import numpy as np

from opendynamics.api import checks, describing
from opendynamics.api.colliders import has_python_colliders
from opendynamics.api.contact_hooks import stops_between_stages
from opendynamics.api.contact_rows import ContactRows
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.home import Edition
from opendynamics.api.member import EDITION
from opendynamics.api.stepping import PORTION_SECONDS
from opendynamics.api.suggestions import Strict, explain_calls
from opendynamics.api.threads import in_threads, max_threads, processors
from opendynamics.api.units import LONG, check_step
from opendynamics.api.world import World
from opendynamics.core import step as stages
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.table import DECLARED, SHORTAGE
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.batch import DONE, LACKING, MAX_ENTRIES, NEW, SHARED, WAITING, advance_run
from opendynamics.core.compile.loading import address_of

# Chunks of worlds per thread, so that all threads end at about the same time.
RUNS_PER_THREAD = 4


@explain_calls
class Batch(Strict):
    """Worlds that are stepped together in compiled code, by several threads without the GIL.

    Results are bit-identical to stepping each world by itself, for any number of threads.

    Args:
        worlds: distinct worlds, of any kind and size.
        threads: number of threads; by default the number of processors.

        batch = od.Batch([build() for _ in range(1000)])
        batch.advance(1 / 60, steps=10)

    A world whose step calls Python (moved callbacks, contact filters, modifiers and events, recorders, profiles, belts,
    breakable joints, colliders and mesh callbacks in Python), or with sequential impacts, `continuous` bodies or
    `world.substeps` above 1, is advanced by itself, after the others.
    """

    __slots__ = (
        "__weakref__",
        "_addresses",
        "_attributes",
        "_compiled",
        "_edition",
        "_faults",
        "_h",
        "_others",
        "_parts",
        "_states",
        "_step_seconds",
        "_threads",
        "_workspaces",
        "_worlds",
    )

    def __init__(self, worlds: Iterable[World], *, threads: int | None = None) -> None:
        if isinstance(worlds, World):
            raise TypeError(f"a batch consists of several worlds, not of {worlds!r}: give a list of them")
        self._worlds = tuple(worlds)
        for world in self._worlds:
            if not isinstance(world, World):
                raise TypeError(f"a batch consists of worlds, not of {world!r}")
        if len(set(self._worlds)) < len(self._worlds):
            raise ValueError("a batch cannot hold the same world twice")
        self.threads = processors() if threads is None else threads
        self._step_seconds = 1e-4  # of one world, as last measured
        self._edition = -1
        self._h = 0.0
        self._parts: list[tuple[Store, str, Edition]] = []
        self._attributes: list[tuple[dict[str, Any], ContactRows]] = []
        self._compiled: list[World] = []
        self._others: list[World] = []
        self._addresses = self._states = self._faults = np.zeros(0, np.int64)

    @property
    def worlds(self) -> tuple[World, ...]:
        """The worlds, in the given order."""
        return self._worlds

    @property
    def threads(self) -> int:
        """Number of threads; by default the number of processors."""
        return self._threads

    @threads.setter
    def threads(self, count: int) -> None:
        self._threads = checks.count("the number of threads of a batch", count, 1, max_threads())
        self._workspaces = [_workspace() for _ in range(self._threads)]

    def __repr__(self) -> str:
        return f"<Batch of {describing.count(len(self), 'world')}, {describing.count(self.threads, 'thread')}>"

    def __len__(self) -> int:
        return len(self._worlds)

    def advance(self, h: float, steps: int = 1) -> None:
        """Advance every world by `steps` steps of `h` seconds, like `world.advance`.

        Ctrl-C stops every world between two steps, but not all of them after the same number of steps.
        """
        h = checks.step_size(h)
        steps = checks.count("the number of steps", steps)
        if self._edition != EDITION.steps:
            for world in self._worlds:
                world._require_integrator(world.solver)
            self._parts = [(world._store, world.name, world._home.edition) for world in self._worlds]
        entered: list[Store] = []
        try:
            for store, name, edition in self._parts:
                store.begin_step(name, without=SHARED)
                entered.append(store)
                edition.number += 1
            self._prepare(h)
            self._advance(h, steps)
        finally:
            for store in entered:
                store.end_step()
        for k in np.flatnonzero(self._faults).tolist():
            if self._faults[k] > self._compiled[k]._faults_seen:
                self._compiled[k]._warn_of_faults(int(self._faults[k]))
        for world in self._others:
            world.advance(h, steps)

    def _prepare(self, h: float) -> None:
        """Prepare all tables for the kernels; cheap where nothing has changed."""
        followed = any(attributes["_watchers"] for attributes, _ in self._attributes)  # since they were chosen
        changed = followed or self._edition != EDITION.steps
        if changed:
            asking = {world for world in self._worlds if _asks_python(world) or _is_swept(world)}
            self._compiled = [world for world in self._worlds if world not in asking]
            self._others = [world for world in self._worlds if world in asking]
            self._addresses = np.array([world._store.tables.ctypes.data for world in self._compiled], np.int64)
            self._states, self._faults = np.zeros((2, len(self._compiled)), np.int64)
            self._attributes = [(vars(world), world._contact_rows) for world in self._compiled]
        for k, (attributes, contacts) in enumerate(self._attributes):
            # Contacts of a step are found after the user's, whose number may differ; a restored world does not know them.
            stale = attributes["_prepared_for"] is not self or contacts.count != attributes.get("_first_contact")
            if changed or stale or contacts.chosen or h != self._h:
                self._prepare_world(self._compiled[k], h)
        self._edition, self._h = EDITION.steps, h

    def _prepare_world(self, world: World, h: float) -> None:
        if h >= LONG:
            check_step(h, len(world.space))
        world._note_call(h)
        world._load_to_advance()
        for field in ("threads", "team"):
            world._store[CHOICES][field] = 1  # threads share the worlds, not the islands of one world
        world._ready = ""
        world._begin()
        world._prepared_for = self

    def _advance(self, h: float, steps: int) -> None:
        """Advance one world by all its steps before the next, so that it stays in the CPU cache, except for interrupts."""
        self._states[:] = NEW
        first, count = 0, len(self._compiled)
        while first < count and steps:
            at_once = int(PORTION_SECONDS * self.threads / (self._step_seconds * steps))
            end = min(first + max(at_once, RUNS_PER_THREAD * self.threads), count)
            self._advance_some(first, end, h, steps)
            first = end

    def _advance_some(self, first: int, end: int, h: float, steps: int) -> None:
        states, done, interrupt = self._states[first:end], 0, None
        while done < steps and interrupt is None:
            portion = int(PORTION_SECONDS * self.threads / (self._step_seconds * (end - first)))
            portion = min(max(portion, 1), steps - done)
            start = perf_counter()
            states[states == DONE] = WAITING
            while (states != DONE).any():
                try:
                    self._run(first, end, h, done + portion)
                    for k in (first + np.flatnonzero(states == LACKING)).tolist():
                        self._help(self._compiled[k])
                        self._states[k] = WAITING
                except KeyboardInterrupt as error:
                    interrupt = error
            done += portion
            self._step_seconds = max(perf_counter() - start, 1e-6) * self.threads / ((end - first) * portion)
        if interrupt is not None:
            raise interrupt

    def _run(self, first: int, end: int, h: float, until: int) -> None:
        """Advance the waiting worlds of a chunk up to step `until`, or until they lack a kernel or memory."""
        advance = address_of(stages.advance, stages.ADVANCE)
        runs = min(RUNS_PER_THREAD * self.threads, end - first) if self.threads > 1 else 1
        bounds = np.linspace(first, end, runs + 1).astype(np.int64).tolist()
        arrays = self._addresses, self._states, self._faults
        spare = list(self._workspaces)

        def run(first: int, end: int) -> None:
            workspace = spare.pop()
            advance_run(*arrays, workspace.tables, np.empty(MAX_ENTRIES, np.int64), first, end, advance, h, until)
            spare.append(workspace)

        in_threads(self.threads, run, list(pairwise(bounds)))

    def _help(self, world: World) -> None:
        """Provide the kernel or memory that a world lacks; shared scratch memory grows for all worlds."""
        position, rows = world._store[SHORTAGE].tolist()
        if position and DECLARED[position] in SHARED:
            for workspace, table in product(self._workspaces, DECLARED[position].grows_with):
                workspace.make_room(table, rows + rows // 8)
            world._store[SHORTAGE][0] = 0
        else:
            world._help(world._store)
            world._store[SHORTAGE][0] = 0


def _workspace() -> Store:
    """Scratch memory shared by a thread's worlds."""
    store = Store(allocated=False)
    for table in SHARED:
        store.make_room(table, table.room)
    return store


def _asks_python(world: World) -> Any:
    """Whether a world's step calls Python."""
    return (
        stops_between_stages(vars(world))
        or world._substeps > 1
        or world._watchers
        or any(_geom_asks_python(geom) for geom in world.space.geoms())
        or has_python_colliders()
    )


def _is_swept(world: World) -> Any:
    """Whether a world may sweep bodies, after they have moved, by the islands in scratch memory.

    A sweep that lacks memory or a kernel waits for Python, and the memory would meanwhile be that of other worlds.
    """
    return world._store[WORLDS]["continuous"][0]


def _geom_asks_python(geom: Geom) -> Any:
    return geom.runs or (geom.shape in ("custom", "trimesh") and getattr(geom, "_asks", True))
