"""Arrows that change from frame to frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.viewer.live.batch import as_light

Array = npt.NDArray[Any]

# Sizes of an arrow, relative to the scene's typical length.
SHAFT, HEAD, HEAD_LENGTH = 0.05, 0.15, 0.36


class Arrows:
    """Arrows under one name of viser's scene, in one colour; created when there are some for the first time."""

    def __init__(self, scene: Any, name: str, colour: tuple[int, int, int]) -> None:
        self._scene = scene
        self._name = name
        self._colour = as_light(colour)
        self._handle: Any = None

    def show(self, points: Array, unit: float) -> None:
        """Show arrows from points[:, 0] to points[:, 1], shape (n, 2, 3), m, with the thickness scaled by `unit`."""
        if not len(points):
            self.hide()
            return
        ends = points.astype(np.float32)
        if self._handle is None:
            sizes = {"shaft_radius": SHAFT * unit, "head_radius": HEAD * unit, "head_length": HEAD_LENGTH * unit}
            self._handle = self._scene.add_arrows(self._name, ends, self._colour, **sizes)
            return
        self._handle.points = ends
        self._handle.visible = True

    def hide(self) -> None:
        """Hide all."""
        if self._handle is not None:
            self._handle.visible = False
