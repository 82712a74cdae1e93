"""The state before a world's first step, for `world.reset`.

Its tables are copied at once. The attributes of thousands of members take longer to read than a step takes, and most programs
change none after the first step: they are read when one is about to change, or by `reset`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api.home import FREE
from opendynamics.api.member import listen_for_change
from opendynamics.api.saving.manifest import free_records
from opendynamics.api.saving.reports import Report
from opendynamics.api.saving.snapshot import Snapshot
from opendynamics.core.arrays.geoms import GEOMS

if TYPE_CHECKING:
    from opendynamics.api.world import World


class Beginning:
    """The snapshot of a world's current state, which is completed later."""

    __slots__ = ("__weakref__", "_free", "_report", "_snapshot", "_tables", "_world")

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables, self._report = world._store.save(), Report.of(world._store)
        self._snapshot: Snapshot | None = None
        self._free = FREE.store[GEOMS][: FREE.store.used(GEOMS)].copy()
        listen_for_change(self)

    def before_change(self) -> None:
        """Read the attributes of the world's members."""
        if self._snapshot is None:
            manifest = self._world._manifest()
            self._snapshot = Snapshot(self._tables, manifest, free_records(manifest, self._free), self._report)

    @property
    def snapshot(self) -> Snapshot:
        """The whole state at the beginning."""
        self.before_change()
        assert self._snapshot is not None
        return self._snapshot
