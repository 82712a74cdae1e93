"""Errors of the command line that the user can fix."""

from __future__ import annotations


class UserError(Exception):
    """Shown as a message without a traceback; names the error and the remedy."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, raised after the results so far have been reported."""
