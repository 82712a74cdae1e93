"""Angular momentum of all bodies about the origin."""

from __future__ import annotations

import numpy as np

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Curve, chosen, components


def words(frames: Frames) -> list[str]:
    """`angular_momentum` and its components."""
    return ["angular_momentum", *(f"angular_momentum.{axis}" for axis in "xyz")]


def curves(frames: Frames, rest: str) -> list[Curve]:
    """Sum of x × m v + I ω, kg m²/s."""
    series = frames.series
    values = np.column_stack([series[f"angular_momentum_{axis}"] for axis in "xyz"])
    return chosen(components("angular_momentum", "kg m²/s", "angular momentum", values), rest)
