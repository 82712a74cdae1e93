"""Joint group."""

from __future__ import annotations

from collections.abc import Callable
from sys import is_finalizing
from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.handle import Handle
from opendynamics.pyode.lifetime import clean_up, forget, keep


class JointGroup(Handle):
    """Joints that are destroyed together. They exist, even without references, until the group is emptied or destroyed."""

    __slots__ = ("_ode_joints",)

    def _ode_make(self) -> Any:
        clean_up()
        self._ode_joints: list[Any] = []
        return c.dJointGroupCreate(0)

    def _ode_made(self) -> None:
        keep(self._ode_id)

    def __del__(self, is_finalizing: Callable[[], bool] = is_finalizing) -> None:
        if not is_finalizing() and self._ode_arguments is None:
            forget(self._ode_id)

    def empty(self) -> None:
        """Destroy all joints in the group."""
        c.dJointGroupEmpty(self._ode_id)
        joints, self._ode_joints = self._ode_joints, []
        for joint in joints:
            joint._destroyed()

    def _addjoint(self, j: Any) -> None:
        """Reference a joint created in this group."""
        if not hasattr(j, "_destroyed"):
            raise TypeError(f"a joint group holds joints, not {j!r}: it must be a Joint")
        self._ode_joints.append(j)
