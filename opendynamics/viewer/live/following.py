"""A camera that goes with a body.

The camera stays, and turns and zooms as the mouse says; the whole world is moved under it, against the motion of the body, so
that nothing that is sent late can make the picture tremble:

    offset = p(when the following began) - p(now) + offset(then)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.viewer.live.batches import Batches

ROOT = "/world"  # the frame under which everything of the world stands


class Follow:
    """Follows the body that is picked, while it is `on`.

    Attributes:
        offset: by how much the world is moved on the stage, m, shape (3,).
    """

    def __init__(self, scene: Any, batches: Batches) -> None:
        self.on = False
        self.offset = np.zeros(3)
        self._frame = scene.add_frame(ROOT, show_axes=False)
        self._batches = batches
        self._around = np.asarray(batches.detail.around, np.float64)
        self._body: Body | None = None
        self._fixed = np.zeros(3)  # of the body on the stage

    def switch(self, on: bool, body: Body | None) -> None:
        """Follow from now on, or stand still."""
        self.on = on
        self.begin(body)

    def begin(self, body: Body | None) -> None:
        """Follow another body; what is seen does not jump."""
        self._body = body
        if body is not None:
            self._fixed = body.position + self.offset

    def go(self, body: Body | None) -> None:
        """Move the world, so that the body stays where it is on the stage. Belongs into an `atomic` block of the server."""
        if not self.on or body is None or body is not self._body or not np.isfinite(body.position).all():
            return
        self.offset = self._fixed - body.position
        self._frame.position = tuple(self.offset)
        # Planes end somewhere: what is drawn of them goes along, by whole squares.
        self._batches.detail = replace(self._batches.detail, around=tuple((self._around - self.offset).tolist()))

    def back(self) -> None:
        """Put the world back to its place."""
        self.offset = np.zeros(3)
        self._frame.position = (0.0, 0.0, 0.0)
        self._batches.detail = replace(self._batches.detail, around=tuple(self._around.tolist()))
        self.begin(self._body)
