"""Points that change from frame to frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Dots:
    """Points under one name of viser's scene, in one colour; created when there are some for the first time."""

    def __init__(self, scene: Any, name: str, colour: tuple[int, int, int]) -> None:
        self._scene = scene
        self._name = name
        self._colour = colour
        self._handle: Any = None

    def show(self, points: Array, size: float) -> None:
        """Show points, shape (n, 3), m, as discs of `size` m."""
        if not len(points):
            self.hide()
            return
        places = points.astype(np.float32)
        if self._handle is None:
            self._handle = self._scene.add_point_cloud(
                self._name, places, self._colour, point_size=size, point_shape="circle", precision="float32"
            )
            return
        self._handle.points = places
        self._handle.point_size = size
        self._handle.visible = True

    def hide(self) -> None:
        """Hide all."""
        if self._handle is not None:
            self._handle.visible = False
