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
    """A number that one may change while a scene runs.

    Attributes:
        name: what stands beside the slider, with its unit.
        low, high: between which it lies.
        value: that the scene begins with.
        change: called with a new number, between steps.
        hint: what it does, in a sentence.
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
    """A world, ready to run, and how to run it and look at it.

    Attributes:
        world: the world at its beginning.
        h: step size, s.
        seconds: how long the scene is worth running.
        moment: when it is worth a picture, s.
        camera: where to look from, m.
        target: where to look, m.
        note: what there is to see.
        control: called before every step with the time, s; drives what is to be driven.
        sliders: what one may change while it runs, in a live view.
        finished: asked after every step whether the scene is over before its time.
        channels: numbers that a recording of it has besides, by name.
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

    @property
    def steps(self) -> int:
        """Steps in `seconds`."""
        return round(self.seconds / self.h)

    def play(self, steps: int | None = None, advance: Callable[[float], Any] | None = None) -> Iterator[int]:
        """Run step by step, from where the world is; yields the number of each step that was done, from 1 on.

        Args:
            steps: how many; those in `seconds` if left out.
            advance: makes a step of the size it is given; `world.advance` if left out.
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
        """Play to the end, in compiled code as long as nothing is controlled from Python, and return the world."""
        if self.control is None and self.finished is None:
            self.world.advance(self.h, steps=self.steps if steps is None else steps)
        else:
            for _ in self.play(steps):
                pass
        return self.world


SCENES = Family("opendynamics.scenes")


def build(name: str, **options: Any) -> Scene:
    """Build the registered scene `name`, with keyword arguments of its own `build`."""
    scene: Scene = SCENES[name].build(**options)
    return scene


def describe(name: str) -> str:
    """One line about the registered scene `name`."""
    return (SCENES[name].__doc__ or "").strip().splitlines()[0]
