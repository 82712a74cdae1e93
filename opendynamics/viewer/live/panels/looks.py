"""Display options: colours, overlays, and the strength of pulling with the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.viewer.colours import BY_STATE, HEAT, LEAST, MOST, STATES
from opendynamics.viewer.live.overlays import OVERLAYS
from opendynamics.viewer.live.painter import COLOURED_BY
from opendynamics.viewer.live.simulation import Simulation

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 4
TEXT = "padding:0.2em 0.7em;font-size:0.8em"


class Panel:
    """A list, checkboxes, and a slider."""

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
        hint = "Each body its own; by what it does; or by the forces at its contacts (X)"
        self.colours = session.server.gui.add_dropdown("Colours by", COLOURED_BY, hint=hint)
        self._legend = session.server.gui.add_html("", visible=False)

        @self.colours.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            by = str(self.colours.value)
            session.ask(lambda: self._paint(by))

    def _paint(self, by: str) -> None:
        self._session.batches.painter.by = by
        self._legend.content = legend(by, self._session.weight)
        self._legend.visible = bool(self._legend.content)

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
        """Nothing to update."""

    def renew(self) -> None:
        """The selected options are kept."""


def legend(by: str, weight: float) -> str:
    """A legend of the colours, in HTML; empty if each body has its own."""
    if by == "state":
        spots = (
            f'<span style="white-space:nowrap;margin-right:0.8em"><span style="display:inline-block;width:0.8em;'
            f'height:0.8em;background:rgb{tuple(colour)};border-radius:50%"></span> {state}</span>'
            for state, colour in zip(STATES, BY_STATE.tolist(), strict=True)
        )
        return f'<div style="{TEXT}">{"".join(spots)}</div>'
    if by == "contact force":
        steps = ", ".join(f"rgb{tuple(colour)}" for colour in HEAT.astype(int).tolist())
        marks = "".join(f"<span>{amount * weight:.2g} N</span>" for amount in (LEAST, 1.0, MOST))
        return (
            f'<div style="{TEXT}"><div style="height:0.7em;border-radius:0.3em;background:linear-gradient(90deg, {steps})">'
            f'</div><div style="display:flex;justify-content:space-between">{marks}</div></div>'
        )
    return ""
