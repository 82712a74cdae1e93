"""Axis-aligned boxes, as in the broadphase of the last step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api.reading import boxes_of
from opendynamics.viewer.live.overlays.drawing.lines import Lines

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Boxes"
HINT = "Axis-aligned boxes, as the broadphase had them in the last step; endless ones are left out"
ON = False

COLOUR = (116, 132, 60)

# Corners by number: bit 0 is x, bit 1 is y, bit 2 is z; edges connect those that differ in one bit.
EDGES = np.array([(a, a | bit) for bit in (1, 2, 4) for a in range(8) if not a & bit])


class Overlay:
    """Edges of boxes."""

    def __init__(self, scene: Any) -> None:
        self._lines = Lines(scene, "/world/overlays/boxes", 1.5)

    def draw(self, session: Session) -> None:
        """Show the boxes of the world's geoms."""
        bounds = boxes_of(session.world).reshape(-1, 3, 2)
        bounds = bounds[np.isfinite(bounds).all(axis=(1, 2)) & (bounds[:, :, 1] > bounds[:, :, 0]).any(axis=1)]
        corners = np.stack([[bounds[:, k, corner >> k & 1] for k in range(3)] for corner in range(8)])
        ends = corners.transpose(2, 0, 1)[:, EDGES]  # (n, 12, 2, 3)
        self._lines.show(ends.reshape(-1, 2, 3), COLOUR)

    def clear(self) -> None:
        """Hide them."""
        self._lines.hide()
