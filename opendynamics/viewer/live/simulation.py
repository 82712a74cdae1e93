"""A scene that is simulated while it is shown."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from opendynamics.api.world import World
from opendynamics.scenes import Scene
from opendynamics.viewer.live.measures import contact_forces


class Simulation:
    """Steps a scene's world.

    Args:
        scene: the scene.
        advance: takes a step of the given size; `world.advance` by default.
        rebuild: rebuilds the scene for a reset; by default the world is restored.

    The functions `before_step` are called with the step size before every step, to apply forces. With `timed`,
    `stage_seconds` are the times of the last step.
    """

    end = None

    def __init__(
        self,
        scene: Scene,
        *,
        advance: Callable[[float], Any] | None = None,
        rebuild: Callable[[], Scene] | None = None,
    ) -> None:
        self.scene = scene
        self.before_step: list[Callable[[float], None]] = []
        self.timed = False
        self.stage_seconds: dict[str, float] = {}
        self._advance = advance
        self._rebuild = rebuild
        self._beginning = scene.world.save() if rebuild is None else None
        self._steps = 0
        self._owed = 0.0

    @property
    def world(self) -> World:
        """The scene's world."""
        return self.scene.world

    @property
    def time(self) -> float:
        """Scene time, s."""
        return self._steps * self.scene.h

    def contacts(self) -> tuple[Any, Any]:
        """Positions, m, and normal forces, N, of the contacts of the last step, both (n, 3)."""
        return contact_forces(self.world)

    def advance(self, seconds: float, deadline: float) -> int:
        """Make the steps that fit into this time, and those owed from before; steps that are not done in time are dropped, so
        that a slow simulation runs slowly instead of lagging more and more.
        """
        self._owed += seconds
        done = 0
        while self._owed >= self.scene.h:
            self.step()
            done += 1
            self._owed -= self.scene.h
            if perf_counter() >= deadline:
                self._owed = min(self._owed, self.scene.h)
                break
        return done

    def step(self) -> None:
        """One step: the scene's control, external forces, the engine."""
        h = self.scene.h
        if self.scene.control is not None:
            self.scene.control(self.time)
        for act in self.before_step:
            act(h)
        if self._advance is not None:
            self._advance(h)
        elif self.timed:
            self.stage_seconds = self.world.time_stages(h)
        else:
            self.world.advance(h)
        self._steps += 1

    def reset(self) -> None:
        """Build the scene anew, or restore the world."""
        if self._rebuild is not None:
            self.scene = self._rebuild()
        elif self._beginning is not None:
            self.world.restore(self._beginning)
        self._steps, self._owed = 0, 0.0

    def seek(self, time: float) -> None:
        """A simulation can only restart."""
        if time != 0.0:
            raise ValueError(f"{self.world.name} is simulated live: it can only be reset, not set to {time} s")
        self.reset()
