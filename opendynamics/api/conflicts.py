"""Joints that contradict each other: found after a step, and warned of once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from opendynamics.api.warning import warn
from opendynamics.core.update.conflicts import find_conflicts

if TYPE_CHECKING:
    from opendynamics.api.joints.joint import Joint

# Worlds that were warned of.
_WARNED: WeakSet[Any] = WeakSet()

# Joints that are listed at most.
MOST = 64

# `world.cfm` above which joints give way because that is wanted, m/(N s).
SOFT = 1e-8


class ConflictWarning(RuntimeWarning):
    """Joints ask for motions that exclude each other: none of them gets its own, and their forces are huge."""


def conflicting_joints(world: Any) -> tuple[Joint, ...]:
    """Joints that were at odds with others in the last step, oldest first; none in a world whose joints are soft."""
    if world.time == 0.0 or world.cfm > SOFT:
        return ()
    rows = np.empty(MOST, np.int64)
    found = set(rows[: find_conflicts(world._store.tables, rows)].tolist())
    return tuple(joint for joint in world.joints if joint._index in found) if len(found) > 1 else ()


def warn_of_conflicts(world: Any) -> None:
    """Name the joints that are at odds, unless that was done."""
    if not world._joints or world in _WARNED or world.like == "ode" or not (joints := conflicting_joints(world)):
        return
    _WARNED.add(world)
    names = ", ".join(repr(joint.name) for joint in joints[:5])
    warn(
        f"joints of {world.name} contradict each other: {names}. None gets what it asks for, and their forces are huge: remove "
        "one, place the bodies where all joints can hold, or let one give way (max_force, cfm); world.conflicts lists them",
        ConflictWarning,
    )
