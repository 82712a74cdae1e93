"""A camera that follows a body.

The camera itself stays, and turns and zooms with the mouse; the whole world is moved under it, against the motion of the
body, so that delayed messages cannot make the picture jitter:

    offset = p(when following began) - p(now) + offset(then)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.viewer.live.batches import Batches

ROOT = "/world"  # the parent frame of the whole world


class Follow:
    """Follows the picked body, while it is `on`.

    Attributes:
        offset: displacement of the world on the stage, m, shape (3,).
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
        """Start or stop following."""
        self.on = on
        self.begin(body)

    def begin(self, body: Body | None) -> None:
        """Follow another body; the picture does not jump."""
        self._body = body
        if body is not None:
            self._fixed = body.position + self.offset

    def go(self, body: Body | None) -> None:
        """Move the world, so that the body stays where it is on the stage. Must be called in an `atomic` block of the server."""
        if not self.on or body is None or body is not self._body or not np.isfinite(body.position).all():
            return
        self.offset = self._fixed - body.position
        self._frame.position = tuple(self.offset)
        # Planes are finite: the drawn part moves along, by whole squares.
        self._batches.detail = replace(self._batches.detail, around=tuple((self._around - self.offset).tolist()))

    def back(self) -> None:
        """Reset the displacement of the world."""
        self.offset = np.zeros(3)
        self._frame.position = (0.0, 0.0, 0.0)
        self._batches.detail = replace(self._batches.detail, around=tuple(self._around.tolist()))
        self.begin(self._body)
