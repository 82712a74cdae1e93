"""Follow a body, take a screenshot, record."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from opendynamics.viewer.live.extra import load_viser
from opendynamics.viewer.live.simulation import Simulation
from opendynamics.viewer.live.taping import file_name

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 1.5
EVERY = 0.2  # s between two updates
PATIENCE = 30.0  # s for a browser to draw a picture


class Panel:
    """A checkbox, and two buttons."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._next = 0.0
        gui, icons = session.server.gui, load_viser().Icon
        hint = "The camera goes with the body that is picked (F)"
        self.follows = gui.add_checkbox("Follow", initial_value=False, hint=hint)
        self._shot = gui.add_button("Screenshot", icon=icons.CAMERA, hint="A picture of the scene as a file (P)")
        self._record = gui.add_button(
            "Record", icon=icons.PLAYER_RECORD, hint="Every step, as a file (.odr) to keep (V)"
        )
        self._record.visible = isinstance(session.source, Simulation)

        @self.follows.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            wanted = bool(self.follows.value)
            session.ask(lambda: self._follow(wanted))

        @self._shot.on_click  # type: ignore[untyped-decorator]
        def _(event: Any) -> None:  # in its own thread: it waits for the browser
            self.screenshot(event.client)

        @self._record.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            session.ask(lambda: self.record(event.client))

    def switch(self, on: bool) -> None:
        """Start or stop following."""
        self.follows.value = on

    def _follow(self, on: bool) -> None:
        session = self._session
        session.follow.switch(on, session.picked_body)
        if on and session.picked_body is None:
            session.notify("Follow", "Click on a body: the camera goes with it.")

    def screenshot(self, client: Any) -> None:
        """Have a browser draw its picture again, and send it to the browser as a file. Waits for the browser."""
        try:
            picture = client.get_render(client.camera.image_height, client.camera.image_width, timeout=PATIENCE)
        except (TimeoutError, RuntimeError) as error:
            client.add_notification("No screenshot", str(error), color="orange")
            return
        client.send_file_download(f"{self._title}.png", _png(picture), save_immediately=True)

    def record(self, client: Any) -> None:
        """Start recording; or stop it, and send the file to a browser."""
        session = self._session
        if session.tape.seconds is None:
            if not isinstance(session.source, Simulation):
                raise ValueError("what is shown is a recording already")
            session.tape.start(session.source.scene, self._name)
        else:
            client.send_file_download(*session.tape.stop(), save_immediately=True)
        self._next = 0.0

    @property
    def _name(self) -> str:
        return self._session.chosen or self._session.world.name

    @property
    def _title(self) -> str:
        return f"{file_name(self._name)}-{self._session.time:.2f}s"

    def refresh(self, now: float) -> None:
        """Show the duration of the recording."""
        if now >= self._next:
            self._next = now + EVERY
            seconds = self._session.tape.seconds
            self._record.label = "Record" if seconds is None else f"Save recording ({seconds:.1f} s)"
            self._record.color = None if seconds is None else "red"

    def renew(self) -> None:
        """The recording continues."""


def _png(picture: Any) -> bytes:
    import imageio.v3 as imageio  # viser needs it, too

    data = io.BytesIO()
    imageio.imwrite(data, picture[:, :, :3], extension=".png")
    return data.getvalue()
