"""What PyInstaller has to know to freeze programs that use this package; it finds this by an entry point."""

from __future__ import annotations

from pathlib import Path


def hook_folders() -> list[str]:
    """The folder with the hook."""
    return [str(Path(__file__).parent)]
