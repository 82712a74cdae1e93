"""Starts and stops viser's web server, without its printed messages."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator
from typing import Any

from opendynamics.viewer.live.address import checked_address
from opendynamics.viewer.live.extra import load_viser
from opendynamics.viewer.live.guard import Guard


def open_server(host: Any, port: Any, title: str, origins: Iterable[str] = ()) -> tuple[Any, str]:
    """A ViserServer that listens on host and port, and the token for its pages; see `address.checked_address`, `guard`."""
    viser = load_viser()
    host, number = checked_address(host, port)
    guard = Guard(host, origins)
    with guard.at_the_door(), _quiet():  # its banner shows another address than ours
        server = viser.ViserServer(host=host, port=number, label=title, verbose=False)
    if number and server.get_port() != number:  # taken in the meantime: viser silently takes the next free one
        close_server(server)
        raise OSError(f"port {number} of {host} cannot be used: it was taken a moment ago; give another one")
    server.gui.configure_theme(show_logo=False, show_share_button=False, dark_mode=False)
    return server, guard.token


def close_server(server: Any) -> None:
    """Stop the server, its threads and its connections."""
    with _quiet():
        server.stop()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Meanwhile nothing is printed, nor shown in a notebook, where viser's rich bypasses stdout."""
    import rich  # viser needs it

    console = rich.get_console()
    before = console.quiet
    console.quiet = True
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        console.quiet = before
