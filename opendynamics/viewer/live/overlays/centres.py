"""Centres of mass, with the axes of the bodies' frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import reading
from opendynamics.core.arrays.bodies import POSES
from opendynamics.viewer.live.overlays.drawing.dots import Dots
from opendynamics.viewer.live.overlays.drawing.lines import Lines

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Centres"
HINT = "The centre of mass of every body, and the axes of its frame: x red, y green, z blue"
ON = False

COLOUR, AXES = (30, 30, 34), np.array([(222, 52, 52), (36, 150, 60), (40, 90, 220)])
LENGTH, DOT = 0.75, 0.14  # relative to the scene's typical length


class Overlay:
    """Dots and axes. They are hidden inside opaque shapes; the axes extend out of most."""

    def __init__(self, scene: Any) -> None:
        self._dots = Dots(scene, "/world/overlays/centres/points", COLOUR)
        self._axes = Lines(scene, "/world/overlays/centres/axes", 2.0)

    def draw(self, session: Session) -> None:
        """Show the current state."""
        world = session.world
        poses = reading.table_of(world, POSES)[list(reading.bodies_by_row(world))]
        at = poses["position"]
        # Row k of the transposed matrix is the frame's axis k in the world.
        along = LENGTH * session.unit * poses["rotation"].reshape(-1, 3, 3).transpose(0, 2, 1)
        start = np.broadcast_to(at[:, None], along.shape)
        self._dots.show(at, DOT * session.unit)
        self._axes.show(np.stack([start, start + along], axis=2).reshape(-1, 2, 3), np.tile(AXES, (len(at), 1)))

    def clear(self) -> None:
        """Hide them."""
        self._dots.hide()
        self._axes.hide()
