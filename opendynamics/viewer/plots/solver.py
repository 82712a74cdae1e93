"""Figures of the solver: islands, rows, iterations, and the residual."""

from __future__ import annotations

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Curve

PARTS = ("rows", "islands", "iterations", "residual")


def words(frames: Frames) -> list[str]:
    """Numbers of a step."""
    return [f"solver.{part}" for part in PARTS]


def curves(frames: Frames, rest: str) -> list[Curve]:
    """Numbers; the residual relative to the largest force."""
    parts = (rest,) if rest else ("rows",)
    return [Curve(f"solver.{part}", "", part, frames.series[part]) for part in parts if part in PARTS or _unknown(part)]


def _unknown(part: str) -> bool:
    raise LookupError(part)
