"""Waking: changes wake the sleeping bodies that they affect, if islands sleep as a whole (`world.sleep_rule`).

Code that changes what acts on a body calls this module before the change. Bodies linked to one that was woken wake in the
next step (`core/update/sleeping.py`). A changed geom wakes the bodies that its box overlaps: at once for its old pose and,
since a change may have several parts, in the next step for its new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.member import Member, note_change
from opendynamics.core.arrays.bodies import ALIVE, BODY_SETTINGS, ENABLED, FAULTY, MOTIONS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.store import Store, column
from opendynamics.core.arrays.worlds import ISLANDS_SLEEP, SOME_ASLEEP, WORLDS
from opendynamics.core.update.waking import wake_near

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom

Rows: TypeAlias = npt.NDArray[np.int64]
SleepRule: TypeAlias = Literal["ode", "islands"]

SOME_ISLANDS_SLEEP = ISLANDS_SLEEP | SOME_ASLEEP
SLEEP_RULE = column(WORLDS, "sleep_rule", 4)


def some_asleep(store: Store) -> bool:
    """Whether there may be sleeping bodies that a change has to wake."""
    return store.words[WORLDS][SLEEP_RULE] == SOME_ISLANDS_SLEEP


def moved_rows(store: Store) -> Rows:
    """Rows of the bodies that took part in the last step, in the order of the islands."""
    return store[ISLAND_BODIES][: store[ISLANDS]["bodies"][: store.used(ISLANDS)].sum()]


def note_sleepers(store: Store) -> None:
    """Record that bodies may be asleep from now on."""
    if store[WORLDS]["sleep_rule"][0] & ISLANDS_SLEEP:
        store[WORLDS]["sleep_rule"][0] |= SOME_ASLEEP


def wake_bodies(store: Store, rows: Sequence[int] | None = None) -> None:
    """Wake the bodies in `rows`, or all, that are asleep and not faulty."""
    if not some_asleep(store):
        return
    chosen = np.arange(store.used(MOTIONS)) if rows is None else np.array(rows, np.int64)
    flags, settings = store[MOTIONS]["flags"], store[BODY_SETTINGS]
    chosen = chosen[flags[chosen] & (ALIVE | ENABLED | FAULTY) == ALIVE]
    flags[chosen] |= ENABLED
    for left, number in (("steps_left", "idle_steps"), ("time_left", "idle_time")):
        settings[left][chosen] = settings[number][chosen]
    settings["sample_next"][chosen] = settings["samples_ready"][chosen] = 0


class Waking(Member):
    """Mixin of a world with its sleep."""

    _store: Store
    _say: Any

    def _start_waking(self) -> None:
        self._changed_geoms: dict[Geom, None] = {}  # since the last step, while bodies were asleep

    @property
    def sleep_rule(self) -> SleepRule:
        """Which bodies with `auto_disable` fall asleep together, and what wakes them. docs/sleeping.md lists the events.

        "islands", the default: bodies connected by joints or contacts fall asleep when all of them have been idle for long
        enough, and wake together when anything that acts on them changes; kinematic bodies never sleep. "ode": each body
        separately, including kinematic ones; only `enabled` and a link to an awake body wake it.
        """
        return "islands" if self._store[WORLDS]["sleep_rule"][0] else "ode"

    @sleep_rule.setter
    def sleep_rule(self, rule: SleepRule) -> None:
        checks.choice(self._say("the sleep rule"), rule, get_args(SleepRule))
        note_change()
        known = SOME_ASLEEP if self._store.used(MOTIONS) else 0
        self._store[WORLDS]["sleep_rule"][0] = ISLANDS_SLEEP | known if rule == "islands" else 0

    def _note_geom(self, geom: Geom) -> None:
        """Called before a geom changes that may touch bodies of this world."""
        if some_asleep(self._store) and geom not in self._changed_geoms:
            self._wake_near(geom)
            note_change()
            self._changed_geoms[geom] = None

    def _wake_near(self, geom: Geom) -> None:
        record: Any = np.empty(1, GEOMS.dtype)
        record[0] = geom._fresh
        wake_near(self._store.tables, record)

    def _wake_by_changes(self) -> None:
        """Wake the bodies that changed geoms may touch now."""
        if self._changed_geoms:
            changed = tuple(self._changed_geoms)
            note_change()
            self._changed_geoms.clear()
            for geom in changed:
                self._wake_near(geom)
