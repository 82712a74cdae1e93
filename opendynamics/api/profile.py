"""Profile of a world's steps: `with world.profile() as profile`.

Meanwhile, steps are made stage by stage from Python, with time measurements in between; the motion is the same, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from opendynamics.api.member import note_change
from opendynamics.core import step as stages
from opendynamics.core.kernels import Entry

if TYPE_CHECKING:
    from opendynamics.api.statistics import Statistics
    from opendynamics.api.stepping import Stepping

# Stages in the order of the step. "solver" includes sequential impacts, if there are any.
STAGES = ("bounds", "broad phase", "narrow phase", "contacts", "islands", "preparation", "solver", "moving")
COUNTS = ("pairs", "contacts", "islands", "rows", "iterations")


@dataclass
class Profile:
    """Time spent in the stages of the steps so far.

    Attributes:
        steps: number of steps; sub-steps count as steps.
        seconds: by stage, of all steps together. Compiling and loading kernels, growing memory, and Python code between the
            stages (callbacks, custom geoms) are not included.
        totals: pairs, contacts, islands, rows and iterations, each summed over the steps.
        most: the maximum of each in a step.
    """

    steps: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    totals: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    most: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))

    @property
    def seconds_per_step(self) -> dict[str, float]:
        """By stage, s."""
        return {stage: seconds / max(self.steps, 1) for stage, seconds in self.seconds.items()}

    def __str__(self) -> str:
        whole = sum(self.seconds.values())
        lines = [f"{self.steps} steps, {1e3 * whole / max(self.steps, 1):.4g} ms a step"]
        for stage, seconds in self.seconds_per_step.items():
            share = 100.0 * self.seconds[stage] / whole if whole else 0.0
            lines.append(f"  {stage:<14}{1e3 * seconds:10.4f} ms {share:5.1f} %")
        for name, total in self.totals.items():
            lines.append(f"  {name:<14}{total / max(self.steps, 1):10.1f} a step, {self.most[name]} at most")
        return "\n".join(lines)

    # -- called by the world -------------------------------------------------------------------------------------------

    def clocked(self, stage: Any) -> Callable[..., Any]:
        """Runs the parts of a stage of `core/step.py` and sums up their times."""
        from opendynamics.core import profile as parts

        if stage is stages.collide:
            numbers = range(parts.BOUNDS, parts.CONTACTS + 1)
        elif stage is stages.constrain:
            numbers = range(parts.ISLANDS, parts.PREPARATION + 1)
        else:
            if isinstance(stage, Entry):
                stage.load()
            return self._clocked(stage, "moving" if stage in (stages.move, stages.damp) else "solver")

        parts.run_stage.load()

        def in_parts(tables: Any, h: float) -> bool:
            return all(self._clocked(parts.run_stage, STAGES[number])(tables, h, number) for number in numbers)

        return in_parts

    def _clocked(self, run: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def clocked(*arguments: Any) -> Any:
            start = perf_counter()
            try:
                return run(*arguments)
            finally:
                self.seconds[stage] += perf_counter() - start

        return clocked

    def note_step(self, statistics: Statistics) -> None:
        """Called at the end of a step."""
        self.steps += 1
        for name in COUNTS:
            number = int(getattr(statistics, name))
            self.totals[name] += number
            self.most[name] = max(self.most[name], number)


@contextmanager
def clocked_by(world: Stepping, profile: Profile) -> Iterator[Profile]:
    """Context in which a profile measures a world's steps."""
    note_change()
    before, world._profile = world._profile, profile
    try:
        yield profile
    finally:
        note_change()
        world._profile = before
