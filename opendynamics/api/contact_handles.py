"""Handles of contact joints that serve again: a step of ODE's loop makes thousands of joints, and few are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from sys import getrefcount
from typing import Any
from weakref import getweakrefcount

_UNHELD = next(map(getrefcount, islice([object()], 1)))  # references of what only one list holds


class Handles:
    """Handles for the rows from the first on, in one group; those of the rows in use are the joints'.

    Attributes:
        rows: the `ContactRows`.
        group: the group of the joints.
        joints: the handle of each row.
    """

    __slots__ = ("group", "joints", "rows")

    def __init__(self, rows: Any, group: Any) -> None:
        self.rows, self.group = rows, group
        self.joints: list[Any] = []

    def make(self, numbers: range) -> Iterable[Any]:
        """New handles for these rows."""
        raise NotImplementedError

    def have(self, count: int) -> None:
        """Provide handles for so many rows."""
        if len(self.joints) < count:
            self.joints += self.make(range(len(self.joints), count))

    def replace(self, row: int) -> None:
        """Let the joint of a row keep its handle for good."""
        (self.joints[row],) = self.make(range(row, row + 1))

    def release(self, count: int) -> None:
        """Reuse the handles of the first rows, whose joints are gone, except those that are referenced elsewhere."""
        joints = self.joints
        count = min(count, len(joints))
        unheld = list(map(getrefcount, islice(joints, count))).count(_UNHELD)
        if unheld < count or any(map(getweakrefcount, islice(joints, count))):
            for row in range(count):
                if getrefcount(joints[row]) != _UNHELD or getweakrefcount(joints[row]):
                    self.replace(row)
