"""The part of the last step's report that users read: contact points, and the rows behind the feedback of their joints.

Steps depend on it only where they recycle contacts (`core/collide/recycling.py`). Rows of contacts made by `advance` are left
out, as no handles refer to those contacts: that keeps snapshots of large piles small.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.contacts import CONTACTS, MANIFOLDS, POINTS
from opendynamics.core.arrays.islands import ISLANDS, LINKS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.store import Array, Store, column

_CONTACTS = column(REPORTS, "contacts")
_NO_NUMBERS, _NO_ROWS, _NO_FORCES = np.zeros(0, np.int64), np.zeros(0, ROWS.dtype), np.zeros(0)


class Report:
    """Contact points of the last `advance`; numbers, Jacobians and forces of the rows of joints and users' contacts."""

    __slots__ = ("forces", "numbers", "points", "rows")

    def __init__(self, points: Array, numbers: Array, rows: Array, forces: Array) -> None:
        self.points = points
        self.numbers = numbers
        self.rows = rows
        self.forces = forces

    @classmethod
    def of(cls, store: Store) -> Report:
        """The report in a store."""
        forget_old_manifolds(store)
        points = np.empty(store.longs[REPORTS][_CONTACTS], POINTS.dtype)
        if len(points):
            points.view(np.uint8).data[:] = store.bytes[POINTS][: points.nbytes]
        numbers = _rows_of_joints(store)
        if not len(numbers):
            return cls(points, numbers, _NO_ROWS, _NO_FORCES)
        rows = store[ROWS].view(np.uint8).reshape(-1, ROWS.dtype.itemsize)[numbers].view(ROWS.dtype).reshape(-1)
        rows["link"] = 0  # that table is not saved
        return cls(points, numbers, rows, store[FORCES][numbers])

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return self.points.nbytes + self.numbers.nbytes + self.rows.nbytes + self.forces.nbytes

    def put(self, store: Store) -> None:
        """Write the report to the store, whose saved tables have been restored."""
        made, users = store.longs[REPORTS][_CONTACTS], store.used(CONTACTS)
        forget_old_manifolds(store)
        store.make_room(POINTS, made)
        if len(self.points):
            store.bytes[POINTS][: self.points.nbytes] = self.points.view(np.uint8).data
        store.make_room(CONTACTS, users + made)
        tail = store[CONTACTS][users : users + made]
        tail["flags"] = tail["row_count"] = 0
        tail["point"] = self.points  # the next step may recycle them
        store.make_room(LINKS, 1)
        store.use(ISLANDS, 0)  # those of other steps do not fit these rows
        if len(self.numbers):
            for table in (ROWS, FORCES):
                store.make_room(table, int(self.numbers[-1]) + 1)
            store[ROWS].view(np.uint8).reshape(-1, ROWS.dtype.itemsize)[self.numbers] = self.rows.view(
                np.uint8
            ).reshape(-1, ROWS.dtype.itemsize)
            store[FORCES][self.numbers] = self.forces


def forget_old_manifolds(store: Store) -> None:
    """Forget manifolds that are not those of the last step's contacts, which the next step would not recycle anyway."""
    report = store[REPORTS][0]
    if not report["contacts"] or report["kept_at"] < report["moves"] - 1:
        store.use(MANIFOLDS, 0)


def _rows_of_joints(store: Store) -> Array:
    """Indices of the rows that joints and users' contacts had in the last step, ascending."""
    runs = []
    for table in (JOINTS, CONTACTS):
        used = store.used(table)
        if used:
            counts = store[table]["row_count"][:used]
            runs.append(np.stack([store[table]["first_row"][:used], counts])[:, counts > 0])
    if not any(run.size for run in runs):
        return _NO_NUMBERS
    first, counts = np.concatenate(runs, axis=1)
    ends = np.cumsum(counts)
    numbers = np.repeat(first - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0)
    return np.unique(numbers[numbers < len(store[ROWS])])
