"""Exports of recordings to other formats. One file of this family is one format.

A member has `SUFFIX`, the extension of such files, and `export(frames, path, progress, **options)`, which calls `progress`
with the completed fraction, from 0 to 1. Existing files are replaced: an export can be repeated, a recording cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Progress = Callable[[float], Any]


def no_progress(done: float) -> None:
    """Ignore the progress."""
