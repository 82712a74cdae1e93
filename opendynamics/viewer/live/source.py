"""Interface of shown objects: a world that changes over time. `Simulation` computes it, `Replay` reads it."""

from __future__ import annotations

from typing import Any, Protocol

from opendynamics.api.world import World
from opendynamics.scenes import Scene


class Source(Protocol):
    """A world over time. Only the thread of the loop accesses it."""

    scene: Scene

    @property
    def world(self) -> World:
        """The world to show; it may be another one after a reset."""

    @property
    def time(self) -> float:
        """Time since the start, s."""

    @property
    def end(self) -> float | None:
        """End time, s; None if there is none."""

    def contacts(self) -> tuple[Any, Any]:
        """Positions, m, and forces, N, of the contacts of the last step, both (n, 3)."""

    def advance(self, seconds: float, deadline: float) -> int:
        """Advance by this time, or as far as possible until `deadline` (of time.perf_counter). Returns the number of steps."""

    def step(self) -> None:
        """Advance by one step."""

    def reset(self) -> None:
        """Reset to the start; ValueError with the reason if that is not possible."""

    def seek(self, time: float) -> None:
        """Go to a time; ValueError if that is not possible."""
