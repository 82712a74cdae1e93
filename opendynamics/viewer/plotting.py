"""Plots of recordings, and of numbers over time: `od.plot`."""

from __future__ import annotations

import difflib
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.api.suggestions import explain_function
from opendynamics.io.recording.frame import Frames
from opendynamics.io.recording.recording import Recording
from opendynamics.viewer.plots import PLOTS, Curve

DEFAULT = ("energy", "contacts")
PANEL = (8.0, 2.6)  # inches
MAX_LISTED = 40  # words in a message


@explain_function
def plot(source: Any, what: Any = DEFAULT, *, times: Any = None, title: str | None = None) -> Any:
    """Plot quantities over time; returns a matplotlib Figure, which needs no display: `figure.savefig("run.png")`.

    Args:
        source: a recording, some frames of one, or its path; or numbers by name, such as {"height": heights}.
        what: words as in "energy,contacts,body:ball.position.z,joint:hinge1.angle", or a list of them; see `plot_words`.
            Curves of the same kind share a panel. Of numbers by name, all are plotted.
        times: times of numbers by name, s; by default they are numbered.
        title: above the plot; by default the name of the file.

    ValueError lists the known words. Needs the extra `plot`.
    """
    if isinstance(source, (str, Path)):
        with Recording(source) as recording:
            return plot(recording, what, title=title)
    if isinstance(source, Mapping):
        curves, along, label = _given(source, times)
    elif isinstance(source, Frames):
        if times is not None:
            raise ValueError("a recording has its own times: leave out times=")
        curves = [curve for word in _split(source, what) for curve in find(source, word)]
        along, label = source.times, "time, s"
        curves = [plain(curve) for curve in curves]
        title = as_text(source.path.name) if title is None else title
    else:
        raise TypeError(
            f"plot takes a recording, its path, or numbers by name, not {source!r}; record a world by od.Recorder(world, path)"
        )
    return draw(curves, along, label, title)


@explain_function
def plot_words(frames: Frames) -> list[str]:
    """All words for `what` that exist for these frames, those of the whole world first."""
    words = [word for name in PLOTS.names for word in PLOTS[name].words(frames)]
    return sorted(words, key=lambda word: ":" in word)


def find(frames: Frames, word: str) -> list[Curve]:
    """The curves of a word; ValueError that lists the known ones if it is not known."""
    name = word.partition(":")[0].partition(".")[0]
    if name in PLOTS.names:
        try:
            curves: list[Curve] = PLOTS[name].curves(frames, word[len(name) + 1 :])
            return curves
        except LookupError:
            pass
    known = plot_words(frames)
    close = difflib.get_close_matches(word, known, 1)
    guess = f"did you mean {close[0]}? " if close else ""
    # With many bodies, words with the same beginning are more helpful than all.
    alike = [other for other in known if other.startswith(f"{name}:")] or known
    text = ", ".join(alike[:MAX_LISTED]) + (f" and {len(alike) - MAX_LISTED} more" if len(alike) > MAX_LISTED else "")
    raise ValueError(f"there is no {word!r} to plot in {frames.path.name}; {guess}There are: {text}")


def _split(frames: Frames, what: Any) -> list[str]:
    """The words of `what`; names with a comma must be given in a list."""
    parts = what.split(",") if isinstance(what, str) else what
    if not isinstance(parts, Sequence) or not all(isinstance(word, str) for word in parts):
        raise TypeError(f"what to plot must be words, such as 'energy,contacts', not {what!r}")
    words = [word.strip() for word in parts if word.strip()]
    if not words:
        raise ValueError(f"say what to plot, for example {','.join(DEFAULT)!r}")
    return words


def _given(source: Mapping[str, Any], times: Any) -> tuple[list[Curve], Any, str]:
    curves = []
    for name, values in source.items():
        array = np.asarray(values, np.float64)
        if array.ndim not in (1, 2):
            raise ValueError(f"{name!r} must be numbers over time, shape (n,) or (n, k), not {array.shape}")
        columns = array.reshape(len(array), array[0].size if len(array) else 1)
        labels = [name] if array.ndim == 1 else [f"{name}[{k}]" for k in range(columns.shape[1])]
        curves += [Curve(label, "", name, columns[:, k]) for k, label in enumerate(labels)]
    if not curves:
        raise ValueError("there are no numbers to plot")
    lengths = {len(curve.values) for curve in curves}
    along = np.arange(max(lengths)) if times is None else np.asarray(times, np.float64)
    if along.ndim != 1:
        raise ValueError(f"times must be numbers, shape (n,), not {along.shape}")
    if lengths != {len(along)}:
        raise ValueError(f"all that is plotted must have as many numbers as there are times, not {sorted(lengths)}")
    return curves, along, "number" if times is None else "time, s"


@cache
def figure_class() -> Any:
    """The result of `draw`: a Figure that a notebook shows, inline or not. ImportError without the extra `plot`."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(
            "plots need the matplotlib package: pip install 'opendynamics[plot]'", name="matplotlib"
        ) from None

    class PlottedFigure(Figure):
        def _repr_png_(self) -> bytes:
            data = io.BytesIO()
            self.savefig(data, format="png")
            return data.getvalue()

    return PlottedFigure


def plain(curve: Curve) -> Curve:
    """A curve of a recording for `draw`."""
    return replace(curve, label=as_text(curve.label), axis=as_text(curve.axis))


def as_text(name: str) -> str:
    """A name as matplotlib shows it: between two dollars it would expect TeX."""
    return name.replace("$", r"\$")


def draw(curves: list[Curve], along: Any, label: str = "time, s", title: str | None = None) -> Any:
    """A figure with a panel for each kind of curves; `label` is that of their common axis. Texts may have TeX between dollars."""
    made_of = figure_class()
    panels: dict[tuple[str, str], list[Curve]] = {}
    for curve in curves:
        panels.setdefault((curve.axis, curve.unit), []).append(curve)
    figure = made_of(figsize=(PANEL[0], 0.6 + PANEL[1] * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for at, ((axis, unit), lines) in zip(axes, panels.items(), strict=True):
        for curve in lines:
            at.plot(along, curve.values, label=curve.label, linewidth=1.3, marker="o" if len(along) == 1 else None)
        at.set_ylabel(f"{axis}, {unit}" if unit else axis)
        at.grid(True, alpha=0.3)
        at.margins(x=0.01)
        for side in ("top", "right"):
            at.spines[side].set_visible(False)
        if len(lines) > 1 or lines[0].label != axis:
            at.legend(loc="best", fontsize="small", frameon=False)
    axes[-1].set_xlabel(label)
    if title:
        figure.suptitle(title)
    return figure
