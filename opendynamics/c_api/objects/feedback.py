"""objects.h: forces and torques of joints, updated at every step."""

from __future__ import annotations

import numpy as np

from opendynamics.api.following import call_after_steps, call_no_longer, called_after_steps
from opendynamics.api.joints.joint import Joint
from opendynamics.api.member import Member, note_change
from opendynamics.api.reading import record_of
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointID
from opendynamics.c_api.ids import Array, Null, or_null, the


class dJointFeedback:
    """Force `f1` and torque `t1` on a joint's first body, N and N m in the world frame, and `f2` and `t2` on the second."""

    __slots__ = ("f1", "f2", "t1", "t2")

    def __init__(self) -> None:
        self.f1: Array = np.zeros(3)
        self.t1: Array = np.zeros(3)
        self.f2: Array = np.zeros(3)
        self.t2: Array = np.zeros(3)


class _Notebook(Member):
    """The feedback structures of a world's joints; called after each step, fills them in and drops destroyed joints.

    They are saved with the world; restoring it keeps the values of the last step in them.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.pages: dict[Joint, dJointFeedback] = {}
        call_after_steps(world, self)

    def __call__(self) -> None:
        for joint, page in tuple(self.pages.items()):
            if not joint.alive:
                note_change()
                del self.pages[joint]
            elif record_of(joint)["row_count"]:
                done = joint.feedback
                page.f1, page.t1, page.f2, page.t2 = done.force1, done.torque1, done.force2, done.torque2
        self.close_if_empty()

    def close_if_empty(self) -> None:
        if not self.pages:
            call_no_longer(self.world, self)


def _notebook(world: World) -> _Notebook | None:
    return next((book for book in called_after_steps(world) if isinstance(book, _Notebook)), None)


def dJointSetFeedback(j: dJointID, feedback: dJointFeedback | Null) -> None:
    """Fill in `feedback` at every step in which the joint acts; null: stop it."""
    world, page = the(Joint, j).world, or_null(dJointFeedback, feedback)
    book = _notebook(world) or _Notebook(world)
    note_change()
    book.pages.pop(j, None)
    if page is not None:
        book.pages[j] = page
    book.close_if_empty()


def dJointGetFeedback(j: dJointID) -> dJointFeedback | None:
    book = _notebook(the(Joint, j).world)
    return None if book is None else book.pages.get(j)
