"""State of ODE's loop: the pair that a callback is processing, and the source of the next contact joint.

Programs usually create a joint for each contact of `collide`, in this order, with the same surface and group. In this case a
contact joint costs only a few comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

NO_RUN: Any = object()  # no world, source, surface or group; no joint has it
END: Any = object()  # follows the object that shows the last point
NOTHING: Sequence[Any] = (END,)


class ContactRun:
    """Contact joints of points of one source, with the same surface, in the same group.

    Attributes:
        world, source, surface, group: those of the run; NO_RUN: there is no run.
        shown: the objects that show the points of the source to users, and END; NOTHING: each contact has to be asked for its
            number.
        next: the number of the point after that of the last joint.
        joints: the joint of each row of the world's contacts.
        chosen: see `ContactRows`.
        spare: a handle for each row that the run may use.
        given: world and group as another API received them; NO_RUN twice if none did.
        attached: first and last+1 of the points whose joints another API attached, both bodies as it received them, and these
            in a tuple.
        ordered: the source of the points of all existing joints, in which each pair of bodies has one pair of geoms, if the
            joints are in the order of its points; else None.
    """

    __slots__ = (
        *("attached", "chosen", "given", "group", "joints", "next", "ordered", "shown", "source", "spare", "surface"),
        "world",
    )

    def __init__(self) -> None:
        self.end()

    def end(self) -> None:
        """End the run: the next joint is checked in full."""
        self.world = self.source = self.surface = self.group = NO_RUN
        self.ordered: Any = None
        self.take_joints([], [], [])
        self.look_closer()
        self.forget_given()

    def take_joints(self, joints: list[Any], chosen: list[int], spare: list[Any]) -> None:
        """Add later joints here."""
        self.joints, self.chosen, self.spare = joints, chosen, spare

    def forget_given(self) -> None:
        """Forget the objects of another API."""
        self.given: tuple[Any, Any] = (NO_RUN, NO_RUN)
        self.attached: tuple[int, int, Any, Any, Any] = (0, 0, NO_RUN, NO_RUN, ())

    def look_closer(self) -> None:
        """Read the number of the next contact."""
        self.shown: Sequence[Any] = NOTHING
        self.next = 0


NO_JOINTS = ContactRun()  # a run that never begins

NO_PAIR: Any = (object(), object(), None, None, -1)


class _NoPairs:
    """State of the collisions that are in progress; here, none is."""

    current, at = NO_PAIR, -1
    run = NO_JOINTS


# Collisions of spaces whose callbacks are running (`ListedPairs`), the innermost last.
UNDER_WAY: list[Any] = [_NoPairs()]
