"""Requirements of the viewer and the renderer: a port on the loopback interface, and ffmpeg."""

from __future__ import annotations

import socket
from collections.abc import Iterator

from opendynamics.cli.checks import FINE, MISSING, Finding
from opendynamics.viewer.pictures.ffmpeg import find_ffmpeg

TITLE, ORDER = "machine", 70


def findings() -> Iterator[Finding]:
    """Whether a page can be served, and a film written."""
    try:
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
        yield Finding("port", FINE, "a page can be served on the loopback interface")
    except OSError as error:
        yield Finding("port", MISSING, f"no page can be served on 127.0.0.1: {error}", "the live view needs one")
    program = find_ffmpeg()
    if program is None:
        yield Finding("ffmpeg", MISSING, "not found", "for films: pip install 'opendynamics[video]'")
    else:
        yield Finding("ffmpeg", FINE, program)
