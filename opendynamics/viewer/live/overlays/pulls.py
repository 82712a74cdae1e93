"""The springs by which bodies are pulled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.viewer.live.overlays.drawing.dots import Dots
from opendynamics.viewer.live.overlays.drawing.lines import Lines

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Pulls"
HINT = "From where a body is grabbed to where the mouse pulls it"
ON = True

COLOUR = (240, 60, 120)
DOT = 0.16  # size, in units of what is usual in the scene


class Overlay:
    """A line and a dot at its end for each pull."""

    def __init__(self, scene: Any) -> None:
        self._lines = Lines(scene, "/overlays/pulls/springs", 3.0)
        self._dots = Dots(scene, "/overlays/pulls/ends", COLOUR)

    def draw(self, session: Session) -> None:
        """Show them as they are now."""
        lines = session.pulls.lines()
        self._lines.show(lines, COLOUR)
        self._dots.show(lines[:, 1], DOT * session.unit)

    def clear(self) -> None:
        """Hide them."""
        self._lines.hide()
        self._dots.hide()
