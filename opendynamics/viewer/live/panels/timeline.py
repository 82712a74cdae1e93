"""The timeline of a recording: shown if time has an end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 1
EVERY = 0.1  # s between two updates


class Panel:
    """A slider over the whole time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._next = 0.0
        self._slider: Any = None
        end = session.source.end
        if end is None or end <= 0.0:
            return
        self._slider = session.server.gui.add_slider(
            "Time", min=0.0, max=end, step=end / 1000.0, initial_value=0.0, hint="s; drag it to any moment"
        )

        @self._slider.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            if event.client_id is not None:
                time = float(self._slider.value)
                session.ask(lambda: session.seek(time))

    def refresh(self, now: float) -> None:
        """Update the slider."""
        if self._slider is not None and now >= self._next and self._session.playing:
            self._next = now + EVERY
            self._slider.value = min(self._session.time, self._session.source.end or 0.0)

    def renew(self) -> None:
        """Reset to the start."""
        if self._slider is not None:
            self._slider.value = 0.0
