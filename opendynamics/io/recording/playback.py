"""A recording as a scene, which can be played frame by frame like any scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from opendynamics.api.world import World
from opendynamics.io.recording.recording import Recording
from opendynamics.scenes import Scene, Vector

# Camera position relative to the centre of moving bodies, in multiples of their extent.
VIEW = np.array([0.9, -1.7, 0.9])
LEAST = 1.0  # m, extent


@dataclass(frozen=True)
class Playback(Scene):
    """A recording, ready to be shown. Its world shows frames and is not stepped.

    Attributes:
        recording: the recording; `recording.put(scene.world, frame)` shows any frame.
    """

    recording: Recording = field(kw_only=True)

    @property
    def steps(self) -> int:
        """Number of frames after the first."""
        return max(len(self.recording) - 1, 0)

    def play(self, steps: int | None = None, advance: Callable[[float], Any] | None = None) -> Iterator[int]:
        """Show frame after frame; yields the index of each. `advance` is not called, as nothing is simulated."""
        for frame in range(1, min(self.steps, self.steps if steps is None else steps) + 1):
            self.recording.put(self.world, frame)
            yield frame

    def run(self, steps: int | None = None) -> World:
        """Show the last frame and return the world."""
        last = min(self.steps, self.steps if steps is None else steps)
        if len(self.recording):
            self.recording.put(self.world, last)
        return self.world


def playback(recording: Recording) -> Playback:
    """A recording as a scene, ready to be shown."""
    times = recording.times
    seconds = float(times[-1] - times[0]) if len(times) else 0.0
    steps = max(len(times) - 1, 1)
    camera, target = _view(recording)
    return Playback(
        recording.world(),
        h=seconds / steps if seconds > 0.0 else 0.01,
        seconds=seconds,
        camera=camera,
        target=target,
        note=str(recording.header.get("about", {}).get("note", "")) or f"A recording of {len(times)} frames.",
        recording=recording,
    )


def _view(recording: Recording) -> tuple[Vector, Vector]:
    """Camera and target from the recording, or such that they show the bodies' first and last positions."""
    about = recording.header.get("about", {})
    try:
        return _vector(about["camera"]), _vector(about["target"])
    except (LookupError, TypeError, ValueError):
        pass
    ends = [recording[frame].positions for frame in ((0, -1) if len(recording) else ())]
    points = np.concatenate([*ends, np.zeros((0, 3))])
    points = points[np.isfinite(points).all(axis=1)]
    # Ignores a few that have flown away.
    low, high = np.percentile(points, [2, 98], axis=0) if len(points) else np.zeros((2, 3))
    middle = 0.5 * (low + high)
    return _vector(middle + VIEW * max(float((high - low).max()), LEAST)), _vector(middle)


def _vector(numbers: Any) -> Vector:
    x, y, z = (float(number) for number in numbers)
    return x, y, z
