"""The thread that owns the world: runs frames until it is stopped."""

from __future__ import annotations

import threading

from opendynamics.viewer.live.session import Session


class Loop:
    """Runs a session's frames in its own thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="opendynamics live view", daemon=True)

    def start(self) -> None:
        """Start."""
        self._thread.start()

    def _run(self) -> None:
        session = self._session
        while not self._ending.is_set():
            session.frame()
            left = session.pace.rest
            # A command is executed immediately, not with the next frame, which shows its effect.
            while left > 0.0 and not self._ending.is_set() and session.commands.run(left):
                left = session.pace.left

    @property
    def is_own(self) -> bool:
        """Whether this is called from that thread."""
        return threading.current_thread() is self._thread

    def end(self) -> None:
        """Stop after the current frame, and wait for it."""
        self._ending.set()
        self._session.commands.wake()
        if self._thread.is_alive() and not self.is_own:
            self._thread.join()
