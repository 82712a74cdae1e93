"""Joint group: joints that are destroyed together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from opendynamics.api import describing
from opendynamics.api.joint_order import add_in_order, in_order
from opendynamics.api.member import Belonging, Sealed, note_change
from opendynamics.api.suggestions import explain_calls

if TYPE_CHECKING:
    from opendynamics.api.contact_rows import ContactRows
    from opendynamics.api.joints.joint import Joint
    from opendynamics.api.world import World


@explain_calls
class JointGroup(Sealed, Belonging):
    """Joints that are destroyed together, such as the contacts of a step. Pass it to joints as `group`."""

    name = "the joint group"

    def __init__(self) -> None:
        self._joints: dict[Joint, None] = {}  # see joint_order
        self._contact_rows: dict[ContactRows, None] = {}  # worlds in which it may have contacts

    def _saved_with(self) -> World | None:
        return next((joint._world for joint in self), None)

    def _add(self, joint: Joint) -> None:
        note_change()
        add_in_order(self._joints, self._contacts(), joint)

    def _drop(self, joint: Joint) -> None:
        note_change()
        self._joints.pop(joint, None)

    def _know(self, rows: ContactRows) -> None:
        """Record that a world has contacts in the group."""
        note_change()
        self._contact_rows[rows] = None

    def __repr__(self) -> str:
        return f"<JointGroup with {describing.count(len(self), 'joint')}>"

    def __len__(self) -> int:
        return len(self._in_order())

    def __iter__(self) -> Iterator[Joint]:
        """Joints, oldest first."""
        return iter(self._in_order())

    def _in_order(self) -> list[Joint]:
        return in_order(self._joints, self._contacts())

    def _contacts(self) -> list[Joint]:
        return [joint for rows in self._contact_rows for joint in rows.of_group(self)]

    def empty(self) -> None:
        """Destroy every joint in the group; the group can be filled again."""
        others = [joint for joint in self._joints if joint.kind != "contact"]
        for joint in reversed(others):
            joint.destroy()
        for rows in self._contact_rows:
            rows.empty_group(self)
        self._contact_rows.clear()
        self._joints.clear()

    def destroy(self) -> None:
        """Alias of `empty`, ODE's name."""
        self.empty()
