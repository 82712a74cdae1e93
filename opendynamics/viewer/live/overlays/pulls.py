"""The springs with which bodies are pulled, and their forces: an arrow for each, with its magnitude."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.viewer.live.overlays.drawing.arrows import Arrows
from opendynamics.viewer.live.overlays.drawing.dots import Dots
from opendynamics.viewer.live.overlays.drawing.labels import Labels
from opendynamics.viewer.live.overlays.drawing.lines import Lines

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Pulls"
HINT = "From where a body is grabbed to where the mouse pulls it; an arrow is as long as the force is large"
ON = True

SPRING, FORCE = (150, 150, 156), (240, 60, 120)
DOT = 0.16  # size, relative to the scene's typical length
LONGEST = 4.0  # minimum arrow, likewise
PER_WEIGHT = 0.8  # length of an arrow for the weight of a typical body, likewise


class Overlay:
    """A line with a dot at its end, an arrow and a number for each pull."""

    def __init__(self, scene: Any) -> None:
        self._lines = Lines(scene, "/world/overlays/pulls/springs", 2.0)
        self._dots = Dots(scene, "/world/overlays/pulls/ends", SPRING)
        self._arrows = Arrows(scene, "/world/overlays/pulls/forces", FORCE)
        self._labels = Labels(scene, "/world/overlays/pulls/sizes")

    def draw(self, session: Session) -> None:
        """Show the current state."""
        lines, forces = session.pulls.lines(), session.pulls.forces()
        self._lines.show(lines, SPRING)
        self._dots.show(lines[:, 1], DOT * session.unit)
        sizes = np.linalg.norm(forces, axis=1)
        lengths = np.minimum(PER_WEIGHT / session.weight * sizes, LONGEST) * session.unit
        along = forces * (lengths / np.maximum(sizes, 1e-12))[:, None]
        shown = lengths > 0.02 * session.unit
        arrows = np.stack([lines[:, 0], lines[:, 0] + along], axis=1)[shown]
        self._arrows.show(arrows, session.unit)
        self._labels.show(arrows[:, 1], [f"{size:.3g} N" for size in sizes[shown]])

    def clear(self) -> None:
        """Hide them."""
        self._lines.hide()
        self._dots.hide()
        self._arrows.hide()
        self._labels.show(np.zeros((0, 3)), [])
