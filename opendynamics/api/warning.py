"""Warnings that point at the user's line, whatever the number of calls inside this package, and messages to `logging`.

Python's filters show a warning once for each place in a program. The logger "opendynamics" records every one, at the level
WARNING, and what was compiled, at the level INFO (`core/compile/messages.py`).
"""

from __future__ import annotations

import sys
import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging


@cache
def _logger() -> logging.Logger:
    """The package's logger; `logging` is imported with the first warning."""
    import logging

    logger = logging.getLogger("opendynamics")
    logger.addHandler(logging.NullHandler())  # if the program has not configured logging, warnings suffice
    return logger


class SetupWarning(UserWarning):
    """The setup of a world is probably a mistake.

    Given once, before the first `advance`, for: a body that starts more than half below a plane; two colliding bodies at the
    same position; zero gravity with everything at rest above a plane; gravity that does not point at the only plane; an open
    mesh under a body, with its triangles facing down; a joint whose anchors are apart; a material whose name almost matches
    one in `world.surfaces`, or the reverse; defaults of the world for new bodies, changed after all bodies were made. At any
    time for a servo without stiffness and damping, and an inertia that no body has. Never in worlds like ODE.
    """


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the innermost call from outside this package, and log the message."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_back.f_globals.get("__name__", "").startswith("opendynamics."):
        frame, depth = frame.f_back, depth + 1
    _logger().warning(message, stacklevel=depth + 1)
    warnings.warn(message, category, stacklevel=depth + 1)
