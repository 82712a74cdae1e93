"""Mean forces of joints and contacts over the sub-steps of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.update.contact_forces import gather_forces
from opendynamics.core.update.sub_steps import add_forces, write_forces

if TYPE_CHECKING:
    from opendynamics.core.arrays.store import Store

Array = npt.NDArray[Any]
Touches = tuple[Array, Array]  # contact points, and the forces on their first geoms, N, shape (n, 3)


class Means:
    """Collects the forces of a step's sub-steps.

    Attributes:
        count: number of sub-steps of the step.
        earlier: contacts of all sub-steps but the last, in their order.
        moves: the number of steps that the world had made after the last sub-step: later steps make this outdated.
    """

    __slots__ = ("_acted", "_forces", "_part", "count", "earlier", "moves")

    def __init__(self, store: Store, sub_steps: int) -> None:
        joints = store.used(JOINTS)
        self._forces, self._acted = np.zeros((joints, 13)), np.zeros(joints, bool)
        self.count, self._part = sub_steps, 1.0 / sub_steps
        self.earlier: list[Touches] = []
        self.moves = -1

    def note(self, world: Any, last: bool) -> None:
        """Called after each sub-step: after the last, `feedback` and `contacts` have the means."""
        store: Store = world._store
        world._means = self
        add_forces(store.tables, self._part, self._forces, self._acted)
        if not last:
            self.earlier.append(touches_now(store, world._first_contact))
            return
        rows = int(store[REPORTS]["rows"][0]) + int(np.count_nonzero(self._acted))
        for table in (ROWS, FORCES):
            store.make_room(table, rows)
        write_forces(store.tables, self._forces, self._acted)
        self.moves = world._steps_made

    def forget(self, joint: int) -> None:
        """Called when a joint is destroyed, whose row another may take before the step is over."""
        if joint < len(self._acted):
            self._forces[joint], self._acted[joint] = 0.0, False

    def forget_geom(self, geom: int) -> None:
        """Called when a geom is destroyed, whose row another may take: contacts refer to it no longer."""
        for points, _ in self.earlier:
            for side in ("geom_a", "geom_b"):
                points[side][points[side] == geom] = -1


def touches_now(store: Store, first: int | None) -> Touches:
    """Contacts of the last step or sub-step, whose rows start at `first`; forces are NaN if the rows are gone."""
    count = int(store[REPORTS]["contacts"][0])
    points, forces = store[POINTS][:count].copy(), np.empty((count, 3))
    if first is None:
        forces[:] = np.nan
    elif count:
        gather_forces(store.tables, first, forces)
    return points, forces


def mean_touches(last: Touches, earlier: list[Touches]) -> Touches:
    """Contacts of a whole step: of each pair of geoms those of the last sub-step in which it had any, with mean forces.

    Contacts come and go from one sub-step to the next. The force of one in an earlier sub-step counts towards the nearest of its
    pair, so that the sum of a pair's forces is exact.
    """
    part = 1.0 / (len(earlier) + 1)
    points, forces = last[0], last[1] * part
    for others, their_forces in reversed(earlier):
        if len(others):
            points, forces = _with_earlier(points, forces, others, their_forces * part)
    return points, forces


def _with_earlier(points: Array, forces: Array, others: Array, their_forces: Array) -> Touches:
    if not len(points):
        return others, their_forces
    order, low, high = _of_same_pairs(points, others)
    known = low < high
    nearest, least = order[np.minimum(low, len(order) - 1)], np.full(len(others), np.inf)
    for k in range(int((high - low).max())):
        some = np.flatnonzero(low + k < high)
        found = order[low[some] + k]
        away = ((points["position"][found] - others["position"][some]) ** 2).sum(axis=1)
        closer = away < least[some]
        nearest[some[closer]], least[some[closer]] = found[closer], away[closer]
    nearest, same = nearest[known], others[known]
    signs = np.where(points["geom_a"][nearest] == same["geom_a"], 1.0, -1.0)
    np.add.at(forces, nearest, signs[:, None] * their_forces[known])
    return np.concatenate([points, others[~known]]), np.concatenate([forces, their_forces[~known]])


def _of_same_pairs(points: Array, others: Array) -> tuple[Array, Array, Array]:
    """An order that groups the points by pair of geoms; for each of the others, where the points of its pair begin and end."""
    keys, wanted = (
        np.minimum(each["geom_a"], each["geom_b"]).astype(np.int64) << 32 | np.maximum(each["geom_a"], each["geom_b"])
        for each in (points, others)
    )
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    return order, np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
