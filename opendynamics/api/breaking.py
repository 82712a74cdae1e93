"""Breakable joints: after each step, and each sub-step, joints whose force or torque exceeded the limit are disabled."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from opendynamics.api import checks
from opendynamics.api.member import note_change

if TYPE_CHECKING:
    from opendynamics.api.joints.joint import Joint


class Strength(NamedTuple):
    """Breaking limits of a joint: force, N, and torque, N m; and whether it has broken."""

    force: float = math.inf
    torque: float = math.inf
    broken: bool = False


class Breakable:
    """Mixin of a joint with its breaking limits, which its world stores."""

    __slots__ = ()

    @property
    def break_force(self: Any) -> float:
        """Force, N, at which the joint breaks: it is disabled after the step. Infinite, the default: it never breaks.

        With `world.substeps`, it breaks by the force of a sub-step, and is disabled after that.
        """
        self._row  # noqa: B018
        return self._world._strengths.get(self, Strength()).force  # type: ignore[no-any-return]

    @break_force.setter
    def break_force(self: Any, value: float) -> None:
        self._row  # noqa: B018
        force = checks.positive(self._say("the break force"), value, infinite=True)
        self._set_strength(force=force)

    @property
    def break_torque(self: Any) -> float:
        """Torque, N m, at which the joint breaks, about its anchor or else body1's centre of mass; infinite by default."""
        self._row  # noqa: B018
        return self._world._strengths.get(self, Strength()).torque  # type: ignore[no-any-return]

    @break_torque.setter
    def break_torque(self: Any, value: float) -> None:
        self._row  # noqa: B018
        torque = checks.positive(self._say("the break torque"), value, infinite=True)
        self._set_strength(torque=torque)

    @property
    def broken(self: Any) -> bool:
        """Whether the joint has broken. Enable it to repair it."""
        self._row  # noqa: B018
        return self._world._strengths.get(self, Strength()).broken and not self.enabled

    def _set_strength(self: Any, **values: float) -> None:
        strengths = self._world._strengths
        note_change()
        strengths[self] = strengths.get(self, Strength())._replace(broken=False, **values)


def break_joints(strengths: dict[Joint, Strength]) -> None:
    """Disable the joints whose limits were exceeded in the last step or sub-step, and mark them broken."""
    broken = {joint: limit._replace(broken=True) for joint, limit in strengths.items() if _breaks(joint, limit)}
    for joint in broken:
        joint.enabled = False
    if broken:
        note_change()
        strengths |= broken


def _breaks(joint: Joint, limit: Strength) -> bool:
    if not joint.enabled or joint.bodies == (None, None):
        return False
    feedback, body = joint.feedback, joint._inner_bodies[0]
    force, torque = feedback.force1, feedback.torque1
    anchor = getattr(joint, "anchor", None)
    if anchor is not None:
        torque = torque - np.cross(anchor - body.position, force)
    return bool(math.hypot(*force) > limit.force or math.hypot(*torque) > limit.torque)
