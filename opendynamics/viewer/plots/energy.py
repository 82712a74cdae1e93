"""Kinetic, potential and total energy of all bodies."""

from __future__ import annotations

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Curve, chosen

PARTS = ("kinetic", "potential", "total")


def words(frames: Frames) -> list[str]:
    """`energy` and its parts."""
    return ["energy", *(f"energy.{part}" for part in PARTS)]


def curves(frames: Frames, rest: str) -> list[Curve]:
    """J; potential energy is zero at the origin."""
    series = frames.series
    values = series["kinetic"], series["potential"], series["kinetic"] + series["potential"]
    return chosen([Curve(f"energy.{part}", "J", "energy", v) for part, v in zip(PARTS, values, strict=True)], rest)
