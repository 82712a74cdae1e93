"""Joints that contradict each other: found after a step, and warned of once.

The hard rows of an island's joints ask for J v = c. They exclude each other where no velocities meet them: what the best ones in
the sense of least squares leave, c - J v, is zero for all rows that do not, and shared by those that are at odds. That is a
matter of geometry, and so the same for every solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np
from numpy.typing import NDArray

from opendynamics.api.warning import warn
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.update.conflicts import LASTING, PART, find_unmet, list_hard_rows

if TYPE_CHECKING:
    from opendynamics.api.joints.joint import Joint

# Where steps are made one by one, conflicts are looked for once in so many: it takes a tenth of a small step.
STEPS_BETWEEN_LOOKS = 8

# Worlds that were warned of, and how often rows of a world were left unmet: it is looked into the first time, the second, the
# fourth and so on, as iterations leave something in many steps.
_WARNED: WeakSet[Any] = WeakSet()
_UNMET: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

# Islands that are looked into at most, and the hard rows of one: least squares take their third power.
MOST_ISLANDS, MOST_ROWS = 16, 1000

# `world.cfm` above which joints give way because that is wanted, m/(N s).
SOFT = 1e-8

# Part of the largest singular value below which rows are redundant.
REDUNDANT = 1e-9

# Rows whose part apart from the rows before has more than this part of their square depend on no others.
INDEPENDENT = 1e-6


class ConflictWarning(RuntimeWarning):
    """Joints ask for motions that exclude each other: none of them gets its own, and their forces are huge."""


def conflicting_joints(world: Any) -> tuple[Joint, ...]:
    """Joints that were at odds with others in the last step, oldest first; none in a world whose joints are soft."""
    if world.time == 0.0 or world.cfm > SOFT:
        return ()
    return _joints_at_odds(world, _unmet_islands(world))


def warn_of_conflicts(world: Any) -> None:
    """Name the joints that are at odds, unless that was done."""
    if not (islands := _unmet_islands(world)):  # nearly always, and quicker to ask than all else
        return
    if not world._joints or world in _WARNED or world.like == "ode" or world.time == 0.0 or world.cfm > SOFT:
        return
    times = _UNMET[world] = _UNMET.get(world, 0) + 1
    if times & (times - 1) or not (joints := _joints_at_odds(world, islands)):
        return
    _WARNED.add(world)
    names = ", ".join(repr(joint.name) for joint in joints[:5])
    warn(
        f"joints of {world.name} contradict each other: {names}. None gets what it asks for, and their forces are huge: remove "
        "one, place the bodies where all joints can hold, or let one give way (max_force, cfm); world.conflicts lists them",
        ConflictWarning,
    )


def _unmet_islands(world: Any) -> list[int]:
    islands = np.empty(MOST_ISLANDS, np.int64)
    count = find_unmet.call(world._store.tables, islands)
    return islands[:count].tolist() if count else []


def _joints_at_odds(world: Any, islands: list[int]) -> tuple[Joint, ...]:
    found: set[int] = set()
    for island in islands:
        found |= _joints_of(world._store, island)
    return tuple(joint for joint in world.joints if joint._index in found) if found else ()


def _joints_of(store: Any, island: int) -> set[int]:
    """Joints of an island that exclude each other."""
    places, joints = np.empty(MOST_ROWS, np.int64), np.empty(MOST_ROWS, np.int64)
    count = list_hard_rows(store.tables, island, places, joints)
    if not 1 < count <= MOST_ROWS:
        return set()
    rows, h = store[ROWS][places[:count]], float(store[REPORTS]["h"][0])
    wanted, erp = h * rows["bias"], max(float(store[WORLDS]["erp"][0]), 1e-3)
    least = max(PART * h * abs(rows["rhs"]).max(), LASTING * erp / h)
    if not np.linalg.norm(wanted) > least:  # the best velocities leave no more than none
        return set()
    jacobian = np.zeros((count, int(store[ISLANDS]["bodies"][island]), 6))
    for slot, j in ("slot0", "j0"), ("slot1", "j1"):
        held = np.flatnonzero(rows[slot] >= 0)
        jacobian[held, rows[slot][held]] += rows[j][held]
    matrix = jacobian.reshape(count, -1)
    if _are_independent(matrix):
        return set()
    matrix = matrix[:, matrix.any(axis=0)]
    left = abs(wanted - matrix @ np.linalg.lstsq(matrix, wanted, rcond=REDUNDANT)[0])
    if not left.max() > least:
        return set()
    at_odds = set(joints[:count][left > 0.5 * left.max()].tolist())
    return at_odds if len(at_odds) > 1 else set()


def _are_independent(matrix: NDArray[np.float64]) -> bool:
    """Whether rows certainly depend on no others, so that all can be met; takes a tenth of the time of least squares."""
    gram = matrix @ matrix.T
    try:
        pivots = np.diag(np.linalg.cholesky(gram)) ** 2
    except np.linalg.LinAlgError:
        return False
    return bool((pivots > INDEPENDENT * np.diag(gram)).all())
