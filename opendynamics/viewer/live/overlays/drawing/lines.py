"""Line segments that change from frame to frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Lines:
    """Segments under one name of viser's scene; created when there are some for the first time. `thickness`: pixels."""

    def __init__(self, scene: Any, name: str, thickness: float) -> None:
        self._scene = scene
        self._name = name
        self._thickness = thickness
        self._handle: Any = None

    def show(self, points: Array, colours: Any) -> None:
        """Show segments, shape (n, 2, 3), m, in one colour (3,) or one each, (n, 3)."""
        if not len(points):
            self.hide()
            return
        ends = points.astype(np.float32)
        each = np.broadcast_to(np.asarray(colours, np.uint8).reshape(-1, 1, 3), (len(ends), 2, 3))
        if self._handle is None:
            self._handle = self._scene.add_line_segments(
                self._name, ends, each, thickness=self._thickness, thickness_units="screen"
            )
            return
        self._handle.points = ends
        self._handle.colors = each
        self._handle.visible = True

    def hide(self) -> None:
        """Hide all."""
        if self._handle is not None:
            self._handle.visible = False
