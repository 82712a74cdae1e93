"""A part of a session as a stand-alone page, without a server: viser's client with all messages in it."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session


def recorded_page(session: Session, seconds: float, frames_per_second: float) -> str:
    """Advance by this scene time, frame by frame, and return the page that shows it."""
    session.draw()
    serializer = session.server.get_scene_serializer()
    interval = 1.0 / frames_per_second
    for _ in range(max(round(seconds * frames_per_second), 1)):
        session.source.advance(interval, perf_counter() + 3600.0)
        session.draw()
        serializer.insert_sleep(interval)
    page: str = serializer.as_html()
    return page
