"""Frames at an even pace, and how fast the scene's time really goes."""

from __future__ import annotations

from collections import deque
from time import perf_counter

# s, of a frame that took longer so much is made up for; and over which the real speed is shown.
MOST_LATE, OVER = 0.1, 1.0

# Part of a frame's time for steps; the rest is for showing them.
FOR_STEPS = 0.7

# s. The server sends nothing while a frame is being written, and needs Python for itself to send it.
FOR_SERVER = 0.008


class Pace:
    """Counts time between frames that are to come every `interval` s."""

    def __init__(self, interval: float) -> None:
        self.interval = interval
        self._last = perf_counter()
        self._counted: deque[tuple[float, float]] = deque()

    def elapsed(self) -> float:
        """s since the last call, but not more than can be made up for. A new frame begins."""
        now = perf_counter()
        passed = now - self._last
        self._last = now
        return min(passed, MOST_LATE)

    @property
    def deadline(self) -> float:
        """When this frame's steps should be done, by time.perf_counter."""
        return self._last + FOR_STEPS * self.interval

    @property
    def left(self) -> float:
        """s until the next frame; 0 when it is time."""
        return max(self._last + self.interval - perf_counter(), 0.0)

    @property
    def rest(self) -> float:
        """s for other threads after a frame: until the next one, and at least what the server needs to send this one."""
        return max(self.left, FOR_SERVER)

    def count(self, simulated: float) -> None:
        """Note that the frame took the scene so many s further."""
        self._counted.append((self._last, simulated))
        while self._counted[0][0] < self._last - OVER:
            self._counted.popleft()

    @property
    def speed(self) -> float:
        """Scene's time over the clock's, in the last second."""
        if len(self._counted) < 2:
            return 0.0
        passed = self._counted[-1][0] - self._counted[0][0]
        done = sum(simulated for _, simulated in self._counted) - self._counted[0][1]
        return done / passed if passed > 0.0 else 0.0

    @property
    def frames_per_second(self) -> float:
        """Frames in the last second."""
        if len(self._counted) < 2:
            return 0.0
        return (len(self._counted) - 1) / (self._counted[-1][0] - self._counted[0][0])
