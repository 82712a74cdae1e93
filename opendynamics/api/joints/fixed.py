"""Fixed joint."""

from __future__ import annotations

from typing import Any

from opendynamics.api.joints.joint import OwnSoftness


class Fixed(OwnSoftness):
    """Fixed joint: locks the relative pose of two bodies. For the arguments see `Joint`.

    A single body is faster and stiffer; use a fixed joint for parts that may come off.
    """

    __slots__ = ()

    kind = "fixed"

    def _note_rest_position(self) -> None:
        self.fix()

    def fix(self) -> None:
        """Lock the bodies at their current relative pose."""
        first, second = self._inner_bodies
        record: Any = self._record
        if second is None:
            record["anchor1"] = first.position
        else:
            record["anchor0"] = first.vector_from_world(first.position - second.position)
        self._note_relative_orientation()
