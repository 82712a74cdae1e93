"""What is drawn, and how: colours, overlays, and how strongly the mouse pulls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.viewer.live.overlays import OVERLAYS
from opendynamics.viewer.live.painter import WAYS
from opendynamics.viewer.live.simulation import Simulation

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 4


class Panel:
    """A list, boxes to tick, and a slider."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.boxes: dict[str, Any] = {}
        with session.server.gui.add_folder("Look"):
            self._add_colours()
            self._add_glass()
            for name in OVERLAYS.names:
                self._add_overlay(name)
            if isinstance(session.source, Simulation):
                self._add_strength()

    def _add_colours(self) -> None:
        session = self._session
        hint = "By what a body does (active, sleeping, kinematic, static, faulty), or each body its own"
        self.colours = session.server.gui.add_dropdown("Colours by", WAYS, hint=hint)

        @self.colours.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            way = str(self.colours.value)
            session.ask(lambda: setattr(session.batches.painter, "by", way))

    def _add_glass(self) -> None:
        session = self._session
        hint = "See through what stands still"
        self.glass = session.server.gui.add_checkbox("Glass walls", initial_value=False, hint=hint)

        @self.glass.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            wanted = bool(self.glass.value)
            session.ask(lambda: session.batches.see_through_walls(wanted))

    def _add_overlay(self, name: str) -> None:
        session, member = self._session, OVERLAYS[name]
        box = session.server.gui.add_checkbox(member.LABEL, initial_value=member.ON, hint=member.HINT)
        self.boxes[name] = box

        @box.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            shown = bool(box.value)
            session.ask(lambda: session.show_overlay(name, shown))

    def _add_strength(self) -> None:
        session = self._session
        strength = session.server.gui.add_slider(
            "Pull", min=0.2, max=3.0, step=0.1, initial_value=1.0, hint="How strongly the mouse pulls bodies"
        )

        @strength.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            value = float(strength.value)
            session.ask(lambda: setattr(session.pulls, "strength", value))

    def refresh(self, now: float) -> None:
        """Nothing changes by itself."""

    def renew(self) -> None:
        """What is drawn stays as it was chosen."""
