"""Joint group: joints that are destroyed together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from opendynamics.api.member import Belonging, Sealed, note_change

if TYPE_CHECKING:
    from opendynamics.api.joints.joint import Joint
    from opendynamics.api.world import World


class JointGroup(Sealed, Belonging):
    """Joints to be destroyed together, as the contacts of a step. Give it to joints as `group`."""

    def __init__(self) -> None:
        self._joints: dict[Joint, None] = {}

    name = "the joint group"

    def _saved_with(self) -> World | None:
        return next((joint._world for joint in self._joints), None)

    def _add(self, joint: Joint) -> None:
        note_change()
        self._joints[joint] = None

    def _drop(self, joint: Joint) -> None:
        note_change()
        self._joints.pop(joint, None)

    def __len__(self) -> int:
        return len(self._joints)

    def __iter__(self) -> Iterator[Joint]:
        """Joints, oldest first."""
        return iter(tuple(self._joints))

    def empty(self) -> None:
        """Destroy every joint in the group; the group can be filled again."""
        for joint in reversed(tuple(self._joints)):
            joint.destroy()

    def destroy(self) -> None:
        """The same as `empty`, for those who are used to ODE."""
        self.empty()
