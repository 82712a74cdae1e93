"""Time: display, play, pause, step, reset, speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api.describing import count
from opendynamics.viewer.live.extra import load_viser
from opendynamics.viewer.live.measures import asleep

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 0
EVERY = 0.2  # s between two updates of the numbers
SLOWEST, FASTEST = 0.1, 4.0
READY = "Getting ready: what the first step needs is compiled, if that was never done."


class Panel:
    """Numbers, buttons, and a slider."""

    def __init__(self, session: Session) -> None:
        gui, icons = session.server.gui, load_viser().Icon
        self._session = session
        self._icons = icons
        self._next = 0.0
        self._status = gui.add_markdown(READY)
        self._play = gui.add_button("Pause", icon=icons.PLAYER_PAUSE, color="blue", hint="Run, or stand still (space)")
        hint = "One step, then stand still (N); back to the beginning (R); what keys do (H)"
        self._others = gui.add_button_group("", ("Step", "Reset", "Keys"), hint=hint)
        self._speed = gui.add_slider(
            "Speed", min=SLOWEST, max=FASTEST, step=0.1, initial_value=1.0, hint="Seconds of the scene in a second"
        )
        self._shown_speed = 1.0
        self._bind()

    def _bind(self) -> None:
        session = self._session

        @self._play.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            session.ask(lambda: session.play(not session.playing))

        @self._others.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            acts = {"Step": session.step, "Reset": session.reset, "Keys": lambda: session.keys.help(event.client)}
            session.ask(acts[self._others.value])

        @self._speed.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            if event.client_id is not None:
                speed = float(self._speed.value)
                session.ask(lambda: setattr(session, "speed", speed))

    def refresh(self, now: float) -> None:
        """Show the current state."""
        self._label()
        if now >= self._next:
            self._next = now + EVERY
            self._status.content = self._text()
            speed = min(max(self._session.speed, SLOWEST), FASTEST)
            if speed != self._shown_speed:  # otherwise it might undo what a user does meanwhile
                self._shown_speed = self._speed.value = speed

    def renew(self) -> None:
        """Show the figures immediately."""
        self._next = 0.0

    def _label(self) -> None:
        playing = self._session.playing
        self._play.label = "Pause" if playing else "Play"
        self._play.icon = self._icons.PLAYER_PAUSE if playing else self._icons.PLAYER_PLAY

    def _text(self) -> str:
        session = self._session
        if session.error is not None:
            state = "**stopped by an error**"
        elif session.playing:
            state = f"{session.pace.speed:.2f} × real time"
        else:
            state = "standing still"
        world, sleeping = session.world, asleep(session.world)
        counts = (len(world.bodies), "body"), (len(world.joints), "joint"), (world.statistics.contacts, "contact")
        return (
            f"**{session.time:.2f} s** · {state}  \n"
            + " · ".join(count(number, noun) for number, noun in counts)
            + (f" · {sleeping} asleep" if sleeping else "")
        )
