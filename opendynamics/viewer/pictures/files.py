"""Picture files: formats by suffix, checked before any work is done, and never left incomplete.

Everything is written under a temporary name in the same folder, and renamed when it is complete.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from opendynamics.api.files import beside, replacing
from opendynamics.viewer.pictures.extras import require

STILL = (".png", ".jpg", ".jpeg", ".webp")
MOVING = (".mp4", ".gif", ".webp")

# Written to test whether files can be written.
PROBE = bytes(65_536)


def checked_path(path: Any, suffixes: tuple[str, ...], what: str) -> Path:
    """`path`, which must have one of these suffixes, if there are any. ValueError, or OSError if nothing can be written there."""
    found = Path(path)
    if suffixes and found.suffix.lower() not in suffixes:
        kind = f"has the suffix {found.suffix!r}" if found.suffix else "has no suffix"
        raise ValueError(f"{path} {kind}; {what} can be {', '.join(suffixes)}")
    if found.is_dir():
        raise IsADirectoryError(f"{path} is a folder; give the name of a file in it")
    if not found.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {found.parent}; make it first")
    aside = beside(found)
    try:
        with open(aside, "wb") as file:
            file.write(PROBE)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise type(error)(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        aside.unlink(missing_ok=True)
    return found


def save_picture(path: Any, picture: Any) -> None:
    """Write a picture, uint8 (h, w, 3), to a PNG, JPEG or WebP file. Needs Pillow."""
    found = checked_path(path, STILL, "a picture")
    image = require("PIL.Image", "pillow", "render").fromarray(picture)
    try:
        with replacing(found) as aside:
            image.save(aside, **{".jpg": {"quality": 92}, ".jpeg": {"quality": 92}}.get(found.suffix.lower(), {}))
    except OSError as error:
        raise OSError(f"{path} could not be written: {error.strerror or error}") from error
