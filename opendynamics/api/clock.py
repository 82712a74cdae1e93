"""Simulated time of a world: steps of the same size are counted, so that rounding does not accumulate.

time = time when the step size changed + steps since then x step size
"""

from __future__ import annotations

from opendynamics.api.springs import Springy
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Store


class Clock(Springy):
    """Mixin of a world with its clock; it passes step size changes to springs."""

    _store: Store

    # Steps done and time, s, at the last change of the step size, and that step size, s.
    _clock: tuple[int, float, float] = (0, 0.0, 0.0)

    @property
    def time(self) -> float:
        """Simulated time, s: the sum of all step sizes. It is saved and restored."""
        steps, start, h = self._clock
        return start + (self._steps_made - steps) * h

    @property
    def _steps_made(self) -> int:
        return int(self._store[REPORTS]["moves"][0])

    @property
    def _step_size(self) -> float:
        """Size of the last step, s; 0 before the first."""
        return self._clock[2]

    def _note_call(self, h: float) -> None:
        """Called at the start of a call that takes steps of this size."""
        if h != self._clock[2]:
            self._clock = (self._steps_made, self.time, h)
            self._follow_step(h)
