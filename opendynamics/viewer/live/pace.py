"""Frames at an even pace, and the actual speed of the scene's time."""

from __future__ import annotations

from collections import deque
from time import perf_counter

# s: lag of a slow frame that is made up for; and averaging time of the shown speed.
MAX_LATE, OVER = 0.1, 1.0

# Fraction of a frame's time for steps; the rest is for showing them.
FOR_STEPS = 0.7

# s. The server sends nothing while a frame is being written, and needs the GIL to send it.
FOR_SERVER = 0.008


class Pace:
    """Measures the time between frames that are due every `interval` s."""

    def __init__(self, interval: float) -> None:
        self.interval = interval
        self._last = perf_counter()
        self._counted: deque[tuple[float, float]] = deque()

    def elapsed(self) -> float:
        """Time since the last call, s, but at most what can be made up for. Starts a new frame."""
        now = perf_counter()
        passed = now - self._last
        self._last = now
        return min(passed, MAX_LATE)

    @property
    def deadline(self) -> float:
        """Time at which this frame's steps should be done, of time.perf_counter."""
        return self._last + FOR_STEPS * self.interval

    @property
    def left(self) -> float:
        """Time until the next frame, s; 0 if it is due."""
        return max(self._last + self.interval - perf_counter(), 0.0)

    @property
    def rest(self) -> float:
        """Time for other threads after a frame, s: until the next one, and at least what the server needs to send this one."""
        return max(self.left, FOR_SERVER)

    def count(self, simulated: float) -> None:
        """Record that the frame advanced the scene by this time, s."""
        self._counted.append((self._last, simulated))
        while self._counted[0][0] < self._last - OVER:
            self._counted.popleft()

    @property
    def speed(self) -> float:
        """Scene time relative to wall-clock time, in the last second."""
        if len(self._counted) < 2:
            return 0.0
        passed = self._counted[-1][0] - self._counted[0][0]
        done = sum(simulated for _, simulated in self._counted) - self._counted[0][1]
        return done / passed if passed > 0.0 else 0.0

    @property
    def frames_per_second(self) -> float:
        """Number of frames in the last second."""
        if len(self._counted) < 2:
            return 0.0
        return (len(self._counted) - 1) / (self._counted[-1][0] - self._counted[0][0])
