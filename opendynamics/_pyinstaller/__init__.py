"""Hook that PyInstaller needs to freeze programs with this package; it is found by an entry point."""

from __future__ import annotations

from pathlib import Path


def hook_folders() -> list[str]:
    """The folder with the hook."""
    return [str(Path(__file__).parent)]
