"""Trails: the paths of the centres of bodies in the last seconds."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import reading
from opendynamics.api.body import Body
from opendynamics.core.arrays.bodies import POSES
from opendynamics.viewer.colours import by_body
from opendynamics.viewer.live.overlays.drawing.lines import Lines

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Trails"
HINT = "Where bodies have been in the last seconds: the one that is picked, or all of them if they are not too many"
ON = False

EVERY, LENGTH = 0.05, 60  # s of the scene between two points, and points
MOST = 100  # bodies; with more, only the picked one has a trail


class Overlay:
    """One line of points for each body."""

    def __init__(self, scene: Any) -> None:
        self._lines = Lines(scene, "/world/overlays/trails", 2.0)
        self._forget()

    def _forget(self) -> None:
        self._bodies: tuple[Body, ...] = ()
        self._times: deque[float] = deque(maxlen=LENGTH)
        self._points: deque[Any] = deque(maxlen=LENGTH)

    def draw(self, session: Session) -> None:
        """Record the current positions, and show the previous ones."""
        bodies = session.world.bodies
        if len(bodies) > MOST:
            picked = session.picked_body
            bodies = () if picked is None else (picked,)
        if bodies != self._bodies or (self._times and session.time < self._times[-1]):
            self._forget()
            self._bodies = bodies
        if not self._times or session.time - self._times[-1] >= EVERY:
            self._times.append(session.time)
            rows = [reading.row_of(body) for body in bodies]
            self._points.append(reading.table_of(session.world, POSES)["position"][rows])
            self._show()

    def _show(self) -> None:
        places = np.array(self._points)  # (points, bodies, 3)
        segments = np.stack([places[:-1], places[1:]], axis=2)
        colours = np.broadcast_to(by_body(np.arange(len(self._bodies))), (len(segments), len(self._bodies), 3))
        self._lines.show(segments.reshape(-1, 2, 3), colours.reshape(-1, 3))

    def clear(self) -> None:
        """Hide and clear them."""
        self._lines.hide()
        self._forget()
