"""The web server's log without the browsers that leave.

Browsers open connections in advance and close them unused, and close others in the middle of an answer. websockets logs each of
them as an error, with its traceback, which would be printed between the user's own lines.
"""

from __future__ import annotations

import logging


def is_disconnect(error: BaseException | None) -> bool:
    """Whether an error, or what it was raised from, is that the other end closed the connection."""
    from websockets.exceptions import ConnectionClosed

    while error is not None:
        if isinstance(error, (EOFError, ConnectionError, ConnectionClosed)):
            return True
        error = error.__cause__
    return False


def _is_worth_logging(record: logging.LogRecord) -> bool:
    return not (record.exc_info and is_disconnect(record.exc_info[1]))


def server_log() -> logging.Logger:
    """A logger for the server, below that of websockets, so that the user's settings of that apply."""
    logger = logging.getLogger("websockets.server.opendynamics")
    logger.addFilter(_is_worth_logging)  # added once, however often this is called
    return logger
