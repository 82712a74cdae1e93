"""Registered scenes, shared by the command line, examples, tests and benchmarks. One file of this family is one scene.

A member has a docstring, whose first line describes the scene in a list, and `build(**options) -> Scene`, whose keyword
arguments all have defaults. To add a scene, add a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.core.families import Family

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Slider:
    """A number that can be changed while a scene runs.

    Attributes:
        name: label of the slider, with its unit.
        low, high: its range.
        value: its initial value.
        change: called with a new number, between steps.
        hint: its effect, in one sentence.
    """

    name: str
    low: float
    high: float
    value: float
    change: Callable[[float], Any]
    hint: str = ""

    def __post_init__(self) -> None:
        low, high, value = (checks.finite(f"each number of the slider {self.name}", x) for x in self._numbers)
        if not (low < high and low <= value <= high):
            raise ValueError(f"the slider {self.name} must go from low to high with its value between: {self._numbers}")
        if not callable(self.change):
            raise TypeError(f"what the slider {self.name} changes must be a function of a number, not {self.change!r}")

    @property
    def _numbers(self) -> tuple[float, float, float]:
        return self.low, self.high, self.value


@dataclass(frozen=True)
class Scene:
    """A world, ready to run, with its step size, control and view.

    Attributes:
        world: the world in its initial state.
        h: step size, s.
        seconds: recommended duration, s.
        moment: recommended time of a picture, s.
        camera: position of the camera, m.
        target: point that the camera looks at, m.
        note: description of what happens.
        control: called before every step with the time, s; controls motors and so on.
        sliders: numbers that can be changed while it runs, in a live view.
        finished: called after every step; True ends the scene early.
        channels: further numbers for a recording, by name.
    """

    world: World
    h: float = 0.01
    seconds: float = 10.0
    moment: float = 0.0
    camera: Vector = (6.0, -8.0, 4.0)
    target: Vector = (0.0, 0.0, 0.5)
    note: str = ""
    control: Callable[[float], None] | None = None
    sliders: tuple[Slider, ...] = ()
    finished: Callable[[], bool] | None = None
    channels: Mapping[str, Callable[[], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.world, World):
            raise TypeError(f"the world of a scene must be a World, not {self.world!r}")
        checks.step_size(self.h)
        checks.not_negative("the seconds of a scene", self.seconds)

    @property
    def steps(self) -> int:
        """Number of steps in `seconds`."""
        return round(self.seconds / self.h)

    def play(self, steps: int | None = None, advance: Callable[[float], Any] | None = None) -> Iterator[int]:
        """Run step by step, from the world's current state; yields the number of each completed step, from 1 on.

        Args:
            steps: number of steps; by default those in `seconds`.
            advance: takes a step of the given size; `world.advance` by default.
        """
        advance = advance or self.world.advance
        for step in range(self.steps if steps is None else steps):
            if self.control is not None:
                self.control(self.world.time)
            advance(self.h)
            yield step + 1
            if self.finished is not None and self.finished():
                return

    def run(self, steps: int | None = None) -> World:
        """Play to the end, in compiled code if nothing is controlled from Python, and return the world."""
        if self.control is None and self.finished is None:
            self.world.advance(self.h, steps=self.steps if steps is None else steps)
        else:
            for _ in self.play(steps):
                pass
        return self.world


SCENES = Family("opendynamics.scenes")


def build(name: str, **options: Any) -> Scene:
    """Build the registered scene `name`, with keyword arguments of its `build`."""
    scene: Scene = SCENES[name].build(**options)
    return scene


def describe(name: str) -> str:
    """One line about the registered scene `name`."""
    return (SCENES[name].__doc__ or "").strip().splitlines()[0]
