"""The folder of compiled kernels: whether it exists and is writable, and its contents."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator

from opendynamics.cli.checks import BROKEN, FINE, MISSING, Finding
from opendynamics.cli.kernels import find_entries
from opendynamics.core.compile.folder import VARIABLE, cache_folder, writable_folder
from opendynamics.core.compile.loading import is_kept

TITLE, ORDER = "cache", 30

NEEDED = 300e6  # bytes that all kernels may take, with a margin


def findings() -> Iterator[Finding]:
    """Whether it is writable, and how many kernels are ready."""
    entries = find_entries()
    ready = sum(map(is_kept, entries))
    whole = ready == len(entries)
    yield _folder(whole)
    remedy = "" if whole else "the others are compiled when they are needed; `opendynamics warmup` does it now"
    yield Finding("kernels", FINE if whole else MISSING, f"{ready} of {len(entries)} compiled", remedy)


def _folder(whole: bool) -> Finding:
    """The folder itself; it need not be writable if it is `whole`: all kernels are there."""
    elsewhere = f"set {VARIABLE} to a folder of your own with room in it"
    try:
        folder = writable_folder()
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        if whole:
            return Finding(TITLE, FINE, f"{cache_folder()}, which can only be read: {error.strerror or error}")
        return Finding(TITLE, BROKEN, f"cannot be used, so that every process compiles: {error}", elsewhere)
    free = shutil.disk_usage(folder).free
    state, remedy = (FINE, "") if free > NEEDED else (BROKEN, f"make room, or {elsewhere}")
    return Finding(TITLE, state, f"{folder}, {free / 1e9:.1f} GB free", remedy)
