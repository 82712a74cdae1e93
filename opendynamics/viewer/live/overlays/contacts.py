"""Contacts: a dot at each contact point, and a line along the normal, with length and colour by the normal force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.viewer.colours import by_force
from opendynamics.viewer.live.overlays.drawing.dots import Dots
from opendynamics.viewer.live.overlays.drawing.lines import Lines

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Contacts"
HINT = "Where geoms touch; lines along the normals, as long as the normal forces are large, from blue to red"
ON = False

COLOUR = (20, 92, 214)
DOT = 0.12  # size, relative to the scene's typical length
FORCE = 0.6  # length of a line for the weight of a typical body, likewise


class Overlay:
    """Dots and lines."""

    def __init__(self, scene: Any) -> None:
        self._dots = Dots(scene, "/world/overlays/contacts/points", COLOUR)
        self._lines = Lines(scene, "/world/overlays/contacts/forces", 3.0)

    def draw(self, session: Session) -> None:
        """Show the contacts of the last step."""
        places, forces = session.source.contacts()
        self._dots.show(places, DOT * session.unit)
        ratios = forces / session.weight
        along = FORCE * session.unit * ratios
        shown = (along * along).sum(axis=1) > (0.02 * session.unit) ** 2
        self._lines.show(
            np.stack([places[shown], (places + along)[shown]], axis=1), by_force(np.linalg.norm(ratios, axis=1)[shown])
        )

    def clear(self) -> None:
        """Hide them."""
        self._dots.hide()
        self._lines.hide()
