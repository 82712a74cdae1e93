"""Keyboard shortcuts, and the page that lists them.

They are viser commands, which are inactive while the user types in a field, and are listed with their keys in the command
palette (Ctrl K). W, A, S, D, Q, E and the arrow keys move the camera and are not used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session


@dataclass(frozen=True)
class Key:
    """A key, its description, and the function that it calls for the browser in which it was pressed."""

    key: str
    label: str
    act: Callable[[Session, Any], Any]
    slow: bool = False  # waits for the browser: not in the thread that owns the world


def _play(session: Session, client: Any) -> None:
    session.play(not session.playing)


def _toggle(name: str) -> Callable[[Session, Any], None]:
    def act(session: Session, client: Any) -> None:
        box = session.panel("looks").boxes[name]
        box.value = not box.value

    return act


def _glass(session: Session, client: Any) -> None:
    glass = session.panel("looks").glass
    glass.value = not glass.value


def _colours(session: Session, client: Any) -> None:
    colours = session.panel("looks").colours
    colours.value = colours.options[(colours.options.index(colours.value) + 1) % len(colours.options)]


def _follow(session: Session, client: Any) -> None:
    session.panel("camera").switch(not session.follow.on)


def _help(session: Session, client: Any) -> None:
    session.keys.help(client)


KEYS = (
    Key("space", "Run or pause", _play),
    Key("N", "One step", lambda session, client: session.step()),
    Key("R", "Reset", lambda session, client: session.reset()),
    Key("F", "Camera follows the picked body, or stands", _follow),
    Key("escape", "Unpick", lambda session, client: session.pick(None)),
    Key("C", "Contacts and their forces", _toggle("contacts")),
    Key("J", "Joints and their axes", _toggle("joints")),
    Key("B", "Boxes of the broadphase", _toggle("boxes")),
    Key("M", "Centres of mass", _toggle("centres")),
    Key("T", "Trails", _toggle("trails")),
    Key("G", "Walls of glass", _glass),
    Key("X", "Colours: by body, by state, by contact force", _colours),
    Key("P", "Screenshot", lambda session, client: session.panel("camera").screenshot(client), slow=True),
    Key("V", "Record, or end the recording", lambda session, client: session.panel("camera").record(client)),
    Key("H", "This list", _help),
)

NAMES = {"space": "Space", "escape": "Esc"}
MOUSE = """\
**Mouse**: click to pick, drag a body to pull it; drag elsewhere to turn, with the right button to move, wheel to zoom.
**W A S D Q E** and the arrows move the camera; **Ctrl K** searches all commands."""


class Keys:
    """The commands of a session, and the browsers in which the list is open."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[int, Any] = {}
        self.handles = {key.key: self._bind(key) for key in KEYS}

    def _bind(self, key: Key) -> Any:
        session = self._session
        handle = session.server.gui.add_command(key.label, hotkey=key.key)
        if key.slow:

            @handle.on_trigger  # type: ignore[untyped-decorator]
            def _(event: Any) -> None:
                key.act(session, event.client)

        else:

            @handle.on_trigger  # type: ignore[untyped-decorator]
            async def _(event: Any) -> None:
                session.ask(lambda: key.act(session, event.client))

        return handle

    def help(self, client: Any) -> None:
        """Open the list in a browser, or close it."""
        modal = self._open.pop(client.client_id, None)
        if modal is not None and not modal.closed:
            modal.close()
            return
        modal = client.gui.add_modal("Keys")
        with modal:
            client.gui.add_markdown(as_table() + "\n\n" + MOUSE)
            button = client.gui.add_button("Close")
        self._open[client.client_id] = modal

        @button.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            self._session.ask(lambda: self.help(client))


def as_table() -> str:
    """All keys, in Markdown."""
    return "| key | |\n|---|---|\n" + "\n".join(f"| **{NAMES.get(key.key, key.key)}** | {key.label} |" for key in KEYS)
