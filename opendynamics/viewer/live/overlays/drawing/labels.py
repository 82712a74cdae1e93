"""Text labels in the scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Labels:
    """Labels under one name of viser's scene, one node each; nodes are created on demand, and kept."""

    def __init__(self, scene: Any, name: str) -> None:
        self._scene = scene
        self._name = name
        self._handles: list[Any] = []

    def show(self, places: Array, words: Sequence[str]) -> None:
        """Show labels at points, shape (n, 3), m, instead of the previous ones."""
        for number, (place, text) in enumerate(zip(np.asarray(places, np.float64).tolist(), words, strict=True)):
            if number == len(self._handles):
                self._handles.append(self._scene.add_label(f"{self._name}/{number}", text, position=tuple(place)))
            handle = self._handles[number]
            handle.position, handle.text, handle.visible = tuple(place), text, True
        for handle in self._handles[len(words) :]:
            handle.visible = False
