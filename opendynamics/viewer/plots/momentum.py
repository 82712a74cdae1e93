"""Momentum of all bodies."""

from __future__ import annotations

import numpy as np

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Curve, chosen, components


def words(frames: Frames) -> list[str]:
    """`momentum` and its components."""
    return ["momentum", *(f"momentum.{axis}" for axis in "xyz")]


def curves(frames: Frames, rest: str) -> list[Curve]:
    """Sum of m v, kg m/s."""
    series = frames.series
    values = np.column_stack([series[f"momentum_{axis}"] for axis in "xyz"])
    return chosen(components("momentum", "kg m/s", "momentum", values), rest)
