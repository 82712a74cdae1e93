"""State of ODE's loop: the pair that a callback is processing, and the source of the next contact joint.

Programs usually create a joint for each contact of `collide`, in this order, with the same surface and group. In this case a
contact joint costs only a few comparisons: it is a point that follows the last one, and is noted later (`note_joints`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

NO_RUN: Any = object()  # no world, source, surface, group or joint; no joint has it
END: Any = object()  # follows what shows the last point
NOTHING: Sequence[Any] = (END,)
NOT_GIVEN = (NO_RUN, NO_RUN)


class ContactRun:
    """Contact joints of points of one source, with the same surface, in the same group.

    Attributes:
        world, source, surface, group: those of the run; NO_RUN: there is no run.
        shown: the objects that show the points of the source to users, and END; NOTHING: each contact has to be asked for its
            number.
        next: the number of the point after that of the last joint.
        noted: the same, of the last joint that has been noted.
        gaps: of points that were left out since then, the first and the one after the last.
        skipped: the number of a point that follows less the row of its joint.
        handles: of joints, by row: those given to users.
        newest: the handle of the last joint if it joins nothing yet; else NO_RUN.
        loose: of joints before it that have not been noted, the rows of those that join nothing yet.
        joints, chosen, spare: see `ContactRows`.
        given: world and group as another face was given them; NO_RUN twice if it was not.
        body1, body2, until: both bodies of the points before `until`, as `attach` was given them.
        ordered: what found the points of all joints there are, in which each pair of bodies has one pair of geoms, if the joints
            are in the order of its points; else None.
        only: the same while `next` follows its points: its pairs from there on have no contact joints.
    """

    __slots__ = (
        *("body1", "body2", "chosen", "gaps", "given", "group", "handles", "joints", "loose", "newest", "next"),
        *("noted", "only", "ordered", "shown", "skipped", "source", "spare", "surface", "until", "world"),
    )

    def __init__(self) -> None:
        self.next = self.noted = 0
        self.gaps: list[tuple[int, int]] = []
        self.loose: list[int] = []
        self.end()

    def end(self) -> None:
        """End the run: the next joint is checked in full."""
        self.look_closer()
        self.world = self.source = self.surface = self.group = NO_RUN
        self.ordered: Any = None
        self.take_joints([], [], [])
        self.forget_given()

    def drop(self) -> None:
        """End the run without its joints that have not been noted."""
        self.noted = self.next
        self.gaps.clear()
        self.loose.clear()
        self.end()

    def take_joints(self, joints: list[Any], chosen: list[int], spare: list[Any]) -> None:
        """Add later joints here."""
        self.joints, self.chosen, self.spare = joints, chosen, spare
        self.handles: Sequence[Any] = spare

    def forget_given(self) -> None:
        """Forget the objects of another API."""
        self.given: tuple[Any, Any] = NOT_GIVEN
        self.body1 = self.body2 = NO_RUN
        self.until = 0

    def look_closer(self) -> None:
        """Read the number of the next contact."""
        if self.noted < self.next:
            self.note_joints()
        self.shown: Sequence[Any] = NOTHING
        self.next = self.noted = self.skipped = self.until = 0
        self.newest = NO_RUN
        self.only: Any = None

    def go_on(self, shown: Sequence[Any], k: int, row: int, newest: Any) -> None:
        """Add a joint of point k, in this row; `shown` shows the points, `newest` is the handle if it joins nothing yet."""
        self.look_closer()
        self.shown, self.next, self.noted, self.skipped, self.newest = shown, k + 1, k, k - row, newest
        self.only = self.ordered

    def follow(self, source: Any, k: int, surface: Any, group: Any, *, joined: bool) -> Any:
        """Add a joint of point k, if that is of the run and comes later than all others; returns its handle, or None."""
        if k < self.next or self.shown is NOTHING:
            return None
        if source is not self.source or surface is not self.surface or group is not self.group:
            return None
        if self.newest is not NO_RUN:
            self.loose.append(self.next - 1 - self.skipped)
            self.newest = NO_RUN
        if k > self.next:
            self.gaps.append((self.next, k))
            self.skipped += k - self.next
        self.next = k + 1
        handle = self.handles[k - self.skipped]
        if not joined:
            self.newest = handle
        return handle

    def note_joints(self) -> None:
        """Note the joints made since the last time."""
        joints, chosen = self.joints, self.chosen
        written = len(joints) - len(chosen)
        first, self.noted = self.noted, self.next
        for end, after in self.gaps:
            chosen.extend(range(first, end))
            first = after
        self.gaps.clear()
        chosen.extend(range(first, self.next))
        joints.extend(self.spare[len(joints) : self.next - self.skipped])
        for row in self.loose:
            chosen[row - written] = ~chosen[row - written]
        self.loose.clear()
        if self.newest is not NO_RUN:
            chosen[-1] = ~chosen[-1]
            self.newest = NO_RUN


NO_JOINTS = ContactRun()  # a run that never begins

NO_PAIR: Any = (object(), object(), None, None, -1)


class _NoPairs:
    """State of the collisions that are in progress; here, none is."""

    current, at = NO_PAIR, -1
    given = NOT_GIVEN
    run = NO_JOINTS


# Collisions of spaces whose callbacks run (`ListedPairs`), the innermost last.
_UNDER_WAY: list[Any] = [_NoPairs()]


class Now:
    """The innermost collision of a space whose callback runs, and the run of its world's contact joints."""

    __slots__ = ("listed", "run")

    listed: Any
    run: ContactRun

    def __init__(self) -> None:
        self._look()

    def enter(self, listed: Any) -> None:
        """A collision begins to call its callback."""
        _UNDER_WAY.append(listed)
        self._look()

    def leave(self, listed: Any) -> None:
        """It has ended."""
        _UNDER_WAY.remove(listed)
        self._look()

    def _look(self) -> None:
        self.listed = _UNDER_WAY[-1]
        self.run = self.listed.run


NOW = Now()
