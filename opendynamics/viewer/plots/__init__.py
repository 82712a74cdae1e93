"""Quantities of a recording that can be plotted. One file of this family is the first part of a word, such as `energy` in
`energy.kinetic` or `body` in `body:ball.position.z`.

A member has

* `words(frames)`: the words that it offers for these frames, the most useful ones first;
* `curves(frames, rest)`: the curves of one of them, given without the member's own name and the separator; LookupError if it
  does not offer that word, ValueError if the data was not recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from opendynamics.core.families import Family

Array = npt.NDArray[np.float64]

PLOTS = Family("opendynamics.viewer.plots")


@dataclass(frozen=True)
class Curve:
    """A curve of a plot.

    Attributes:
        label: its name.
        unit: of the values; curves of one unit and one `axis` share a panel.
        axis: label of the axis.
        values: one number per frame.
    """

    label: str
    unit: str
    axis: str
    values: Array


def components(label: str, unit: str, axis: str, values: Array, names: Sequence[str] = "xyz") -> list[Curve]:
    """A curve for each column."""
    return [Curve(f"{label}.{name}", unit, axis, values[:, k]) for k, name in enumerate(names)]


def chosen(curves: Sequence[Curve], rest: str) -> list[Curve]:
    """All curves if `rest` is empty, else the one whose label ends with it; LookupError if there is none."""
    found = [curve for curve in curves if not rest or curve.label.endswith(f".{rest}")]
    if not found:
        raise LookupError(rest)
    return found


def rate_of_change(values: Array, times: Array) -> Array:
    """Derivatives by central differences, along the first axis."""
    if len(times) < 2:
        return np.full(values.shape, np.nan)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # two frames may have the same time
        return np.asarray(np.gradient(values, times, axis=0))
