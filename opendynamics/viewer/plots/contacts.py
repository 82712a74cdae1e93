"""Contacts made by `advance`: their number, and the largest depth."""

from __future__ import annotations

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Curve


def words(frames: Frames) -> list[str]:
    """Their number, and the largest depth."""
    return ["contacts", "contacts.depth"]


def curves(frames: Frames, rest: str) -> list[Curve]:
    """Number, or depth in mm."""
    if rest == "depth":
        return [Curve("contacts.depth", "mm", "penetration", 1000.0 * frames.series["deepest"])]
    if rest:
        raise LookupError(rest)
    return [Curve("contacts", "", "contacts", frames.series["contacts"])]
