"""What goes wrong on a command line and is the user's to put right."""

from __future__ import annotations


class UserError(Exception):
    """Shown as a message without a traceback; names the mistake and the remedy."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, after what was done until then has been reported."""
