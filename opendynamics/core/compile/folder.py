"""The folder that machine code is kept in.

`OPENDYNAMICS_CACHE_DIR` chooses it; otherwise it is where the platform keeps users' caches, which platformdirs knows. Machine
code is run without further question, so the folder must belong to the user or to the system, and no other user may write in
it. If there is none that will do, nothing is kept: no other place is chosen instead.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VARIABLE = "OPENDYNAMICS_CACHE_DIR"


class UnusableError(OSError):
    """The folder, or a file in it, cannot be used."""


def cache_folder() -> Path:
    """The folder, an absolute path, whether it is there or not.

    Raises:
        UnusableError: if nothing says where it should be, as for a user without a home.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(os.path.abspath(chosen))
    import platformdirs  # 5 ms, which machine code in the wheel or a chosen folder spare

    try:
        with _absolute_home():
            found = platformdirs.user_cache_path("opendynamics", appauthor=False)
    except (LookupError, OSError, RuntimeError, ValueError) as error:
        raise UnusableError(f"the user has no home folder: {error}") from error
    if not found.is_absolute():  # releases of platformdirs before 4.14
        raise UnusableError("the user has no home folder")
    return found


@contextmanager
def _absolute_home() -> Iterator[None]:
    """Meanwhile, a HOME that is not an absolute path counts as none: the system knows the user's home.

    Releases of platformdirs before 4.14, the only ones for Python 3.10, take an empty HOME for the root of all folders.
    """
    home = os.environ.get("HOME")
    if home is None or os.path.isabs(home):
        yield
        return
    os.environ.pop("HOME", None)
    try:
        yield
    finally:
        os.environ["HOME"] = home


def readable_folder() -> Path:
    """The folder, which is there and safe to load machine code from.

    Raises:
        UnusableError: if it is not safe.
        FileNotFoundError: if it is not there.
    """
    folder = cache_folder()
    require_safe(folder, os.stat(folder))
    return folder


def writable_folder() -> Path:
    """The folder, made if it is not there, private to the user.

    Raises:
        OSError: if it cannot be made, or is not safe.
    """
    folder = cache_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    return readable_folder()


def require_safe(path: Path, state: os.stat_result) -> None:
    """Require that only the user and the system can have written `path`.

    Raises:
        UnusableError: otherwise.
    """
    if not hasattr(os, "getuid"):
        return  # Windows: a user's profile is private
    if state.st_uid not in (os.getuid(), 0):
        raise UnusableError(f"{path} belongs to another user, number {state.st_uid}, whose machine code is not run")
    if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UnusableError(f"{path} can be written by other users, whose machine code is not run: chmod go-w {path}")
