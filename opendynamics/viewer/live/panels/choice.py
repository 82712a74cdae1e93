"""The shown scene, if there are several to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = -1


class Panel:
    """A list of `Session.choices`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.names: Any = None
        if not session.choices:
            return
        known = tuple(session.choices)
        names = known if session.chosen in known else (session.chosen, *known)
        hint = "Another scene; it is rebuilt each time"
        self.names = session.server.gui.add_dropdown("Show", names, initial_value=session.chosen, hint=hint)

        @self.names.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            name = str(self.names.value)
            if name in session.choices and name != session.chosen:
                session.ask(lambda: self._choose(name))

    def _choose(self, name: str) -> None:
        try:
            self._session.choose(name)
        except BaseException:
            self.names.value = self._session.chosen
            raise

    def refresh(self, now: float) -> None:
        """Nothing to update."""

    def renew(self) -> None:
        """The same scene restarts."""
