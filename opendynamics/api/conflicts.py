"""Conflicting joints: detected after a step, with one warning.

The hard rows of an island's joints require J v = c. They conflict if no velocities satisfy all of them: the least squares
residual c - J v is zero for rows without a conflict, and distributed over the conflicting ones. This depends on geometry alone,
and is the same for every solver.
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
from opendynamics.core.update.conflicts import LASTING, UNMET, find_unmet, list_hard_rows

if TYPE_CHECKING:
    from opendynamics.api.joints.joint import Joint

# With single steps, interval of steps between checks for conflicts, which take a tenth of a small step.
STEPS_BETWEEN_LOOKS = 8

# Worlds with a warning, and how often rows of a world had a residual: it is analysed the first time, the second, the fourth and
# so on, as iterative solvers leave residuals in many steps.
_WARNED: WeakSet[Any] = WeakSet()
_UNMET: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

# Limits of analysed islands and of the hard rows of one: least squares take cubic time.
MAX_ISLANDS, MAX_ROWS = 16, 1000

# `world.cfm` above which joints are soft by intention, m/(N s).
SOFT = 1e-8

# Singular value, relative to the largest, below which rows are redundant.
REDUNDANT = 1e-9

# Squared norm, relative to that of the row, of its component orthogonal to earlier rows, above which it is independent.
INDEPENDENT = 1e-6


class ConflictWarning(RuntimeWarning):
    """Joints require contradictory motions: none of them is satisfied, and their forces are huge."""


def conflicting_joints(world: Any) -> tuple[Joint, ...]:
    """Joints that conflicted with others in the last step, oldest first; empty in a world with soft joints.

    Empty too after a step of a Batch, whose threads keep the islands, and in a restored world, which has none.
    """
    if world._prepared_for is not None or world.time == 0.0 or world.cfm > SOFT:
        return ()
    return _joints_at_odds(world, _unmet_islands(world))


def warn_of_conflicts(world: Any) -> None:
    """Warn of conflicting joints, once per world."""
    if not (islands := _unmet_islands(world)):  # nearly always, and the cheapest test
        return
    if not world._joints or world in _WARNED or world.like == "ode" or world.time == 0.0 or world.cfm > SOFT:
        return
    times = _UNMET[world] = _UNMET.get(world, 0) + 1
    if times & (times - 1) or not (joints := _joints_at_odds(world, islands)):
        return
    _WARNED.add(world)
    names = ", ".join(repr(joint.name) for joint in joints[:5])
    warn(
        f"joints of {world.name} contradict each other: {names}. None of them can be satisfied, and their forces are huge: "
        "remove one, place the bodies so that all joints fit, or let one yield (max_force, cfm); world.conflicts lists them",
        ConflictWarning,
    )


def _unmet_islands(world: Any) -> list[int]:
    islands = np.empty(MAX_ISLANDS, np.int64)
    count = find_unmet.call(world._store.tables, islands)
    return islands[:count].tolist() if count else []


def _joints_at_odds(world: Any, islands: list[int]) -> tuple[Joint, ...]:
    found: set[int] = set()
    for island in islands:
        found |= _joints_of(world._store, island)
    return tuple(joint for joint in world.joints if joint._index in found) if found else ()


def _joints_of(store: Any, island: int) -> set[int]:
    """Conflicting joints of an island."""
    places, joints = np.empty(MAX_ROWS, np.int64), np.empty(MAX_ROWS, np.int64)
    count = list_hard_rows(store.tables, island, places, joints)
    if not 1 < count <= MAX_ROWS:
        return set()
    rows, h = store[ROWS][places[:count]], float(store[REPORTS]["h"][0])
    wanted, erp = h * rows["bias"], max(float(store[WORLDS]["erp"][0]), 1e-3)
    least = max(UNMET * h * abs(rows["rhs"]).max(), LASTING * erp / h)
    if not np.linalg.norm(wanted) > least:  # the best velocities leave no larger residual than none
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
    """Whether rows are certainly independent, so that all can be satisfied; ten times faster than least squares."""
    gram = matrix @ matrix.T
    try:
        pivots = np.diag(np.linalg.cholesky(gram)) ** 2
    except np.linalg.LinAlgError:
        return False
    return bool((pivots > INDEPENDENT * np.diag(gram)).all())
