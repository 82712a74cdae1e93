"""User-defined channels."""

from __future__ import annotations

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Curve


def words(frames: Frames) -> list[str]:
    """Every channel by its name."""
    return [f"channel:{name}" for name in frames.header["channels"]]


def curves(frames: Frames, rest: str) -> list[Curve]:
    """One curve for each number of the channel."""
    values = frames.channels[rest]
    flat = values.reshape(len(frames), -1)
    labels = [rest] if values.ndim == 1 else [f"{rest}[{k}]" for k in range(flat.shape[1])]
    return [Curve(f"channel:{label}", "", rest, flat[:, k]) for k, label in enumerate(labels)]
