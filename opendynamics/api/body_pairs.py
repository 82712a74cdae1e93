"""Pairs of bodies connected by joints, which ODE's loop checks for each pair of geoms.

A pair of bodies is one number. Joints are counted as they are attached and detached; contact joints, thousands in a step, are
counted at the next query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.core.arrays.contacts import CONTACTS

if TYPE_CHECKING:
    from opendynamics.api.contact_rows import ContactRows


def pair_number(low: Any, high: Any) -> Any:
    """Key of two body rows, the lower one first."""
    return low << 32 | high


class BodyPairs:
    """Pairs of a world's bodies that joints connect. `seen`: number of contact joints counted so far."""

    __slots__ = ("_contacts", "_rows", "joints", "seen")

    def __init__(self, rows: ContactRows | None = None) -> None:
        self._rows: Any = rows
        self.joints: dict[int, int] | None = None  # how many joints other than contacts; None: to be counted
        self.forget_contacts()

    def forget_contacts(self) -> None:
        """Contact joints have changed: count all of them again."""
        self._contacts: set[int] = set()
        self.seen = 0

    def note_joint(self, body: int, other: int, change: int) -> None:
        """Add (1) or remove (-1) a joint between two bodies."""
        if self.joints is not None:
            number = pair_number(*sorted((body, other)))
            count = self.joints.pop(number, 0) + change
            if count:
                self.joints[number] = count

    def include(self, body: int, other: int) -> bool:
        """Whether a joint connects two bodies."""
        number = body << 32 | other if body < other else other << 32 | body
        return self.include_listed(number)

    def include_listed(self, number: int) -> bool:
        """Whether a joint connects the bodies of a pair, by their pair number."""
        joints = self.joints
        if joints is None:
            joints = self._count_joints()
        rows, run = self._rows, self._rows.run
        if run.noted < run.next or self.seen < len(rows.joints):
            self._note_new()
        return number in joints or number in self._contacts

    def include_contact(self, body: int, other: int) -> bool:
        """Whether a contact joint connects two bodies."""
        self._note_new()
        return pair_number(*sorted((body, other))) in self._contacts

    def _note_new(self) -> None:
        """Count the contact joints made since the last query, mostly the few of one pair of geoms."""
        rows = self._rows
        at, runs = self.seen - rows.written, rows.runs
        if self.seen < len(rows.noted_joints):
            self.seen = len(rows.noted_joints)
            if runs and runs[-1][0] <= at:
                numbers, last = runs[-1][1].joined_bodies, -1
                for k in rows.chosen[at:]:
                    if numbers[k] != last:
                        last = numbers[k]
                        self._contacts.add(last)
            else:
                self._look(rows, at)

    def _note_points(self, numbers: list[int], points: list[int]) -> None:
        last = -1
        for k in points:
            if numbers[k] != last:
                last = numbers[k]
                self._contacts.add(last)

    def _count_joints(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for joint in self._rows.world._attached:
            one, other = joint._bodies
            if one is not None and other is not None:
                number = pair_number(*sorted((one._row, other._row)))
                found[number] = found.get(number, 0) + 1
        self.joints = found
        return found

    def _look(self, rows: Any, at: int) -> None:
        """Count the contact joints from number `at` of those without records; some before them have records."""
        if at < 0:
            records = rows.store[CONTACTS][rows.written + at : rows.written]
            one, other = records["body0"].astype(np.int64), records["body1"].astype(np.int64)
            self._contacts.update(pair_number(np.minimum(one, other), np.maximum(one, other)).tolist())
            at = 0
        end = len(rows.chosen)
        for begin, source, _ in reversed(rows.runs):
            self._note_points(source.joined_bodies, rows.chosen[max(begin, at) : end])
            if begin <= at:
                return
            end = begin
