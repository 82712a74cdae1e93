"""What is looked at: something with a world that moves in time. `Simulation` makes its future, `Replay` has its past."""

from __future__ import annotations

from typing import Any, Protocol

from opendynamics.api.world import World
from opendynamics.scenes import Scene


class Source(Protocol):
    """A world in time. Only the thread of the loop touches it."""

    scene: Scene

    @property
    def world(self) -> World:
        """The world to look at; another one after a reset, perhaps."""

    @property
    def time(self) -> float:
        """s, since the beginning."""

    @property
    def end(self) -> float | None:
        """s, where the time ends; None if it does not end."""

    def contacts(self) -> tuple[Any, Any]:
        """Places, m, and forces, N, of the contacts of the last step, both (n, 3)."""

    def advance(self, seconds: float, deadline: float) -> int:
        """Advance by so many seconds, or as far as one comes until `deadline` (of time.perf_counter). Steps done."""

    def step(self) -> None:
        """Advance by one step."""

    def reset(self) -> None:
        """Go back to the beginning; ValueError with the reason if there is no way."""

    def seek(self, time: float) -> None:
        """Go to a time; ValueError if there is no way."""
