"""Fixed joint."""

from __future__ import annotations

from typing import Any

from opendynamics.api.joints.joint import OwnSoftness


class Fixed(OwnSoftness):
    """Two bodies do not move against each other. For the arguments see `Joint`.

    Where both could be one body, that is faster and stiffer; a fixed joint is for what may come off.
    """

    __slots__ = ()

    kind = "fixed"

    def _note_rest_position(self) -> None:
        self.fix()

    def fix(self) -> None:
        """Hold the bodies as they are now."""
        first, second = self._inner_bodies
        record: Any = self._record
        if second is None:
            record["anchor1"] = first.position
        else:
            record["anchor0"] = first.vector_from_world(first.position - second.position)
        self._note_relative_orientation()
