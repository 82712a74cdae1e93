"""Playback of a recording in the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.scenes import Scene


class Replay:
    """Sets a world to recorded moments.

    Args:
        scene: the shown world, and the view.
        times: times of the frames, s, ascending, shape (n,).
        put: shows the frame with an index in the world.
        contacts: returns the `positions` (n, 3), m, and `forces` (n, 3), N, of a frame; ValueError if there are none.
    """

    def __init__(
        self, scene: Scene, times: Any, put: Callable[[int], Any], *, contacts: Callable[[int], Any] | None = None
    ) -> None:
        self.scene = scene
        self.times = checks.array("the times of a recording", times)
        if self.times.ndim != 1 or not len(self.times) or (np.diff(self.times) < 0.0).any():
            raise ValueError(f"a recording needs ascending times of at least one frame, not {self.times.tolist()[:10]}")
        self._put = put
        self._contacts = contacts
        self._at = 0.0
        self.frame = -1
        self.seek(0.0)

    @property
    def world(self) -> World:
        """The world that takes the recorded poses."""
        return self.scene.world

    @property
    def time(self) -> float:
        """Time since the first frame, s."""
        return self._at

    @property
    def end(self) -> float:
        """Duration from the first frame to the last, s."""
        return float(self.times[-1] - self.times[0])

    def contacts(self) -> tuple[Any, Any]:
        """Positions, m, and forces, N, of the contacts of the frame, both (n, 3); empty if they were not recorded."""
        if self._contacts is not None:
            try:
                found = self._contacts(self.frame)
                return np.asarray(found.positions), np.asarray(found.forces)
            except ValueError:
                self._contacts = None
        return np.zeros((0, 3)), np.zeros((0, 3))

    def advance(self, seconds: float, deadline: float) -> int:
        """Play on; returns 0 if the last frame was already reached."""
        if self._at >= self.end:
            return 0
        self.seek(self._at + seconds)
        return 1

    def step(self) -> None:
        """The next frame."""
        self._show(min(self.frame + 1, len(self.times) - 1))
        self._at = float(self.times[self.frame] - self.times[0])

    def reset(self) -> None:
        """The first frame."""
        self.seek(0.0)

    def seek(self, time: float) -> None:
        """The last frame that is not later than `time`."""
        self._at = min(max(time, 0.0), self.end)
        at = self.times[0] + self._at
        self._show(max(int(np.searchsorted(self.times, at + 1e-9, side="right")) - 1, 0))

    def _show(self, frame: int) -> None:
        if frame != self.frame:
            self._put(frame)
            self.frame = frame
