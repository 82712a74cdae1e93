"""Location of ffmpeg: that of imageio-ffmpeg, which supports all formats used here, or else the system's."""

from __future__ import annotations

import importlib
import shutil


def find_ffmpeg() -> str | None:
    """Path of the program; None if there is none."""
    try:
        return str(importlib.import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # not installed; installed without the program
        return shutil.which("ffmpeg")


def require_ffmpeg() -> str:
    """Path of the program; ImportError with the remedies if there is none."""
    found = find_ffmpeg()
    if found is None:
        raise ImportError(
            "films need ffmpeg: pip install 'opendynamics[video]' brings imageio-ffmpeg, or install ffmpeg on the system",
            name="imageio_ffmpeg",
        )
    return found
