"""Accuracy where engines are usually wrong. One module is one topic; each has

    TITLE       the topic's title
    TEXT        what is measured, how, and what theory says: Markdown
    measure()   list of Row: figures with their goals, and those of ODE and MuJoCo
    plot(path)  optional: writes an SVG file, which the page includes

`python -m benchmarks.validation` measures and writes docs/validation.md (`_page`). Long measurements reduce their size with
`samples` or `every`. Goals are tested, at smaller size, in tests/laws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Settings:
    """The amount of measurement.

    Attributes:
        part: fraction of the samples, above 0 and at most 1.
    """

    part: float = 1.0


settings = Settings()


def samples(count: int) -> int:
    """Number of samples to take, out of `count`."""
    return max(1, round(settings.part * count))


def every(values: Sequence[T]) -> Sequence[T]:
    """Evenly spaced values, including the last: as many as there are samples to take."""
    count = samples(len(values))
    return [values[(k + 1) * len(values) // count - 1] for k in range(count)]


@dataclass(frozen=True)
class Row:
    """One figure.

    Attributes:
        what: the measured quantity, with its unit.
        figure: the result of opendynamics.
        goal: the target, in words and numbers ("at most 1e-12").
        reached: whether the figure reaches it.
        ode: ODE's result in the same run, by libode; None: not measured.
        mujoco: MuJoCo's; None: it cannot run the scene, or is not installed.
    """

    what: str
    figure: float
    goal: str
    reached: bool
    ode: float | None = None
    mujoco: float | None = None


def at_most(what: str, figure: float, most: float, ode: float | None = None, mujoco: float | None = None) -> Row:
    """A row whose figure has an upper bound."""
    return Row(what, figure, f"at most {most:.3g}", bool(figure <= most), ode, mujoco)


def at_least(what: str, figure: float, least: float, ode: float | None = None, mujoco: float | None = None) -> Row:
    """A row whose figure has a lower bound."""
    return Row(what, figure, f"at least {least:.3g}", bool(figure >= least), ode, mujoco)
