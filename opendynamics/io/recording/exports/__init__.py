"""Recordings as other files. One file of this family is one format.

A member has `SUFFIX`, the end of the names of such files, and `export(frames, path, progress, **options)`, which calls `progress`
with the part that is done, from 0 to 1. Files that are there are replaced: an export can be repeated, a recording cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Progress = Callable[[float], Any]


def nobody(done: float) -> None:
    """Nobody wants to know how much is done."""
