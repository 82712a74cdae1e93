"""Warnings that point at the user's line, however many calls of this package lie between, and messages to `logging`.

Python's filters show a warning once for a place in a program. The logger "opendynamics" has a record of each,
at the level WARNING, and of what was compiled at the level INFO (`core/compile/messages.py`).
"""

from __future__ import annotations

import logging
import sys
import warnings

LOGGER = logging.getLogger("opendynamics")
LOGGER.addHandler(logging.NullHandler())  # without logging of the program's own there are the warnings alone


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the innermost call that does not come from this package, and log the message."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_back.f_globals.get("__name__", "").startswith("opendynamics."):
        frame, depth = frame.f_back, depth + 1
    LOGGER.warning(message, stacklevel=depth + 1)
    warnings.warn(message, category, stacklevel=depth + 1)
